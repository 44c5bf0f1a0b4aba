import { dictionary } from '@zxcvbn-ts/language-common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullWidth } from '../support/full-width.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  addPassword,
  logInByPassword,
  signUpWithOnlyPassword,
  stepUpByPassword,
} from './support/passwords.ts';

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  person = await signUp(service);
});
afterAll(() => service.close());

const signIn = async (password: string) =>
  (await logInByPassword(service.browser(), person, password)).status;

const details = {
  too_short: 'The password must have at least 8 characters.',
  too_long: 'The password must have at most 128 characters.',
  common: 'This password is too common.',
};
async function expectRefused(password: string, reason: keyof typeof details, { browser } = person) {
  const answer = await addPassword(browser, password);
  expectProblem(answer, 'password_unacceptable', { reason, detail: details[reason] });
  return answer;
}

describe('a password is accepted if it', () => {
  test.each([
    ['has eight characters', 'kx7#mq2v'],
    ['has eight characters outside the Basic Multilingual Plane', '🔑🦔🌶️🪁🧭🛶🪂🧶'],
    ['has seven characters that normalize to eight', 'ﬁx7#mq2'],
    ['has 128 characters', 'lamp '.repeat(25).padEnd(128, 'z')],
    ['has 64 Japanese characters, which are 192 bytes', '鍵と灯台の夜'.repeat(11).slice(0, 64)],
    ['has 64 emoji, which are 256 bytes', '🔑🦔🪁🧭🛶🪂🧶🐌'.repeat(8)],
    ['has nine characters that normalize to 128', `${'\ufdfa'.repeat(7)}kx`],
    ['has 384 code units that normalize to 128 characters', 'e\u0302\u0301'.repeat(128)],
    ['has leading, trailing and double spaces', '  two  spaces  '],
    ['has only spaces', ' '.repeat(9)],
    ['is in a non-Latin script', 'מגדל עננים ורוד'],
    ['has tabs and line breaks', 'tab\tand\nline'],
    ['contains SQL', `'; drop table latchkey.users; --`],
    ['contains a common password and other words', 'my password is password'],
    ['is a common password after a space', ' password'],
  ])('%s', async (_, password) => {
    expect([200, 201]).toContain((await addPassword(person.browser, password)).status);
    expect(await signIn(password)).toBe(200);
  });
});

