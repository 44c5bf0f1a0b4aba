import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readGraph } from './support/import-graph.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const folder = 'examples/koa-app';
const read = (file: string) => readFileSync(`${root}/${folder}/${file}`, 'utf8');
const files = readdirSync(`${root}/${folder}`, { withFileTypes: true })
  .filter((entry) => entry.name !== 'dist')
  .map(({ name }) => name);

test('examples/koa-app has at most eight files besides its README, with at most 150 lines each', () => {
  const sources = files.filter((name) => name !== 'README.md');
  expect(sources.length).toBeLessThanOrEqual(8);
  const tooLong = sources.filter((name) => read(name).trimEnd().split('\n').length > 150);
  expect(tooLong).toEqual([]);
});

test('examples/koa-app imports only the package, and packages that any app can install', () => {
  const graph = readGraph(root, [folder]);
  const imported = [...graph.values()].flatMap(({ imports }) => imports.map(({ to }) => to));
  const others = new Set(imported.filter((to) => !to.startsWith(`${folder}/`)));
  expect([...others].sort()).toEqual([
    '@koa/router',
    'koa',
    'koa-bodyparser',
    'latchkey',
    'latchkey/embedded',
    'node:fs',
    'node:http',
    'postgres',
  ]);
  expect([...read('browser.js').matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => from)).toEqual([
    '/auth/client/index.js',
  ]);
});

test('the README of examples/koa-app describes every file', () => {
  const described = [...read('README.md').matchAll(/^- \[(\S+)\]\(\1\)/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual(files.filter((name) => name !== 'README.md').sort());
});
