import { expect, test } from 'vitest';
import { deadLinksIn, documents } from '../../scripts/dead-links.ts';
import { filesLinkedFrom, withPackedLinks } from '../../scripts/packed-links.ts';

const files = (texts: Record<string, string>) => ({
  exists: (path: string) => Object.keys(texts).some((name) => name === path || name.startsWith(`${path}/`)),
  read: (path: string) => texts[path] ?? '',
});

test.each([
  ['to a file that does not exist', '[a](b.md)', 'docs/a.md:1: b.md: docs/b.md does not exist'],
  [
    'to a heading that does not exist',
    'x\n[a](c.md#two)',
    'docs/a.md:2: c.md#two: docs/c.md has no heading with the id two',
  ],
  [
    'to a heading in code',
    '[a](c.md#code)',
    'docs/a.md:1: c.md#code: docs/c.md has no heading with the id code',
  ],
  ['of a picture', '![a](p.png)', 'docs/a.md:1: p.png: docs/p.png does not exist'],
  ['in HTML', '<img alt="a" src="p.png">', 'docs/a.md:1: p.png: docs/p.png does not exist'],
  ['in a definition', '[a]: p.md', 'docs/a.md:1: p.md: docs/p.md does not exist'],
  ['with text in several lines', '[a\nb](p.md)', 'docs/a.md:2: p.md: docs/p.md does not exist'],
  ['from the root', '[a](/docs/c.md)', 'docs/a.md:1: /docs/c.md: write the path relative to docs'],
])('a dead link %s is reported with its file and line', (_, text, message) => {
  const texts = { 'docs/a.md': text, 'docs/c.md': '# One\n\n```md\n# Code\n```\n' };
  expect(deadLinksIn('docs/a.md', files(texts))).toEqual([message]);
});

test.each([
  ['to a file', '[a](c.md)'],
  ['to a folder', '[a](../docs)'],
  ['to a heading with code and a link', '[a](c.md#the-option-a-b)'],
  ['to the second heading with the same text', '[a](c.md#one-1)'],
  ['in the same document', '# Here\n[a](#here)'],
  ['to another site', '[a](https://example.com/b) [c](mailto:d@example.com)'],
  ['in code', '`[a](b.md)` and\n\n```md\n[a](b.md)\n```'],
])('a link %s is not reported', (_, text) => {
  const texts = { 'docs/a.md': text, 'docs/c.md': '# One\n\n## The option `a` [b](x.md)\n\n## One\n' };
  expect(deadLinksIn('docs/a.md', files(texts))).toEqual([]);
});

test('the check of links reads the README, the guides, the reference and llms.txt', () => {
  expect(documents()).toEqual(
    expect.arrayContaining(['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt']),
  );
  expect(documents()).toContain('docs/reference/options.md');
});

const packed = {
  name: 'latchkey',
  version: '1.2.3',
  contains: (path: string) => path.startsWith('docs/') || path === 'LICENSE',
};
const readme =
  'See [the guide](docs/a.md#two), [tests](tests/x.ts), [`MIT`](LICENSE), ![p](docs/p.webp) and [x](#y).';

test('without a repository, the links of the packed README lead to the published files', () => {
  expect(withPackedLinks(readme, 'README.md', packed)).toBe(
    'See [the guide](https://unpkg.com/latchkey@1.2.3/docs/a.md#two), tests, [`MIT`](https://unpkg.com/latchkey@1.2.3/LICENSE), ![p](https://unpkg.com/latchkey@1.2.3/docs/p.webp) and [x](#y).',
  );
});

test.each([
  'https://github.com/example/latchkey',
  { url: 'git+https://github.com/example/latchkey.git' },
  'github:example/latchkey',
])('with the repository %j, the links lead to the files of this version in the repository', (repository) => {
  expect(withPackedLinks(readme, 'README.md', { ...packed, repository })).toBe(
    'See [the guide](https://github.com/example/latchkey/blob/v1.2.3/docs/a.md#two), [tests](https://github.com/example/latchkey/blob/v1.2.3/tests/x.ts), [`MIT`](https://github.com/example/latchkey/blob/v1.2.3/LICENSE), ![p](https://raw.githubusercontent.com/example/latchkey/v1.2.3/docs/p.webp) and [x](#y).',
  );
});

test('a picture and the link around it get different addresses', () => {
  expect(withPackedLinks('[![p](docs/p.svg)](docs/a.md)', 'README.md', packed)).toBe(
    '[![p](https://unpkg.com/latchkey@1.2.3/docs/p.svg)](https://unpkg.com/latchkey@1.2.3/docs/a.md)',
  );
});

test('documents in the package keep their links to each other', () => {
  expect(withPackedLinks('[a](../b.md) and [c](../../tests/x.ts)', 'docs/guides/a.md', packed)).toBe(
    '[a](../b.md) and c',
  );
});

test('a picture beside its document is found', () => {
  expect(filesLinkedFrom('![p](p.svg) and [b](../b.md#two)', 'docs/concepts/a.md')).toEqual([
    'docs/concepts/p.svg',
    'docs/b.md',
  ]);
});

test('a picture that is not in the package is an error', () => {
  expect(() => withPackedLinks('![p](tests/p.png)', 'README.md', packed)).toThrow(
    'tests/p.png is not in the package',
  );
});
