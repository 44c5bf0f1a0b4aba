import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';

test.each(mutants)('the text of the mutant "$breaks" occurs once in the sources', ({ patches }) => {
  for (const { file, replace } of patches)
    expect(readFileSync(file, 'utf8').split(replace), `${file}: ${replace}`).toHaveLength(2);
});

test('mutants have different descriptions', () => {
  const descriptions = mutants.map(({ breaks }) => breaks);
  expect(descriptions).toEqual([...new Set(descriptions)]);
});
