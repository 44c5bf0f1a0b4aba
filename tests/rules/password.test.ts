import { describe, expect, test } from 'vitest';
import { mayRemovePassword, normalizePassword, problemOfForm } from '../../src/password/rules.ts';

describe('one form', () => {
  test.each<[what: string, given: string, form: string]>([
    ['a letter with its accent apart', 'cafe\u0301 creme', 'café creme'],
    ['fullwidth letters', 'ｐａｓｓｐｈｒａｓｅ', 'passphrase'],
    ['a ligature', 'oﬃcial', 'official'],
    ['a raised digit', 'x²y³', 'x2y3'],
    ['halfwidth kana with its mark', 'ﾊﾟｽﾜｰﾄﾞ', 'パスワード'],
    ['jamo', '\u1112\u1161\u11ab', '한'],
    ['an ideographic space', 'one\u3000two', 'one two'],
    ['a no-break space', 'one\u00a0two', 'one two'],
  ])('is that of %s', (_, given, form) => {
    expect(normalizePassword(given)).toBe(form);
    expect(normalizePassword(form)).toBe(form);
  });

  test.each([
    ['space around it and within', '  two  spaces\t'],
    ['capitals', 'PassWord'],
    ['letters of a look-alike script', 'раssword'],
    ['zero-width characters', 'pass\u200dword\ufeff'],
    ['a line break', 'pass\nword'],
    ['nothing', ''],
  ])('keeps %s', (_, given) => {
    expect(normalizePassword(given)).toBe(given);
  });
});

describe('the form of a password', () => {
  const key = '🔑';
  test.each<[what: string, password: string, problem: string | null]>([
    ['nothing', '', 'too_short'],
    ['seven letters', 'x'.repeat(7), 'too_short'],
    ['eight letters', 'x'.repeat(8), null],
    ['eight spaces', ' '.repeat(8), null],
    ['seven characters outside the basic plane, fourteen code units', key.repeat(7), 'too_short'],
    ['eight characters outside the basic plane', key.repeat(8), null],
    ['seven characters of 21 bytes', '钥'.repeat(7), 'too_short'],
    ['eight characters of 24 bytes', '钥'.repeat(8), null],
    ['72 letters', 'x'.repeat(72), null],
    ['73 letters', 'x'.repeat(73), 'too_long'],
    ['36 letters of two bytes', 'é'.repeat(36), null],
    ['36 letters of two bytes and one of one', `${'é'.repeat(36)}x`, 'too_long'],
    ['24 characters of three bytes', '钥'.repeat(24), null],
    ['24 characters of three bytes and one of one', `${'钥'.repeat(24)}x`, 'too_long'],
    ['18 characters of four bytes', key.repeat(18), null],
    ['18 characters of four bytes and one of one', `${key.repeat(18)}x`, 'too_long'],
    ['60,000 letters', 'x'.repeat(60_000), 'too_long'],
    ['a line break and a bell', 'line\nbell\u0007', null],
    ['the replacement character', 'replaced\ufffd', null],
    ['NUL in front', '\0xxxxxxxx', 'malformed'],
    ['NUL at the end', 'xxxxxxxx\0', 'malformed'],
    ['nothing but NUL', '\0', 'malformed'],
    ['half of a character in front', '\udd11xxxxxxxx', 'malformed'],
    ['half of a character at the end', 'xxxxxxxx\ud83d', 'malformed'],
    ['the halves of a character the wrong way round', 'xxxxxxxx\udd11\ud83d', 'malformed'],
  ])('of %s', (_, password, problem) => {
    expect(problemOfForm(password)).toBe(problem);
  });

  test('is asked of the composed text: it shrinks and grows with it', () => {
    const decomposed = 'e\u0301';
    expect(problemOfForm(normalizePassword(`${decomposed}xxxxxx`))).toBe('too_short');
    expect(problemOfForm(normalizePassword(decomposed.repeat(36)))).toBeNull();
    // Seven characters that are eight, and three bytes that are 33.
    expect(problemOfForm(normalizePassword('ﬁxxxxxx'))).toBeNull();
    expect(problemOfForm(normalizePassword(`${'\ufdfa'.repeat(2)}xxxxxx`))).toBeNull();
    expect(problemOfForm(normalizePassword(`${'\ufdfa'.repeat(2)}xxxxxxx`))).toBe('too_long');
  });
});

test.each([
  [0, false],
  [1, true],
  [2, true],
])('beside %d passkeys a password may go: %s', (passkeys, may) => {
  expect(mayRemovePassword({ passkeys })).toBe(may);
});
