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

describe('availability', () => {
  test.each([
    ['anna.k', { username: 'anna.k', available: true, reason: null }],
    ['  Anna.K ', { username: 'anna.k', available: true, reason: null }],
    ['ﬁlip', { username: 'filip', available: true, reason: null }],
    ['skelly', { username: 'skelly', available: false, reason: 'taken' }],
    ['admin', { username: 'admin', available: false, reason: 'reserved' }],
    ['  No WAY ', { username: 'no way', available: false, reason: 'invalid' }],
  ])('of %j is told with its canonical form and the reason', async (given, expected) => {
    const { status, body } = await ask(given);
    expect([status, body]).toEqual([200, expected]);
    expect(await service.auth.users.checkAvailability(given)).toEqual(expected);
  });

  test('is told to signed-in people and to strangers alike', async () => {
    const { browser } = await signUp(service);
    const { body } = await browser.get('/auth/username/availability?username=skelly');
    expect(body).toEqual((await ask('skelly')).body);
  });

  test.each([
    ['no username', '', 'username', 'this member is required'],
    ['two usernames', '?username=a&username=b', 'username', 'expected one username'],
    ['an unknown member', '?username=anna&role=admin', 'role', 'this member is not known'],
    ['another spelling of the member', '?Username=anna', 'username', 'this member is required'],
    ['NUL', '?username=an%00na', 'username', 'NUL characters are not allowed'],
    [
      'a key that reaches a prototype',
      '?username=anna&__proto__=x',
      '',
      expect.stringContaining('__proto__'),
    ],
  ])('cannot be asked for with %s', async (_, query, path, message) => {
    const answer = await service.browser().get(`/auth/username/availability${query}`);
    const errors = expect.arrayContaining([{ path, message }]);
    expectProblem(answer, 'invalid_request', { errors });
  });
});

describe('every spelling is the same name', () => {
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
    ['spaces around it', '\t skelly\u00a0\u3000\n'],
  ] as const;

  test.each(spellings)('%s: %s', async (_, given) => {
    expect((await ask(given)).body).toEqual({ username: 'skelly', available: false, reason: 'taken' });
    expectProblem(await startSignUp(given), 'username_taken');
  });

  test('and becomes one account, whatever arrives in parallel', async () => {
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
    'may be %s',
    async (username) => {
      expect((await ask(username)).body).toEqual({ username, available: true, reason: null });
      expect((await startSignUp(username)).body.options.user.name).toBe(username);
    },
  );

  test.each([
    ['empty', ''],
    ['blank', '   '],
    ['2 characters', 'ab'],
    ['33 characters', 'a'.repeat(33)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['32 characters that are longer once composed', 'ﬃ'.repeat(32)],
    ['a Cyrillic а for a Latin one', 'skellу'],
    ['a Greek omicron', 'rοbert'],
    ['a Cherokee letter', 'Ꭺnna'],
    ['a dotless i', 'ıvan'],
    ['a capital I with a dot', 'İvan'],
    ['a sharp s', 'groß'],
    ['a combining accent', 'ske\u0301lly'],
    ['a precomposed accent', 'skélly'],
    ['a combining mark that leaves no trace', 'skelly\u034f'],
    ['a zero-width space', 'ske\u200blly'],
    ['a zero-width joiner at the end', 'skelly\u200d'],
    ['a zero-width non-joiner in front', '\u200cskelly'],
    ['a zero-width no-break space at the end', 'skelly\ufeff'],
    ['a word joiner', 'skelly\u2060'],
    ['a byte order mark inside', 'ske\ufefflly'],
    ['a soft hyphen', 'ske\u00adlly'],
    ['a right-to-left override', '\u202eylleks'],
    ['a right-to-left mark', 'skelly\u200f'],
    ['an isolate', '\u2066skelly\u2069'],
    ['a variation selector', 'skelly\ufe0f'],
    ['a tag character', 'skelly\u{e0041}'],
    ['an emoji', 'skelly🔑'],
    ['digits of another script', 'skelly٣'],
    ['a space inside', 'ske lly'],
    ['a no-break space inside', 'ske\u00a0lly'],
    ['a line break inside', 'ske\nlly'],
    ['a control character', 'ske\u0007lly'],
    ['the shape of an e-mail address', 'skelly@example.com'],
    ['a fullwidth at sign', 'skelly＠example.com'],
    ['a leading dot', '.skelly'],
    ['a trailing dot', 'skelly.'],
    ['a leading hyphen', '-skelly'],
    ['a trailing hyphen', 'skelly-'],
    ['a leading underscore', '_skelly'],
    ['a trailing underscore', 'skelly_'],
    ['a slash', 'ske/lly'],
    ['a percent sign', 'ske%6cly'],
    ['markup', '<skelly>'],
    ['quotes and SQL', `skelly';--`],
  ])('cannot hold or be: %s', async (_, given) => {
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
  ])('cannot be the reserved %s', async (given) => {
    expect((await ask(given)).body).toMatchObject({ available: false, reason: 'reserved' });
    expectProblem(await startSignUp(given), 'username_unacceptable', { reason: 'reserved' });
  });

  test.each([
    ['NUL', 'an\u0000na'],
    ['a lone surrogate', 'an\ud800na'],
    ['a number', 5],
    ['null', null],
    ['a list', ['anna']],
    ['an object', { $ne: null }],
  ])('cannot be sent as or with %s', async (_, username) => {
    const answer = await service.browser().post('/auth/passkey/register/start', { username });
    expectProblem(answer, 'invalid_request', { errors: [{ path: 'username', message: expect.any(String) }] });
  });
});

describe('the canonical form', () => {
  // Characters that lower-casing, trimming or NFKC change, lengthen, compose or reorder, among plain ones.
  const alphabet = [
    ...'aazzKkSs019._-',
    ...'\u212a\u017fİıßẞſﬁﬃǅΣσςΩΩ\u0130ⅣⓀＫ２．＿－℀㎏ªº²½',
    ...'\u0301\u0327\u0345\u034f\u200b\u200d\u2060\ufeff\u202e\u00ad\u00a0\u3000\t @',
    '🔑',
    '𝐤',
    '가',
    '\u1100\u1161',
  ];

  test('is its own canonical form, and is what it says, for any text', async () => {
    const random = randomFrom(20_261_120);
    let usable = 0;
    for (let round = 0; round < 4000; round += 1) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * (round % 10 === 0 ? 40 : 6)) },
        // Plain characters twice out of three times, or hardly any name would be usable.
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

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
