import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthenticator, newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

const related = 'http://localhost:4000';
const json = { 'Content-Type': 'application/json' };

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService({ origins: [origin, related] });
  person = await signUp(service);
});
afterAll(() => service.close());

const cookieOf = ({ browser }: Person) => [...browser.cookies].map((cookie) => cookie.join('=')).join('; ');

/** All rows of the service. Tests compare them to check that a rejected request changed nothing. */
const everything = async () => {
  const { sql } = service.database;
  return {
    users: await sql`select * from latchkey.users order by id`,
    passkeys: await sql`select * from latchkey.passkeys order by id`,
    sessions: await sql`select * from latchkey.sessions order by id`,
    challenges: await sql`select * from latchkey.spent_challenges order by nonce`,
    audit: await service.auditRows(),
  };
};

/** Mutations that succeed when they come from the service's own pages. */
const mutations: [name: string, prepare: () => Promise<Mutation>][] = [
  ['starting a sign-up', async () => post('register/start', { username: newUsername() })],
  [
    'signing up',
    async () => {
      const browser = service.browser();
      const { body } = await browser.post('/auth/passkey/register/start', { username: newUsername() });
      const credential = await newAuthenticator().create(body.options);
      return { ...post('register/verify', { credential }), person: { ...person, browser }, status: 201 };
    },
  ],
  ['starting a sign-in', async () => post('login/start', {})],
  ['starting a sign-in without a body', async () => ({ ...post('login/start', {}), body: undefined })],
  [
    'signing in',
    async () => {
      const someone = await signUp(service);
      const { body } = await someone.browser.post('/auth/passkey/login/start', {});
      const credential = await someone.authenticator.get(body.options);
      return { ...post('login/verify', { credential }), person: someone };
    },
  ],
  ['starting a step-up', async () => post('stepup/start', {})],
  ['starting to add a passkey', async () => post('devices/add', {})],
  [
    'renaming a passkey',
    async () => ({
      method: 'PATCH',
      path: `/auth/passkey/devices/${person.signedUp.body.passkey.id}`,
      body: { label: newUsername() },
      status: 200,
    }),
  ],
  ['ending other sessions', async () => ({ method: 'DELETE', path: '/auth/sessions', status: 200 })],
  [
    'ending a session',
    async () => {
      const someone = await signUp(service);
      const path = `/auth/sessions/${someone.signedUp.body.session.id}`;
      return { method: 'DELETE', path, status: 204, person: someone };
    },
  ],
  [
    'signing out',
    async () => ({ method: 'DELETE', path: '/auth/session', status: 204, person: await signUp(service) }),
  ],
];

interface Mutation {
  method: string;
  path: string;
  body?: unknown;
  status: number;
  /** The user who sends the request. The default is the user of this file. */
  person?: Person;
}

const post = (path: string, body: unknown): Mutation => ({
  method: 'POST',
  path: `/auth/passkey/${path}`,
  body,
  status: 200,
});

const sent = (mutation: Mutation, headers: Record<string, string>): Promise<RawAnswer> => {
  const Cookie = cookieOf(mutation.person ?? person);
  return mutation.body === undefined
    ? send(service.url, mutation.path, { method: mutation.method, headers: { Cookie, ...headers } })
    : send(service.url, mutation.path, {
        method: mutation.method,
        headers: { Cookie, ...json, ...headers },
        body: JSON.stringify(mutation.body),
      });
};

