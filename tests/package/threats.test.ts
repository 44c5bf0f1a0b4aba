import { expect, test } from 'vitest';
import { missing, readDocument, testsNamedIn } from './support/named-tests.ts';

const threats =
  readDocument('docs/security/threat-model.md').split('\n## Threats\n')[1]?.split('\n## ')[0] ?? '';

test('every threat in docs/security/threat-model.md names a test', () => {
  const rows = threats.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Who '));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/`[\w/-]+`: “[^”]+” \|$/.test(row))).toEqual([]);
});

test.each(testsNamedIn(threats))('the test $file: “$title” exists', (named) => {
  expect(missing(named)).toBeNull();
});
