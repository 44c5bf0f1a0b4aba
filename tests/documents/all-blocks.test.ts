import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { sourcePaths } from '../package/support/source-paths.ts';

const guides = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path.replaceAll('\\', '/')));
/** The reference is generated: its examples come from comments, and `comment-examples.test.ts` compiles them. */
const documents = ['README.md', 'CONTRIBUTING.md', ...guides].filter(
  (path) => !path.startsWith('docs/reference/'),
);
const withCode = documents.filter((path) => /^ *```\w/m.test(readFileSync(path, 'utf8')));
const tests = sourcePaths(process.cwd(), ['tests'])
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => readFileSync(path, 'utf8'));

test('the search finds documents with code', () => {
  expect(withCode.length).toBeGreaterThan(5);
});

test.each(withCode)('a test reads the code blocks of %s', (path) => {
  const reads = (text: string) =>
    text.includes(`readGuide('${path}')`) ||
    (text.includes('readGuide(path)') && text.includes(`const path = '${path}';`));
  expect(tests.some(reads), `no test in tests/ contains readGuide('${path}')`).toBe(true);
});
