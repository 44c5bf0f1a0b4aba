import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await signUp(service, { username: 'skelly' });
});
afterAll(() => service.close());

const ask = (username: string): Promise<Answer> =>
  service.browser().get(`/auth/username/availability?username=${encodeURIComponent(username)}`);
const startSignUp = (username: string): Promise<Answer> =>
  service.browser().post('/auth/passkey/register/start', { username });

describe('the availability of a username', () => {
  test.each([
    ['anna.k', { username: 'anna.k', available: true, reason: null }],
    ['  Anna.K ', { username: 'anna.k', available: true, reason: null }],
    ['ﬁlip', { username: 'filip', available: true, reason: null }],
    ['skelly', { username: 'skelly', available: false, reason: 'taken' }],
    ['admin', { username: 'admin', available: false, reason: 'reserved' }],
    ['  No WAY ', { username: 'no way', available: false, reason: 'invalid' }],
  ])('is returned with the canonical form and the reason, for %j', async (given, expected) => {
    const { status, body } = await ask(given);
    expect([status, body]).toEqual([200, expected]);
    expect(await service.auth.users.checkAvailability(given)).toEqual(expected);
  });

  test('is the same with and without a session', async () => {
    const { browser } = await signUp(service);
    const { body } = await browser.get('/auth/username/availability?username=skelly');
    expect(body).toEqual((await ask('skelly')).body);
  });

  test.each([
    ['no username', '', 'username', 'this property is required'],
    ['two usernames', '?username=a&username=b', 'username', 'expected a single username'],
    ['an unknown parameter', '?username=anna&role=admin', 'role', 'this property is unknown'],
    ['`Username` instead of `username`', '?Username=anna', 'username', 'this property is required'],
    ['a NUL character', '?username=an%00na', 'username', 'NUL characters are not allowed'],
    ['the key __proto__', '?username=anna&__proto__=x', '', expect.stringContaining('__proto__')],
  ])('is not returned for a request with %s', async (_, query, path, message) => {
    const answer = await service.browser().get(`/auth/username/availability${query}`);
    const errors = expect.arrayContaining([{ path, message }]);
    expectProblem(answer, 'invalid_request', { errors });
  });
});

describe('different spellings are the same username:', () => {
  const spellings = [
    ['upper case', 'SKELLY'],
    ['mixed case', 'sKeLlY'],
    ['fullwidth letters', 'ｓｋｅｌｌｙ'],
    ['fullwidth capitals', 'ＳＫＥＬＬＹ'],
    ['the Kelvin sign', 's\u212Aelly'],
    ['the long s', '\u017Fkelly'],
    ['mathematical letters', '𝐬𝓴𝕖𝖑𝗹𝚢'],
    ['circled letters', 'ⓢⓚⓔⓛⓛⓨ'],
    ['superscripts', 'ˢᵏᵉˡˡʸ'],
    ['spaces at the ends', '\t skelly\u00a0\u3000\n'],
  ] as const;

  test.each(spellings)('%s: %s', async (_, given) => {
    expect((await ask(given)).body).toEqual({ username: 'skelly', available: false, reason: 'taken' });
    expectProblem(await startSignUp(given), 'username_taken');
  });

  test('of six concurrent sign-ups with different spellings, one creates an account', async () => {
    for (const name of ['kasimir', 'kassandra', 'kiosk']) {
      const forms = [
        name,
        name.toUpperCase(),
        name.replaceAll('k', '\u212A'),
        name.replaceAll('s', '\u017F'),
        ` ${name} `,
        [...name].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
      ];
      const finish = await Promise.all(
        forms.map(async (username) => {
          const browser = service.browser();
          const { options } = (await browser.post('/auth/passkey/register/start', { username })).body;
          const credential = await newAuthenticator().create(options);
          return () => browser.post('/auth/passkey/register/verify', { credential });
        }),
      );
      const answers = await Promise.all(finish.map((go) => go()));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expectProblem(answer, 'username_taken');
      }
      const rows = await service.database.sql`select from latchkey.users where username = ${name}`;
      expect(rows).toHaveLength(1);
    }
  });
});

