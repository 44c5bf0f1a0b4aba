import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { SessionSource } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startServiceOn } from '../support/service-on.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { startRecovering } from './support/recovery.ts';

const foreign = 'https://evil.example';

let service: TestService;
let person: Person;
let cookie: string;
/** The service logs only the first rejections of each minute, so each test begins in another minute. */
let minutesAhead = 0;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(Date.now() + minutesAhead * 60_000) });
  person = await signUp(service);
  ({ cookie } = cookieHeader(person.browser));
});
beforeEach(() => {
  service.logged.length = 0;
  minutesAhead += 1;
});
afterAll(() => service.close());

const rejections = () => service.logged.filter(({ message }) => message.startsWith('rejected'));

/** The user's id, or null without a session. */
const userOf = async (source: SessionSource): Promise<string | null> =>
  (await service.auth.sessionOf(source))?.user.id ?? null;

function incoming(method: string, headers: Record<string, string>, url = '/page?token=x'): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  return Object.assign(message, { method, url, headers });
}

const sources: [name: string, make: (headers: Record<string, string>, method?: string) => SessionSource][] = [
  ['an IncomingMessage', (headers, method = 'GET') => incoming(method, headers)],
  [
    'a Request',
    (headers, method = 'GET') => new Request('http://localhost:3000/page?token=x', { method, headers }),
  ],
  ['Headers', (headers) => new Headers(headers)],
  ['a headers object', (headers) => headers],
  ['a headers object with capitalized names', ({ cookie = '', ...more }) => ({ Cookie: cookie, ...more })],
  [
    'a headers object without a prototype and with lists as values',
    (headers) =>
      Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      ),
  ],
];

describe.each(sources)('sessionOf(%s)', (_, make) => {
  test('returns the active session of the cookie', async () => {
    const read = await service.auth.sessionOf(make({ cookie }));
    const { user, session } = person.signedUp.body;
    expect(read).toMatchObject({
      user,
      session: { ...session, lastSeenAt: expect.any(String) },
      fresh: true,
    });
  });

  test('returns null without the cookie', async () => {
    expect(await userOf(make({}))).toBeNull();
    expect(await userOf(make({ cookie: '' }))).toBeNull();
  });

  test('returns a recovery session only with allowRecovery', async () => {
    const { browser, person: owner } = await startRecovering(service);
    const source = () => make(cookieHeader(browser));
    expect(await service.auth.sessionOf(source())).toBeNull();
    expect(await service.auth.sessionOf(source(), { allowRecovery: false })).toBeNull();
    const read = await service.auth.sessionOf(source(), { allowRecovery: true });
    expect(read).toMatchObject({ user: { id: userIdOf(owner) }, session: { kind: 'recovery' } });
  });

  test('returns null for an ended session', async () => {
    const { browser } = await signUp(service);
    const headers = cookieHeader(browser);
    expect(await userOf(make(headers))).not.toBeNull();
    await browser.delete('/auth/session');
    expect(await userOf(make(headers))).toBeNull();
  });

  test('returns null for a WebSocket handshake from another origin, and logs the origin', async () => {
    const upgrade = { cookie, upgrade: 'websocket', connection: 'Upgrade' };
    expect(await userOf(make({ ...upgrade, origin: foreign }))).toBeNull();
    expect(rejections()).toEqual([
      {
        level: 'warn',
        message: expect.stringMatching(/^rejected a cross-origin upgrade( \/page)?$/),
        fields: { origin: foreign, site: '', expected: [origin] },
      },
    ]);
    for (const other of [
      'null',
      `${origin}/`,
      `${origin}.evil.example`,
      `${origin}, ${foreign}`,
      'http://localhost',
    ])
      expect(await userOf(make({ ...upgrade, origin: other }))).toBeNull();
  });

  test('returns the session for a WebSocket handshake from a configured origin, even if the handshake is same-site and not same-origin', async () => {
    const upgrade = { cookie, upgrade: 'websocket', connection: 'Upgrade' };
    expect(await userOf(make({ ...upgrade, origin }))).toBe(userIdOf(person));
    expect(await userOf(make({ ...upgrade, origin, 'sec-fetch-site': 'same-site' }))).toBe(userIdOf(person));
    expect(service.logged).toEqual([]);
  });

  test('returns the session for a WebSocket handshake without an Origin header, because such a handshake cannot come from a browser', async () => {
    expect(await userOf(make({ cookie, upgrade: 'websocket' }))).toBe(userIdOf(person));
  });
});

