import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { graphOf } from './support/import-graph.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = readdirSync(join(root, 'scripts'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => `scripts/${file}`);
const graph = graphOf(Object.fromEntries(files.map((path) => [path, read(path)])));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [path] = /scripts\/\S+/.exec(command) ?? [];
  return path === undefined ? [] : [[name, path] as const];
});

/** What a program of ours needs before its first line runs, and what those modules need. */
const neededAtOnce = (path: string): string[] =>
  (graph.get(path)?.imports ?? [])
    .filter(({ atOnce }) => atOnce)
    .flatMap(({ to }) => (graph.has(to) ? neededAtOnce(to) : [`${path} needs ${to}`]));

test('there are programs to look at', () => {
  expect(programs.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect(neededAtOnce('scripts/bench.mjs')).toContain('scripts/bench.mjs needs node:fs');
});

test.each(programs)('`npm run %s` needs nothing that it may have to install first', (_, path) => {
  expect(neededAtOnce(path).filter((need) => !/ needs node:/.test(need))).toEqual([]);
});
