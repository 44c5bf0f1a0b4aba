import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { variables } from '../../src/core/config-options.ts';
import { commentsIn } from '../doc-comments.ts';
import { code, table } from '../markdown.ts';

/** The generated parts of docs/reference/options.md, by name. */
export const optionsParts = (): Record<string, string> => ({
  options: optionTable(),
  variables: variableTable(),
});

/** The rows come from the comments of the options, so that editors and the page say the same. */
function optionTable(): string {
  const comments = {
    ...commentsIn('src/core/config-options.ts', 'ConfigurationOptions'),
    ...commentsIn('src/service/auth-service.ts', 'AuthServiceOptions'),
  };
  const names: Partial<Record<string, string>> = variables;
  return table(
    ['Variable', 'Option', 'Unit', 'Default', 'Range', 'Meaning'],
    Object.entries(comments).map(([option, comment]) => {
      const variable = names[option];
      const { meaning, fallback, range } = partsOf(variable ? comment.replace(`${variable}: `, '') : comment);
      const cells = [unitOf(option), fallback === variable ? '' : fallback, range, meaning];
      return [variable ? code(variable) : '', code(option), ...cells];
    }),
  );
}

const units: readonly (readonly [suffix: string, unit: string])[] = [
  ['Seconds', 'seconds'],
  ['Ms', 'milliseconds'],
  ['Days', 'days'],
  ['Length', 'characters'],
];

const unitOf = (option: string): string => units.find(([suffix]) => option.endsWith(suffix))?.[1] ?? '';

interface OptionParts {
  meaning: string;
  /** The default. Empty: none. */
  fallback: string;
  /** The values that are allowed. Empty: the meaning says it. */
  range: string;
}

/**
 * Splits a comment. A sentence such as `1 to 20; default 10.` has the range and the default. A sentence such as
 * `Default: 10.` has the default.
 */
function partsOf(comment: string): OptionParts {
  const parts: OptionParts = { meaning: '', fallback: '', range: '' };
  const rest = comment.split(/(?<=[.)])\s+(?=[A-Z0-9`])/).filter((sentence) => {
    const numbers =
      /^((?:\d|At least \d).*?)(?: (?:milliseconds|seconds))?(,? .*?)?; default ([^;]+)\.$/.exec(sentence);
    if (numbers) {
      parts.range = firstUpperCase(`${numbers[1]}${numbers[2] ?? ''}`.replace(/ (milliseconds|seconds)/, ''));
      parts.fallback = `${numbers[3]}`;
      return false;
    }
    const named = /^Default(?: in development)?: (.+)\.$/.exec(sentence);
    if (!named || parts.fallback !== '') return true;
    parts.fallback = sentence.startsWith('Default in') ? `in development: ${named[1]}` : `${named[1]}`;
    return false;
  });
  return { ...parts, meaning: firstUpperCase(rest.join(' ')) };
}

const firstUpperCase = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** The variables of `.env.example` that belong to no option, with the comments above them. */
function variableTable(): string {
  const ofOptions = new Set<string>(Object.values(variables));
  const text = readFileSync('.env.example', 'utf8');
  const values = parseEnv(text);
  const rows: string[][] = [];
  for (const group of text.split(/(?<=^\w+=.*\n)(?=#|\n)/m)) {
    const [lastParagraph = ''] = group.trim().split('\n\n').slice(-1);
    const comment = [...lastParagraph.matchAll(/^# ?(.*)$/gm)].map(([, line]) => line).join(' ');
    const names = [...group.matchAll(/^(\w+)=/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !ofOptions.has(name));
    if (names.length > 0)
      rows.push([
        names.map(code).join(', '),
        names.map((name) => values[name] || 'none').join(', '),
        comment,
      ]);
  }
  return table(['Variable', 'Default', 'Meaning'], rows);
}
