import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const security = readFileSync(new URL('SECURITY.md', root), 'utf8');
const threats = security.split('\n## Threats\n')[1]?.split('\n## ')[0] ?? '';

/** The tests in the last column of the table. The form of an entry is `` `features/takeovers`: “a title” ``. */
const named = [...threats.matchAll(/`([\w/-]+)`: “([^”]+)”/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

test('every threat in SECURITY.md names a test', () => {
  const rows = threats.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Who '));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/`[\w/-]+`: “[^”]+” \|$/.test(row))).toEqual([]);
});

test.each(named)('the test $file: “$title” exists', ({ file, title }) => {
  const path = new URL(`tests/${file}.test.ts`, root);
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(path, 'utf8').replaceAll(/\\(['`])/g, '$1')).toContain(title);
});