describe.each(sources.slice(0, 2))('sessionOf(%s)', (_, make) => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'returns null for the method %s from another origin',
    async (method) => {
      for (const headers of [
        { origin: foreign },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: foreign },
        { 'sec-fetch-site': 'cross-site', upgrade: 'websocket' },
      ] as Record<string, string>[])
        expect(await userOf(make({ cookie, ...headers }, method))).toBeNull();
      expect(rejections()[0]).toMatchObject({ message: `rejected a cross-origin ${method} /page` });
      expect(JSON.stringify(service.logged)).not.toContain('token');
      for (const headers of [{}, { origin }, { 'sec-fetch-site': 'same-origin', origin }] as Record<
        string,
        string
      >[])
        expect(await userOf(make({ cookie, ...headers }, method))).toBe(userIdOf(person));
    },
  );

  test.each(['GET', 'HEAD', 'OPTIONS'])(
    'returns the session for the method %s from another site, because such a request changes nothing',
    async (method) => {
      for (const headers of [{ origin: foreign }, { 'sec-fetch-site': 'cross-site' }] as Record<
        string,
        string
      >[])
        expect(await userOf(make({ cookie, ...headers }, method))).toBe(userIdOf(person));
    },
  );
});

test('sessionOf checks the origin of a WebSocket handshake over HTTP/2, which uses the method CONNECT', async () => {
  expect(await userOf(incoming('CONNECT', { cookie, origin: foreign }))).toBeNull();
  expect(await userOf(incoming('CONNECT', { cookie, origin, 'sec-fetch-site': 'same-site' }))).toBe(
    userIdOf(person),
  );
});

test('sessionOf returns null for headers with another Origin, because the method is unknown', async () => {
  for (const make of [
    (headers: Record<string, string>) => new Headers(headers),
    (headers: object) => ({ ...headers }),
  ]) {
    expect(await userOf(make({ cookie, origin: foreign }))).toBeNull();
    expect(await userOf(make({ cookie, origin }))).toBe(userIdOf(person));
    // A browser sends no Origin when a user follows a link on another site.
    expect(await userOf(make({ cookie, 'sec-fetch-site': 'cross-site' }))).toBe(userIdOf(person));
  }
  expect(rejections()[0]).toMatchObject({ message: 'rejected a cross-origin request' });
});

