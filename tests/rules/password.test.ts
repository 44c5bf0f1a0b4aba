import { describe, expect, test } from 'vitest';
import { formatProblem, mayRemovePassword, normalizePassword } from '../../src/password/rules.ts';

describe('normalizing a password', () => {
  test.each<[what: string, given: string, form: string]>([
    ['a letter and a combining accent', 'cafe\u0301 creme', 'café creme'],
    ['full-width letters', 'ｐａｓｓｐｈｒａｓｅ', 'passphrase'],
    ['a ligature', 'oﬃcial', 'official'],
    ['a superscript digit', 'x²y³', 'x2y3'],
    ['half-width kana with a sound mark', 'ﾊﾟｽﾜｰﾄﾞ', 'パスワード'],
    ['jamo', '\u1112\u1161\u11ab', '한'],
    ['an ideographic space', 'one\u3000two', 'one two'],
    ['a no-break space', 'one\u00a0two', 'one two'],
  ])('applies NFKC to %s', (_, given, form) => {
    expect(normalizePassword(given)).toBe(form);
    expect(normalizePassword(form)).toBe(form);
  });

  test.each([
    ['leading, trailing and double spaces', '  two  spaces\t'],
    ['capital letters', 'PassWord'],
    ['look-alike letters of another script', 'раssword'],
    ['zero-width characters', 'pass\u200dword\ufeff'],
    ['a line break', 'pass\nword'],
    ['an empty password', ''],
  ])('keeps %s', (_, given) => {
    expect(normalizePassword(given)).toBe(given);
  });
});

describe('the check of a password’s form', () => {
  const key = '🔑';
  test.each<[what: string, password: string, problem: string | null]>([
    ['an empty password', '', 'too_short'],
    ['seven letters', 'x'.repeat(7), 'too_short'],
    ['eight letters', 'x'.repeat(8), null],
    ['eight spaces', ' '.repeat(8), null],
    ['seven characters of two code units each', key.repeat(7), 'too_short'],
    ['eight characters of two code units each', key.repeat(8), null],
    ['seven characters of 21 bytes', '钥'.repeat(7), 'too_short'],
    ['eight characters of 24 bytes', '钥'.repeat(8), null],
    ['128 letters', 'x'.repeat(128), null],
    ['129 letters', 'x'.repeat(129), 'too_long'],
    ['128 characters of three bytes', '钥'.repeat(128), null],
    ['129 characters of three bytes', '钥'.repeat(129), 'too_long'],
    ['128 characters of four bytes', key.repeat(128), null],
    ['128 characters of four bytes and one of one byte', `${key.repeat(128)}x`, 'too_long'],
    ['60,000 letters', 'x'.repeat(60_000), 'too_long'],
    ['a line break and a bell', 'line\nbell\u0007', null],
    ['the replacement character', 'replaced\ufffd', null],
    ['a leading NUL', '\0xxxxxxxx', 'malformed'],
    ['a trailing NUL', 'xxxxxxxx\0', 'malformed'],
    ['only NUL', '\0', 'malformed'],
    ['a leading unpaired surrogate', '\udd11xxxxxxxx', 'malformed'],
    ['a trailing unpaired surrogate', 'xxxxxxxx\ud83d', 'malformed'],
    ['surrogates in the wrong order', 'xxxxxxxx\udd11\ud83d', 'malformed'],
  ])('decides about %s', (_, password, problem) => {
    expect(formatProblem(password)).toBe(problem);
  });

  test('measures the normalized password, which can be shorter or longer than the given password', () => {
    const decomposed = 'e\u0301';
    expect(formatProblem(normalizePassword(`${decomposed}xxxxxx`))).toBe('too_short');
    expect(formatProblem(normalizePassword(decomposed.repeat(128)))).toBeNull();
    // A Vietnamese letter with two accents, a Korean syllable, and a letter with three marks.
    for (const letter of ['e\u0302\u0301', '\u1112\u1161\u11ab', '\u03b1\u0313\u0300\u0345']) {
      expect(formatProblem(normalizePassword(letter.repeat(128)))).toBeNull();
      expect(formatProblem(normalizePassword(letter.repeat(129)))).toBe('too_long');
    }
    // Normalization turns the ligature into two characters, and U+FDFA into 18 characters.
    expect(formatProblem(normalizePassword('ﬁxxxxxx'))).toBeNull();
    expect(formatProblem(normalizePassword(`${'\ufdfa'.repeat(7)}xx`))).toBeNull();
    expect(formatProblem(normalizePassword(`${'\ufdfa'.repeat(7)}xxx`))).toBe('too_long');
  });

  test('rejects a new password with fewer characters than the configured minimum', () => {
    expect(formatProblem('x'.repeat(14), 15)).toBe('too_short');
    expect(formatProblem('x'.repeat(15), 15)).toBeNull();
    expect(formatProblem(key.repeat(14), 15)).toBe('too_short');
    expect(formatProblem(key.repeat(15), 15)).toBeNull();
  });
});

test.each([
  [0, false],
  [1, true],
  [2, true],
])('with %d passkeys, a password can be removed: %s', (passkeys, allowed) => {
  expect(mayRemovePassword({ passkeys })).toBe(allowed);
});