describe('a username', () => {
  test.each(['abc', '007', 'a.b', 'a_b-c.d', 'x--y', 'a'.repeat(32), 'anna2000'])(
    'can be %s',
    async (username) => {
      expect((await ask(username)).body).toEqual({ username, available: true, reason: null });
      expect((await startSignUp(username)).body.options.user.name).toBe(username);
    },
  );

  test.each([
    ['is empty', ''],
    ['is blank', '   '],
    ['has 2 characters', 'ab'],
    ['has 33 characters', 'a'.repeat(33)],
    ['has 10,000 characters', 'a'.repeat(10_000)],
    ['has 32 characters and is longer when normalized', 'ﬃ'.repeat(32)],
    ['contains a Cyrillic look-alike', 'skellу'],
    ['contains a Greek omicron', 'rοbert'],
    ['contains a Cherokee letter', 'Ꭺnna'],
    ['contains a dotless i', 'ıvan'],
    ['contains a capital I with a dot', 'İvan'],
    ['contains a sharp s', 'groß'],
    ['contains a combining accent', 'ske\u0301lly'],
    ['contains a precomposed accent', 'skélly'],
    ['contains an invisible combining mark', 'skelly\u034f'],
    ['contains a zero-width space', 'ske\u200blly'],
    ['ends with a zero-width joiner', 'skelly\u200d'],
    ['starts with a zero-width non-joiner', '\u200cskelly'],
    ['ends with a zero-width no-break space', 'skelly\ufeff'],
    ['contains a word joiner', 'skelly\u2060'],
    ['contains a byte order mark', 'ske\ufefflly'],
    ['contains a soft hyphen', 'ske\u00adlly'],
    ['contains a right-to-left override', '\u202eylleks'],
    ['contains a right-to-left mark', 'skelly\u200f'],
    ['contains directional isolates', '\u2066skelly\u2069'],
    ['contains a variation selector', 'skelly\ufe0f'],
    ['contains a tag character', 'skelly\u{e0041}'],
    ['contains an emoji', 'skelly🔑'],
    ['contains digits of another script', 'skelly٣'],
    ['contains a space', 'ske lly'],
    ['contains a no-break space', 'ske\u00a0lly'],
    ['contains a line break', 'ske\nlly'],
    ['contains a control character', 'ske\u0007lly'],
    ['is an email address', 'skelly@example.com'],
    ['contains a fullwidth at sign', 'skelly＠example.com'],
    ['starts with a dot', '.skelly'],
    ['ends with a dot', 'skelly.'],
    ['starts with a hyphen', '-skelly'],
    ['ends with a hyphen', 'skelly-'],
    ['starts with an underscore', '_skelly'],
    ['ends with an underscore', 'skelly_'],
    ['contains a slash', 'ske/lly'],
    ['contains a percent sign', 'ske%6cly'],
    ['contains markup', '<skelly>'],
    ['contains quotes and SQL', `skelly';--`],
  ])('is invalid if it %s', async (_, given) => {
    const username = given.replace(/^[^\S\uFEFF]+|[^\S\uFEFF]+$/g, '').toLowerCase();
    expect((await ask(given)).body).toEqual({ username, available: false, reason: 'invalid' });
    expectProblem(await startSignUp(given), 'username_unacceptable', { reason: 'invalid' });
  });

  test.each([
    'admin',
    'Administrator',
    'ROOT',
    'ｓｕｐｐｏｒｔ',
    'superadmin',
    'latchkey',
    'null',
    'no-reply',
    'adm1n',
    'R00T',
    'a.d-min',
    'adrnin',
    'xn--dmin-7cd',
  ])('cannot be a reserved name or look like one: %s', async (given) => {
    expect((await ask(given)).body).toMatchObject({ available: false, reason: 'reserved' });
    expectProblem(await startSignUp(given), 'username_unacceptable', { reason: 'reserved' });
  });

  test.each([
    ['contains a NUL character', 'an\u0000na'],
    ['contains a lone surrogate', 'an\ud800na'],
    ['is a number', 5],
    ['is null', null],
    ['is a list', ['anna']],
    ['is an object', { $ne: null }],
  ])('makes the request invalid if it %s', async (_, username) => {
    const answer = await service.browser().post('/auth/passkey/register/start', { username });
    expectProblem(answer, 'invalid_request', { errors: [{ path: 'username', message: expect.any(String) }] });
  });
});

describe('the canonical form of a username', () => {
  // Plain characters, and characters that are changed by lowercasing, by trimming or by NFKC normalization.
  const alphabet = [
    ...'aazzKkSs019._-',
    ...'\u212a\u017fİıßẞſﬁﬃǅΣσςΩΩ\u0130ⅣⓀＫ２．＿－℀㎏ªº²½',
    ...'\u0301\u0327\u0345\u034f\u200b\u200d\u2060\ufeff\u202e\u00ad\u00a0\u3000\t @',
    '🔑',
    '𝐤',
    '가',
    '\u1100\u1161',
  ];

  test('does not change if it is canonicalized again, for 4,000 random texts', async () => {
    const random = randomFrom(20_261_120);
    let usable = 0;
    for (let round = 0; round < 4000; round += 1) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * (round % 10 === 0 ? 40 : 6)) },
        // Two of three characters are plain. With fewer plain characters, most names would be invalid.
        () => alphabet[Math.floor(random() * (random() < 0.66 ? 14 : alphabet.length))],
      ).join('');
      const first = await service.auth.users.checkAvailability(text);
      const second = await service.auth.users.checkAvailability(first.username);
      if (first.reason !== 'invalid') {
        usable += 1;
        expect(first.username, JSON.stringify(text)).toMatch(/^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$/);
      }
      expect(second, JSON.stringify(text)).toEqual(first);
    }
    expect(usable).toBeGreaterThan(400);
  });
});

/** Random numbers from 0 to 1 (mulberry32). They are the same for the same seed, so failures can be reproduced. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