const foreign: [name: string, headers: Record<string, string>][] = [
  ['the fetch site cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['the fetch site same-site', { 'Sec-Fetch-Site': 'same-site' }],
  [
    'the fetch site same-site and another origin',
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:3001' },
  ],
  [
    'the fetch site cross-site and another origin',
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  ],
  ['an invalid fetch site', { 'Sec-Fetch-Site': 'whatever' }],
  ['two fetch sites', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
  ['another origin', { Origin: 'https://evil.example' }],
  [
    'another origin with the fetch site same-origin',
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ],
  ['another origin with the fetch site none', { 'Sec-Fetch-Site': 'none', Origin: 'https://evil.example' }],
  ['another port', { Origin: 'http://localhost:3001' }],
  ['another scheme', { Origin: 'https://localhost:3000' }],
  ['a subdomain', { Origin: 'http://evil.localhost:3000' }],
  ['an origin that starts with the service’s', { Origin: `${origin}.evil.example` }],
  ['an origin that ends with the service’s', { Origin: `http://evil.example?${origin}` }],
  ['an origin with a path', { Origin: `${origin}/` }],
  ['two origins', { Origin: `${origin}, https://evil.example` }],
  ['the null origin of a sandboxed frame', { Origin: 'null' }],
  ['the origin that the Host header names', { Origin: 'http://evil.example', Host: 'evil.example' }],
];

const own: [name: string, headers: Record<string, string>][] = [
  ['no Origin and no Sec-Fetch-Site header, as from a client other than a browser', {}],
  ['the service’s origin', { Origin: origin }],
  ['a related origin', { Origin: related }],
  ['the fetch site same-origin', { 'Sec-Fetch-Site': 'same-origin' }],
  [
    'the fetch site same-origin and the service’s origin',
    { 'Sec-Fetch-Site': 'same-origin', Origin: origin },
  ],
  ['the fetch site none', { 'Sec-Fetch-Site': 'none' }],
  ['a related origin with the fetch site same-site', { 'Sec-Fetch-Site': 'same-site', Origin: related }],
  ['a related origin with the fetch site cross-site', { 'Sec-Fetch-Site': 'cross-site', Origin: related }],
];

describe.each(mutations)('%s', (_, prepare) => {
  let refused: Mutation;
  let before: Awaited<ReturnType<typeof everything>>;
  beforeAll(async () => {
    refused = await prepare();
    before = await everything();
  });

  test.each(foreign)('is rejected and changes nothing if the request has %s', async (__, headers) => {
    const answer = await sent(refused, headers);
    expectProblem(answer, 'cross_origin_request');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await everything()).toEqual(before);
  });

  test('succeeds when the rejected request is sent from the service’s own origin', async () => {
    expect((await sent(refused, { Origin: origin })).status).toBe(refused.status);
  });

  test.each(own)('succeeds if the request has %s', async (__, headers) => {
    const mutation = await prepare();
    expect((await sent(mutation, headers)).status).toBe(mutation.status);
  });
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
  'a cross-origin %s is rejected on every path under the prefix, even if the path does not exist',
  async (method) => {
    for (const path of ['/auth/session', '/auth/nothing', '/auth', '/auth/']) {
      const answer = await send(service.url, path, { method, headers: { Origin: 'https://evil.example' } });
      expectProblem(answer, 'cross_origin_request');
    }
  },
);

test('a rejection is logged as a warning with the received and the expected origins', async () => {
  // The earlier tests of this file have used up what the log shows in a minute.
  await service.turnClock({ minutes: 1 });
  await send(service.url, '/auth/session', { method: 'DELETE', headers: { 'Sec-Fetch-Site': 'cross-site' } });
  service.logged.length = 0;
  const from = (headers: Record<string, string>) =>
    send(service.url, '/auth/sessions?x=y', { method: 'DELETE', headers });
  await from({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' });
  await from({ 'Sec-Fetch-Site': 'same-site' });
  await from({ Origin: origin, 'Sec-Fetch-Site': 'same-origin' });
  await send(service.url, '/auth/sessions', { headers: { Origin: 'https://evil.example' } });
  const message = 'rejected a cross-origin DELETE /auth/sessions';
  const always = { expected: [origin, related], ip: '127.0.0.1' };
  expect(service.logged).toEqual([
    { level: 'warn', message, fields: { origin: 'https://evil.example', site: 'cross-site', ...always } },
    { level: 'warn', message, fields: { origin: '', site: 'same-site', ...always } },
  ]);
});

test.each(['GET', 'HEAD', 'OPTIONS'])('a cross-origin %s succeeds and changes nothing', async (method) => {
  const Cookie = cookieOf(await signUp(service));
  const before = await everything();
  for (const [, headers] of foreign) {
    const answer = await send(service.url, '/auth/session', { method, headers: { Cookie, ...headers } });
    expect(answer.status).toBe(method === 'OPTIONS' ? 204 : 200);
  }
  expect(await everything()).toEqual(before);
});
