import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [, path] = /(scripts\/\S+)/.exec(command) ?? [];
  return path === undefined ? [] : [[name, path] as const];
});

/** What a module needs before its first line runs, and what those modules need. */
function neededAtOnce(path: string, known = new Set<string>()): string[] {
  if (known.has(path)) return [];
  known.add(path);
  const specifiers = [...read(path).matchAll(/^(?:import|export)\b[^'"();]*['"]([^'"]+)['"]/gm)].map(
    ([, specifier]) => `${specifier}`,
  );
  return specifiers.flatMap((specifier) =>
    specifier.startsWith('.')
      ? neededAtOnce(normalize(join(dirname(path), specifier)), known)
      : [`${path} needs ${specifier}`],
  );
}

test('there are programs to look at', () => {
  expect(programs.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect(neededAtOnce('scripts/bench.mjs')).toContain('scripts/bench.mjs needs node:fs');
});

test.each(programs)('`npm run %s` needs nothing that it may have to install first', (_, path) => {
  expect(neededAtOnce(path).filter((need) => !/ needs node:/.test(need))).toEqual([]);
});
