import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Configuration, readConfiguration } from '../src/core/config.ts';
import { variables } from '../src/core/config-options.ts';
import { commentsIn } from './doc-comments.ts';
import { code, table } from './markdown.ts';
import { optionDefaults, type SecurityDefault, variableDefaults } from './security-defaults.ts';

/** The generated parts of docs/reference/defaults.md, by name. */
export function defaultsParts(): Record<string, string> {
  const config = readConfiguration({
    database: 'postgresql://localhost/app',
    rpId: 'example.com',
    origins: 'https://example.com',
    secret: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
    env: {},
  });
  return {
    options: defaultsTable('Option, variable', optionRows(), config),
    variables: defaultsTable('Variable', variableRows(), config),
  };
}

type Row = [names: string, SecurityDefault];

function defaultsTable(names: string, rows: Row[], config: Configuration): string {
  return table(
    ['Default', 'Value', names, 'With a looser value', 'With a stricter value'],
    rows.map(([name, { what, value, looser, stricter, after }]) => [
      after ? `${what} <!-- after: ${after.branch} -->` : what,
      typeof value === 'string' ? value : value(config),
      name,
      looser,
      stricter ?? '',
    ]),
  );
}

function optionRows(): Row[] {
  const options = {
    ...commentsIn('src/core/config-options.ts', 'ConfigurationOptions'),
    ...commentsIn('src/service/auth-service.ts', 'AuthServiceOptions'),
  };
  requireAll('option', Object.keys(options), Object.keys(optionDefaults));
  return relevant(optionDefaults).map(([option, found]) => {
    const exists = Object.hasOwn(options, option);
    if (exists && found.after) fail(`the option ${option} exists now. Check its line, and remove \`after\``);
    if (!exists && !found.after) fail(`the option ${option} does not exist. Remove its line`);
    const variable = found.after?.variable ?? (variables as Record<string, string>)[option];
    return [variable ? `${code(option)}, ${code(variable)}` : code(option), found];
  });
}

/** The variables that belong to no option. */
function variableRows(): Row[] {
  const ofOptions = new Set<string>(Object.values(variables));
  const others = Object.keys(parseEnv(readFileSync('.env.example', 'utf8'))).filter(
    (name) => !ofOptions.has(name),
  );
  requireAll(
    'variable',
    others,
    Object.keys(variableDefaults).flatMap((names) => names.split(', ')),
  );
  return relevant(variableDefaults).map(([names, found]) => [names.split(', ').map(code).join(', '), found]);
}

const relevant = (defaults: Readonly<Record<string, SecurityDefault | null>>): Row[] =>
  Object.entries(defaults).filter((entry): entry is Row => entry[1] !== null);

function requireAll(kind: string, names: string[], known: string[]): void {
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0)
    fail(`the ${kind} ${missing[0]} has no line. Add one, or null if it is not relevant for security`);
}

function fail(problem: string): never {
  throw new Error(`scripts/security-defaults.ts: ${problem}`);
}
