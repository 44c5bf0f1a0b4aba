import { expect, test } from 'vitest';
import type { Entry } from '../../examples/server/web/palette/entry.ts';
import { matching } from '../../examples/server/web/palette/matching.ts';

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  id: name,
  group: 'pages',
  name,
  ...more,
});
const entries = [
  entry('Invitations', { detail: 'Administration' }),
  entry('Switch to the dark theme', { keywords: 'appearance colors night' }),
  entry('Zürich Office'),
  entry('Your activity'),
  entry('Activity'),
];
const found = (typed: string) => matching(entries, typed).map(({ name }) => name);

test('an empty text finds all entries', () => {
  expect(found('  ')).toEqual(entries.map(({ name }) => name));
});

test('the search ignores case and accents', () => {
  expect(found('ZURICH')).toEqual(['Zürich Office']);
  expect(found('zür')).toEqual(['Zürich Office']);
});

test('names that start with the text come first', () => {
  expect(found('activity')).toEqual(['Activity', 'Your activity']);
});

test('the words of the text can be in any order, in the name, the detail or the keywords', () => {
  expect(found('night dark')).toEqual(['Switch to the dark theme']);
  expect(found('admin')).toEqual(['Invitations']);
  expect(found('dark green')).toEqual([]);
});
