import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { expect, test } from 'vitest';

const filesIn = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map(({ parentPath, name }) => join(parentPath.replaceAll('\\', '/'), name))
    .filter((path) => !path.includes('node_modules'));

/** The reference is generated: its examples come from comments, and `comment-examples.test.ts` compiles them. */
const documents = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')].filter(
  (path) => !path.startsWith('docs/reference/'),
);
const withCode = documents.filter((path) => /^ *```\w/m.test(readFileSync(path, 'utf8')));
const tests = filesIn('tests', '.test.ts').map((path) => readFileSync(path, 'utf8'));

test('the search finds documents with code', () => {
  expect(withCode.length).toBeGreaterThan(5);
});

test.each(withCode)('a test reads the code blocks of %s', (path) => {
  const reads = (text: string) =>
    text.includes(`readGuide('${path}')`) ||
    (text.includes('readGuide(path)') && text.includes(`const path = '${path}';`));
  expect(tests.some(reads), `no test in tests/ contains readGuide('${path}')`).toBe(true);
});