describe('the session cookie', () => {
  const token = () => `${person.browser.cookies.get('latchkey')}`;
  const userBy = (header: string) => userOf({ cookie: header });

  test.each<[what: string, header: (token: string) => string]>([
    ['alone', (value) => `latchkey=${value}`],
    ['between other cookies', (value) => `a=b; latchkey=${value}; c=d`],
    ['without spaces', (value) => `a=b;latchkey=${value};c=d`],
    ['after a tab', (value) => `a=b;\tlatchkey=${value}`],
    ['after malformed cookies', (value) => `; ;=;==; a; latchkey; \u0000=x; latchkey=${value}`],
    ['if it is the first of two cookies with this name', (value) => `latchkey=${value}; latchkey=other`],
  ])('is found %s', async (_, header) => {
    expect(await userBy(header(token()))).toBe(userIdOf(person));
  });

  test.each<[what: string, header: (token: string) => string]>([
    ['with extra characters before the name', (value) => `xlatchkey=${value}`],
    ['with extra characters after the name', (value) => `latchkeyx=${value}`],
    ['in another case', (value) => `Latchkey=${value}`],
    ['with a prefix', (value) => `__Host-latchkey=${value}`],
    ['inside the value of another cookie', (value) => `a="latchkey=${value}"`],
    ['after a comma', (value) => `a=b, latchkey=${value}`],
    ['in quotes', (value) => `latchkey="${value}"`],
    ['with extra characters after the value', (value) => `latchkey=${value}=`],
    ['percent-encoded', (value) => `latchkey=%${value.charCodeAt(0).toString(16)}${value.slice(1)}`],
    ['if it is the second of two cookies with this name', (value) => `latchkey=other; latchkey=${value}`],
    ['after an empty cookie with the same name', (value) => `latchkey=; latchkey=${value}`],
    [
      'after a no-break space, because browsers treat this space as part of the name',
      (value) => `\u00a0latchkey=${value}`,
    ],
    ['after a line separator', (value) => `\u2028latchkey=${value}`],
    ['after a vertical tab', (value) => `\u000blatchkey=${value}`],
    ['with white space before the equals sign', (value) => `latchkey =${value}`],
  ])('is not found %s', async (_, header) => {
    expect(await userBy(header(token()))).toBeNull();
  });

  test.each([
    '',
    ';',
    '=',
    '\u0000',
    'latchkey',
    'latchkey=',
    `latchkey=${'x'.repeat(100_000)}`,
    '\ud800',
    '%',
  ])('is not found in the malformed header %j, and no error is thrown', async (header) => {
    expect(await userBy(header)).toBeNull();
  });

  test('is searched in linear time, even between 16 kB of separators', async () => {
    const parse = (filler: string, length: number) =>
      userBy(`a${filler.repeat(length / filler.length)}b=c; latchkey=x`);
    const cpuMs = (length: number) =>
      cpuMsOf(async () => {
        for (let n = 0; n < 16_000 / length; n += 1)
          for (const filler of [' ', ';', '=', '; ', 'latchkey ', '\t']) await parse(filler, length);
      });
    // Both runs parse the same number of characters. With quadratic time, long headers would take a hundred times
    // longer.
    expect(await cpuMs(16_000)).toBeLessThan(10 * ((await cpuMs(160)) + 20));
  });

  test('has the name `auth.config.sessionCookieName`, which is different with https', async () => {
    expect(service.auth.config.sessionCookieName).toBe('latchkey');
    const secure = await startSecondInstance(service, {
      rpId: 'example.com',
      origins: 'https://example.com',
    });
    try {
      const name = secure.auth.config.sessionCookieName;
      expect(name).toBe('__Host-latchkey');
      expect(await secure.auth.sessionOf({ cookie: `latchkey=${token()}` })).toBeNull();
      expect((await secure.auth.sessionOf({ cookie: `${name}=${token()}` }))?.user.id).toBe(userIdOf(person));
    } finally {
      await secure.close();
    }
  });
});

test.each<[what: string, source: unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a string', 'latchkey=x'],
  ['a number', 7],
  ['a function', () => {}],
  ['a list', ['cookie', 'latchkey=x']],
  ['a Map', new Map([['cookie', 'latchkey=x']])],
  ['a Date', new Date()],
  ['a request with a list of headers', { method: 'GET', headers: ['cookie', 'latchkey=x'] }],
  ['a URL', new URL('http://localhost')],
])('sessionOf rejects %s with a TypeError that names the accepted types', async (_, source) => {
  const error = await service.auth.sessionOf(source as SessionSource).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as TypeError).message).toMatch(
    /^sessionOf: expected an IncomingMessage, a Request, Headers or/,
  );
});

test('sessionOf returns null for header values of unexpected types', async () => {
  for (const headers of [
    {},
    { cookie: undefined },
    { cookie: [] },
    { cookie: 7 },
    { cookie: {} },
    { origin: [] },
  ])
    expect(await userOf(headers as SessionSource)).toBeNull();
});

test('with the in-memory database, sessionOf returns a session until it ends', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  try {
    const { browser, signedUp } = await signUp(inMemory);
    const headers = cookieHeader(browser);
    expect((await inMemory.auth.sessionOf(new Headers(headers)))?.user).toEqual(signedUp.body.user);
    expect(await inMemory.auth.sessionOf({ ...headers, upgrade: 'websocket', origin: foreign })).toBeNull();
    await browser.delete('/auth/session');
    expect(await inMemory.auth.sessionOf(headers)).toBeNull();
  } finally {
    await inMemory.close();
  }
});
