/**
 * The levels of all requirements in chapters V6, V7, V8 and V16 of the OWASP ASVS 5.0.0: for each section, the levels of
 * its requirements in order. So `'6.1': [1, 2, 2]` means that 6.1.1 has level 1, and 6.1.2 and 6.1.3 have level 2.
 *
 * The source is the folder `5.0/en` at the tag `v5.0.0_release` of https://github.com/OWASP/ASVS.
 */
const levels: Readonly<Record<string, readonly number[]>> = {
  '6.1': [1, 2, 2],
  '6.2': [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2],
  '6.3': [1, 1, 2, 2, 3, 3, 3, 3],
  '6.4': [1, 1, 2, 2, 3, 3],
  '6.5': [2, 2, 2, 2, 2, 3, 3, 3],
  '6.6': [2, 2, 2, 3],
  '6.7': [3, 3],
  '6.8': [2, 2, 2, 2],
  '7.1': [2, 2, 2],
  '7.2': [1, 1, 1, 1],
  '7.3': [2, 2],
  '7.4': [1, 1, 2, 2, 2],
  '7.5': [2, 2, 3],
  '7.6': [2, 2],
  '8.1': [1, 2, 3, 3],
  '8.2': [1, 1, 2, 3],
  '8.3': [1, 3, 3],
  '8.4': [2, 3],
  '16.1': [2],
  '16.2': [2, 2, 2, 2, 2],
  '16.3': [2, 2, 2, 2],
  '16.4': [2, 2, 2],
  '16.5': [2, 2, 2, 3],
};

/** Each requirement with its level, such as `['6.1.1', '1']`. */
export const asvsRequirements: readonly (readonly [number: string, level: string])[] = Object.entries(
  levels,
).flatMap(([section, ofSection]) =>
  ofSection.map((level, index) => [`${section}.${index + 1}`, `${level}`] as const),
);
