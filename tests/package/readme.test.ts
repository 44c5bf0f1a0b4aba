import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exists, missing, readDocument, testsNamedIn } from './support/named-tests.ts';

const readme = readDocument('README.md');
// A named test can begin on one line and end on the next.
const named = testsNamedIn(readme.replaceAll(/\n +/g, ' '));

test('the README has at most 180 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(180);
});

test.each(named)('the README names the test $file: “$title”, which exists', (test) => {
  expect(missing(test)).toBeNull();
});

test('each of the six differences names a test or a command', () => {
  const section = readme.split('## What makes it different')[1]?.split('\n## ')[0] ?? '';
  const items = section.split(/\n\d\. /).slice(1);
  expect(items).toHaveLength(6);
  expect(items.filter((item) => !/`(features\/|npx latchkey|npm run)/.test(item))).toEqual([]);
  expect(named).toHaveLength(6);
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/README.md'])('%s names only scripts of package.json', (path) => {
  const { scripts } = JSON.parse(readDocument('package.json'));
  const run = [...readDocument(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(run.length).toBeGreaterThan(0);
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('the pictures of the README exist and are smaller than 150 kB', () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(pictures).toHaveLength(2);
  expect(pictures.filter((path) => !exists(path) || statSync(path).size >= 150_000)).toEqual([]);
});

test('the terminal picture shows the menu of the first screen as it is now', () => {
  const source = readDocument('cli/screens/home/home-screen.tsx');
  const shown = [...readDocument('docs/screenshots/terminal.svg').matchAll(/>([a-z][a-z ,]{12,})</g)];
  const descriptions = shown.map(([, text = '']) => text).filter((text) => text !== 'open directly');
  expect(descriptions).toHaveLength(4);
  expect(descriptions.filter((text) => !source.includes(`'${text}'`))).toEqual([]);
});
