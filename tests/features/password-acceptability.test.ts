import { dictionary } from '@zxcvbn-ts/language-common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullWidth } from '../support/full-width.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { addPassword, logInByPassword, stepUpByPassword } from './support/passwords.ts';

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  person = await signUp(service);
});
afterAll(() => service.close());

const enter = async (password: string) => (await logInByPassword(service.browser(), person, password)).status;

const words = {
  too_short: 'A password has 8 characters at least.',
  too_long: 'A password has 72 bytes at most: 72 plain letters, fewer of others.',
  common: 'This is one of the passwords that are tried first.',
};
async function expectRefused(password: string, reason: keyof typeof words, { browser } = person) {
  const answer = await addPassword(browser, password);
  expectProblem(answer, 'password_unacceptable', { reason, detail: words[reason] });
  return answer;
}

describe('a password may be', () => {
  test.each([
    ['of eight characters', 'kx7#mq2v'],
    ['of eight characters outside the basic plane', '🔑🦔🌶️🪁🧭🛶🪂🧶'],
    ['of seven characters that are eight once they are normalized', 'ﬁx7#mq2'],
    ['of 72 bytes', 'lamp '.repeat(14).padEnd(72, 'z')],
    ['of 72 bytes in 36 letters', 'é'.repeat(36)],
    ['of 72 bytes in eight characters that each are many', `${'\ufdfa'.repeat(2)}kx7#mq`],
    ['of more than 72 bytes that are 72 once they are composed', 'e\u0301'.repeat(36)],
    ['of spaces within, around and doubled', '  two  spaces  '],
    ['of nothing but spaces', ' '.repeat(9)],
    ['of any script', 'מגדל עננים ורוד'],
    ['of controls that a keyboard has', 'tab\tand\nline'],
    ['of what looks like code', `'; drop table latchkey.users; --`],
    ['one that only holds a common one', 'my password is password'],
    ['a common one with a space before it', ' password'],
  ])('%s', async (_, password) => {
    expect([200, 201]).toContain((await addPassword(person.browser, password)).status);
    expect(await enter(password)).toBe(200);
  });
});

describe('a password cannot be', () => {
  test.each<[what: string, password: string, reason: keyof typeof words]>([
    ['nothing', '', 'too_short'],
    ['of seven characters', 'kx7#mq2', 'too_short'],
    ['of seven characters outside the basic plane, fourteen code units', '🔑🦔🪁🧭🛶🪂🧶', 'too_short'],
    ['of eight characters that are seven once they are composed', 'kx7#mqe\u0301', 'too_short'],
    ['of 73 bytes', 'lamp '.repeat(14).padEnd(73, 'z'), 'too_long'],
    ['of 73 bytes in 37 characters', `${'é'.repeat(36)}z`, 'too_long'],
    ['of 73 bytes in nine characters that each are many', `${'\ufdfa'.repeat(2)}kx7#mq2`, 'too_long'],
    ['of 60,000 characters', 'x'.repeat(60_000), 'too_long'],
    ['a common one in fullwidth letters', 'ｐａｓｓｗｏｒｄ', 'common'],
    ['a common one with its first letter large', 'Password', 'common'],
  ])('%s: the reason is told', async (_, password, reason) => {
    const answer = await expectRefused(password, reason);
    expect(await auditRowsOf(service, answer)).toEqual([]);
  });

  test('one’s own username, in capitals and in fullwidth letters neither', async () => {
    const ada = await signUp(service, { username: newUsername('lovelace') });
    for (const password of [ada.username, ada.username.toUpperCase(), fullWidth(ada.username)]) {
      await expectRefused(password, 'common', ada);
    }
    // Somebody else's name is no easier a guess than any other word.
    expect((await addPassword(ada.browser, person.username)).status).toBe(201);
  });

  test.each([
    ['NUL in it', 'eight\0eight', 'NUL characters are not allowed'],
    ['half of a character in it', 'eight\ud83deight', 'expected well-formed Unicode'],
    ['half of a character at its end', 'eighteight\ud83d', 'expected well-formed Unicode'],
  ])('of text with %s: no such text is taken at all', async (_, password, message) => {
    const errors = [{ path: 'password', message }];
    expectProblem(await addPassword(person.browser, password), 'invalid_request', { errors });
    const { username } = person;
    for (const [browser, path, body] of [
      [service.browser(), 'login', { username, password }],
      [person.browser, 'stepup', { password }],
    ] as const) {
      expectProblem(await browser.post(`/auth/password/${path}`, body), 'invalid_request', { errors });
    }
  });
});

