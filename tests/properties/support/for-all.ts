import fc, { type Arbitrary } from 'fast-check';

type Arbitraries<Values extends unknown[]> = { [Index in keyof Values]: Arbitrary<Values[Index]> };

// The seed of the run, so that `SEED=… npm test` repeats the values.
const seed = Number.parseInt(`${process.env.SEED}`, 10) | 0;

/** Checks a property for many values. On a failure, fast-check names the smallest values that fail. */
export const forAll = <Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  check: (...values: Values) => void,
  runs = 200,
): void => {
  // Ignores the result of `check`: some assertions return `false`, and fast-check would count that as a failure.
  const property = fc.property<Values>(...arbitraries, (...values) => void check(...values));
  fc.assert(property, { seed, numRuns: runs });
};

/** Checks a property of asynchronous code. */
export const forAllAsync = <Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  check: (...values: Values) => Promise<void>,
  runs = 100,
): Promise<void> => fc.assert(fc.asyncProperty<Values>(...arbitraries, check), { seed, numRuns: runs });

const specialCharacters = [
  '\0',
  '\n',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '<',
  '%',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\u00a0',
  '\u202e',
];
const anyCharacter = fc.oneof(
  fc.nat(0x7f).map((code) => String.fromCodePoint(code)),
  fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
  fc.constantFrom(...specialCharacters),
);

/** Any text, with lone surrogates, control characters and characters of every plane. */
export const anyText = (maxLength = 40): Arbitrary<string> => fc.string({ unit: anyCharacter, maxLength });

/** Text without lone surrogates. */
export const wellFormedText = (maxLength = 40): Arbitrary<string> =>
  anyText(maxLength).map((text) => text.toWellFormed());