describe('a password is rejected if it', () => {
  test.each<[what: string, password: string, reason: keyof typeof details]>([
    ['is empty', '', 'too_short'],
    ['has seven characters', 'kx7#mq2', 'too_short'],
    ['has seven characters in more than eight UTF-16 code units', '🔑🦔🪁🧭🛶🪂🧶', 'too_short'],
    ['has eight characters that normalize to seven', 'kx7#mqe\u0301', 'too_short'],
    ['has 129 characters', 'lamp '.repeat(25).padEnd(129, 'z'), 'too_long'],
    ['has 129 emoji', '🔑'.repeat(129), 'too_long'],
    ['has ten characters that normalize to 129', `${'\ufdfa'.repeat(7)}kx7`, 'too_long'],
    ['has 60,000 characters', 'x'.repeat(60_000), 'too_long'],
    ['is a common password in fullwidth letters', 'ｐａｓｓｗｏｒｄ', 'common'],
    ['is a common password with a capital first letter', 'Password', 'common'],
  ])('%s, and the response names the reason', async (_, password, reason) => {
    const answer = await expectRefused(password, reason);
    expect(await auditRowsOf(service, answer)).toEqual([]);
  });

  test('is the user’s own username, in any spelling: as it is, in capitals, or in fullwidth letters', async () => {
    const ada = await signUp(service, { username: newUsername('lovelace') });
    for (const password of [ada.username, ada.username.toUpperCase(), fullWidth(ada.username)]) {
      await expectRefused(password, 'common', ada);
    }
    // The password can be another user's username.
    expect((await addPassword(ada.browser, person.username)).status).toBe(201);
  });

  test.each([
    ['contains a NUL character', 'eight\0eight', 'NUL characters are not allowed'],
    ['contains half of a surrogate pair', 'eight\ud83deight', 'expected well-formed Unicode'],
    ['ends with half of a surrogate pair', 'eighteight\ud83d', 'expected well-formed Unicode'],
  ])('%s, also at sign-in and step-up', async (_, password, message) => {
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

describe('common passwords', () => {
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
  ])('are rejected, for example %s', async (password) => {
    await expectRefused(password, 'common');
  });

  test('are rejected in lower, upper and mixed case (tested with 600 of the 3,000 most common ones)', async () => {
    expect(commonest.length).toBeGreaterThanOrEqual(3000);
    const sample = commonest.slice(0, 3000).filter((_, at) => at % 5 === 0);
    const accepted: string[] = [];
    const tryPassword = async (word: string, at: number) => {
      const spelling = (spellings[at % 3] as (word: string) => string)(word);
      const { status, body } = await addPassword(person.browser, spelling);
      if (status !== 400 || body.reason !== 'common') accepted.push(spelling);
    };
    for (let at = 0; at < sample.length; at += 50) {
      await Promise.all(sample.slice(at, at + 50).map((word, n) => tryPassword(word, at + n)));
    }
    expect(accepted).toEqual([]);
  });
});

describe('at sign-in, the password', () => {
  let person: Person;
  beforeAll(async () => {
    person = await signUpWithOnlyPassword(service);
  });
  const signIn = async (password: string) =>
    (await logInByPassword(service.browser(), person, password)).status;

  test.each([
    [
      'can be in composed Unicode form (NFC) if it was set in decomposed form (NFD)',
      'cafe\u0301 cre\u0300me',
      'café crème',
    ],
    [
      'can be in decomposed Unicode form (NFD) if it was set in composed form (NFC)',
      'café crème',
      'cafe\u0301 cre\u0300me',
    ],
    ['can be in fullwidth letters if it was set in plain letters', 'lampshade7', 'ｌａｍｐｓｈａｄｅ７'],
    ['can be in plain letters if it was set in fullwidth letters', 'ｌａｍｐｓｈａｄｅ７', 'lampshade7'],
    ['can have plain letters if it was set with ligatures', 'oﬃce ﬂower', 'office flower'],
    ['can have a plain space if it was set with a no-break space', 'one\u00a0two three', 'one two three'],
  ])('%s', async (_, set, typed) => {
    await addPassword(person.browser, set);
    expect(await signIn(typed)).toBe(200);
    expect((await stepUpByPassword(person.browser, typed)).status).toBe(200);
  });

  const set = 'Lamp shade, éß';
  test.each([
    ['in capitals', set.toUpperCase()],
    ['in lower case', set.toLowerCase()],
    ['with a trailing space', `${set} `],
    ['with a leading space', ` ${set}`],
    ['with a double space', set.replace(' ', '  ')],
    ['without the accent of a letter', set.replace('é', 'e')],
    ['with "ss" instead of "ß"', set.replace('ß', 'ss')],
    ['without its last character', set.slice(0, -1)],
    ['with an additional zero-width space', set.replace(' ', ' \u200b')],
  ])('is rejected if it is typed %s', async (_, typed) => {
    await addPassword(person.browser, set);
    expect(await signIn(typed)).toBe(401);
    expect(await signIn(set)).toBe(200);
  });

  test.each([
    ['of 128 letters', 'lamp '.repeat(25).padEnd(128, 'z')],
    ['of 64 Japanese characters', '鍵と灯台の夜'.repeat(11).slice(0, 64)],
  ])('%s must match to the end, and is rejected with an additional character', async (_, longest) => {
    await addPassword(person.browser, longest);
    expect(await signIn(longest)).toBe(200);
    const withoutLast = longest.slice(0, -1);
    for (const typed of [`${withoutLast}y`, withoutLast, `${longest}z`, `${longest}\n`]) {
      expect(await signIn(typed)).toBe(401);
    }
  });
});