describe('the commonest passwords', () => {
  const commonest = (dictionary['passwords-common'] as string[]).filter((word) => [...word].length >= 8);
  const spellings = [
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word.replace(/[a-z]/g, (letter, at) => (at % 2 ? letter : letter.toUpperCase())),
  ];

  test.each([
    'password',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'sunshine',
    'trustno1',
    'football',
    'P@ssw0rd',
    'Password1',
    '1Q2W3E4R',
    'LetMeIn1',
    '1qaz2wsx',
    'StarWars',
    '11111111',
  ])('cannot be had: %s', async (password) => {
    await expectRefused(password, 'common');
  });

  test('cannot be had, every fifth of the first three thousand asked for, in small letters, large ones and both', async () => {
    expect(commonest.length).toBeGreaterThanOrEqual(3000);
    const sample = commonest.slice(0, 3000).filter((_, at) => at % 5 === 0);
    const taken: string[] = [];
    const ask = async (word: string, at: number) => {
      const spelt = (spellings[at % 3] as (word: string) => string)(word);
      const { status, body } = await addPassword(person.browser, spelt);
      if (status !== 400 || body.reason !== 'common') taken.push(spelt);
    };
    for (let at = 0; at < sample.length; at += 50) {
      await Promise.all(sample.slice(at, at + 50).map((word, n) => ask(word, at + n)));
    }
    expect(taken).toEqual([]);
  });
});

describe('at login', () => {
  test.each([
    ['composed, a password that was set decomposed', 'cafe\u0301 cre\u0300me', 'café crème'],
    ['decomposed, a password that was set composed', 'café crème', 'cafe\u0301 cre\u0300me'],
    ['in fullwidth letters, a password that was set in plain ones', 'lampshade7', 'ｌａｍｐｓｈａｄｅ７'],
    ['in plain letters, a password that was set in fullwidth ones', 'ｌａｍｐｓｈａｄｅ７', 'lampshade7'],
    ['spelt out, a password that was set with a ligature', 'oﬃce ﬂower', 'office flower'],
    [
      'with a plain space, a password that was set with a no-break one',
      'one\u00a0two three',
      'one two three',
    ],
  ])('one may type, %s', async (_, set, typed) => {
    await addPassword(person.browser, set);
    expect(await enter(typed)).toBe(200);
    expect((await stepUpByPassword(person.browser, typed)).status).toBe(200);
  });

  const set = 'Lamp shade, éß';
  test.each([
    ['in capitals', set.toUpperCase()],
    ['in small letters', set.toLowerCase()],
    ['with a space behind it', `${set} `],
    ['with a space before it', ` ${set}`],
    ['with a space doubled', set.replace(' ', '  ')],
    ['with an accent left out', set.replace('é', 'e')],
    ['with two letters for one', set.replace('ß', 'ss')],
    ['with its last character left out', set.slice(0, -1)],
    ['with a zero-width space in it', set.replace(' ', ' \u200b')],
  ])('one may not type it %s', async (_, typed) => {
    await addPassword(person.browser, set);
    expect(await enter(typed)).toBe(401);
    expect(await enter(set)).toBe(200);
  });

  test('every one of 72 bytes counts, and a 73rd is not cut off', async () => {
    const longest = 'lamp '.repeat(14).padEnd(72, 'z');
    await addPassword(person.browser, longest);
    expect(await enter(longest)).toBe(200);
    for (const typed of [`${longest.slice(0, 71)}y`, longest.slice(0, 71), `${longest}z`, `${longest}\n`]) {
      expect(await enter(typed)).toBe(401);
    }
  });
});
