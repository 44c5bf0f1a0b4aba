import { describe, expect, test } from 'vitest';
import { type StandardLine, standardLinesIn, statuses } from '../../scripts/standard-lines.ts';
import { asvsRequirements } from './support/asvs-requirements.ts';
import { exists, missing, readDocument, testsNamedIn } from './support/named-tests.ts';
import { nistRequirements } from './support/nist-requirements.ts';

const standards = ['docs/security/asvs.md', 'docs/security/nist-800-63b-4.md'];

describe.each(standards)('%s', (path) => {
  const lines = standardLinesIn(readDocument(path));

  test('has a known status for each requirement, and a reason unless it is met', () => {
    const unexplained = ({ status, how }: StandardLine) => how === '' && status !== 'met';
    expect(lines.filter((line) => !statuses.includes(line.status) || unexplained(line))).toEqual([]);
  });

  test('names a test or a section of the documentation for each requirement that is met', () => {
    const proven = ({ how, tests }: StandardLine) =>
      testsNamedIn(tests).length > 0 || /\]\([^)]*#[\w-]+\)/.test(how);
    expect(lines.filter((line) => line.status === 'met' && !proven(line))).toEqual([]);
  });
});

describe.each([...standards, 'docs/reference/defaults.md'])('%s', (path) => {
  const text = readDocument(path);

  test.each(testsNamedIn(text))('names the test $file: “$title”, which exists', (named) => {
    expect(missing(named)).toBeNull();
  });

  test('names only source files that exist', () => {
    const named = [...text.matchAll(/`((?:src|cli|examples)\/[\w/.-]+\.\w+)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });
});

test('docs/security/asvs.md has exactly one line for each requirement, with its level', () => {
  const lines = standardLinesIn(readDocument('docs/security/asvs.md'));
  expect(lines.map(({ number, levels }) => [number, ...levels])).toEqual(asvsRequirements);
});

test('docs/security/nist-800-63b-4.md has exactly one line for each requirement at AAL2', () => {
  const lines = standardLinesIn(readDocument('docs/security/nist-800-63b-4.md'));
  expect(lines.map(({ number }) => number)).toEqual(nistRequirements);
});
