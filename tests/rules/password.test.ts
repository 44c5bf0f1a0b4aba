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
    ['72 letters', 'x'.repeat(72), null],
    ['73 letters', 'x'.repeat(73), 'too_long'],
    ['36 letters of two bytes', 'é'.repeat(36), null],
    ['36 letters of two bytes and one of one byte', `${'é'.repeat(36)}x`, 'too_long'],
    ['24 characters of three bytes', '钥'.repeat(24), null],
    ['24 characters of three bytes and one of one byte', `${'钥'.repeat(24)}x`, 'too_long'],
    ['18 characters of four bytes', key.repeat(18), null],
    ['18 characters of four bytes and one of one byte', `${key.repeat(18)}x`, 'too_long'],
    ['60,000 letters', 'x'.repeat(60_000), 'too_long'],
    ['a line break and a bell', 'line\nbell\u0007', null],
    ['the replacement character', 'replaced\ufffd', null],
    ['a leading NUL', '\0xxxxxxxx', 'malformed'],
    ['a trailing NUL', 'xxxxxxxx\0', 'malformed'],
    ['only NUL', '\0', 'malformed'],
    ['a leading unpaired surrogate', '\udd11xxxxxxxx', 'malformed'],
    ['a trailing unpaired surrogate', 'xxxxxxxx\ud83d', 'malformed'],
    ['surrogates in the wrong order', 'xxxxxxxx\udd11\ud83d', 'malformed'],
  ])('%s', (_, password, problem) => {
    expect(formatProblem(password)).toBe(problem);
  });

  test('measures the normalized password, which can be shorter or longer than the given password', () => {
    const decomposed = 'e\u0301';
    expect(formatProblem(normalizePassword(`${decomposed}xxxxxx`))).toBe('too_short');
    expect(formatProblem(normalizePassword(decomposed.repeat(36)))).toBeNull();
    // Normalization replaces the ligature by two characters, and U+FDFA (3 bytes) by 33 bytes.
    expect(formatProblem(normalizePassword('ﬁxxxxxx'))).toBeNull();
    expect(formatProblem(normalizePassword(`${'\ufdfa'.repeat(2)}xxxxxx`))).toBeNull();
    expect(formatProblem(normalizePassword(`${'\ufdfa'.repeat(2)}xxxxxxx`))).toBe('too_long');
  });
});

test.each([
  [0, false],
  [1, true],
  [2, true],
])('with %d passkeys, a password can be removed: %s', (passkeys, allowed) => {
  expect(mayRemovePassword({ passkeys })).toBe(allowed);
});
