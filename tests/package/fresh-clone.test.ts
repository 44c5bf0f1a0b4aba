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

/** Returns the modules that a script imports statically, directly or through other scripts. */
const staticImports = (path: string): string[] =>
  (graph.get(path)?.imports ?? [])
    .filter(({ isStatic }) => isStatic)
    .flatMap(({ to }) => (graph.has(to) ? staticImports(to) : [`${path} needs ${to}`]));

test('this test finds the scripts and their imports', () => {
  expect(programs.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect(staticImports('scripts/bench.mjs')).toContain('scripts/bench.mjs needs node:fs');
});

test.each(programs)(
  'the script of `npm run %s` statically imports only modules of Node.js, so it can start before `npm install`',
  (_, path) => {
    expect(staticImports(path).filter((need) => !/ needs node:/.test(need))).toEqual([]);
  },
);
