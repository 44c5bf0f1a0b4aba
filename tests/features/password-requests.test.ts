import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { addPassword, otherPassword, password, signUpWithPassword, storedHash } from './support/passwords.ts';

const json = { 'Content-Type': 'application/json' };

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  person = await signUpWithPassword(service);
});
afterAll(() => service.close());
beforeEach(() => {
  service.logged.length = 0;
});

const storedRows = async () => {
  const { sql } = service.database;
  return {
    users: await sql`select * from latchkey.users order by id`,
    sessions: await sql`select * from latchkey.sessions order by id`,
    audit: await service.auditRows(),
  };
};

const endpoints: [name: string, method: string, path: string, body: () => Record<string, unknown>][] = [
  ['setting a password', 'POST', '/auth/password/add', () => ({ password: otherPassword })],
  ['removing the password', 'DELETE', '/auth/password/remove', () => ({})],
  ['signing in', 'POST', '/auth/password/login', () => ({ username: person.username, password })],
  ['stepping up', 'POST', '/auth/password/stepup', () => ({ password })],
];

const cookies = () => [...person.browser.cookies].map((cookie) => cookie.join('=')).join('; ');

/** Sends a request with the user's session. Expects that it changes nothing. */
async function sendRejected(
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<RawAnswer> {
  const before = await storedRows();
  const answer = await send(service.url, path, {
    method,
    headers: { Origin: origin, Cookie: cookies(), ...json, ...headers },
    body,
  });
  expect(await storedRows()).toEqual(before);
  expect(answer.headers['set-cookie']).toBeUndefined();
  return answer;
}

describe.each(endpoints)('%s', (_, method, path, body) => {
  test.each<[from: string, headers: Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example' }],
    ['another site, visible only in Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site', Origin: '' }],
    ['another origin on the same site', { 'Sec-Fetch-Site': 'same-site', Origin: '' }],
    ['an opaque origin', { Origin: 'null' }],
  ])('is rejected before any statement runs if the request comes from %s', async (_, headers) => {
    service.statements.length = 0;
    const answer = await sendRejected(method, path, JSON.stringify(body()), headers);
    expectProblem(answer, 'cross_origin_request');
    expect(service.statements).toEqual([]);
  });

  test.each(['GET', 'PUT', 'PATCH', method === 'POST' ? 'DELETE' : 'POST'])(
    'returns 405 for the method %s and names the allowed method',
    async (other) => {
      const answer = await sendRejected(other, path, '{}', {});
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.allow).toBe(method);
    },
  );

  test('rejects an unknown property', async () => {
    const text = JSON.stringify({ ...body(), userId: 'x' });
    expectProblem(await sendRejected(method, path, text, {}), 'invalid_request', {
      errors: [{ path: 'userId', message: 'this property is unknown' }],
    });
  });

  test.each<[what: string, text: string, type: string, code: 'invalid_request' | 'unsupported_media_type']>([
    ['a form', 'password=a+wet+towel+in+Oslo', 'application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['plain text', '{}', 'text/plain', 'unsupported_media_type'],
    ['malformed JSON', '{"password":', 'application/json', 'invalid_request'],
    ['a JSON array', '[]', 'application/json', 'invalid_request'],
    ['a JSON string', '"password"', 'application/json', 'invalid_request'],
    ['null', 'null', 'application/json', 'invalid_request'],
    ['a duplicate key', '{"password":"x","password":"y"}', 'application/json', 'invalid_request'],
    ['the key __proto__', '{"__proto__":{}}', 'application/json', 'invalid_request'],
  ])('rejects %s', async (_, text, type, code) => {
    const answer = await sendRejected(method, path, text, { 'Content-Type': type });
    expect([answer.status, answer.body.code]).toEqual([code === 'invalid_request' ? 400 : 415, code]);
    expect(answer.text).not.toContain('towel');
  });

  test('rejects a body over 64 KiB', async () => {
    const text = JSON.stringify({ ...body(), password: 'x'.repeat(66_000) });
    expectProblem(await sendRejected(method, path, text, {}), 'body_too_large');
  });
});

const members = endpoints.flatMap(([name, method, path, body]) =>
  name === 'removing the password'
    ? []
    : (name === 'signing in' ? ['username', 'password'] : ['password']).map(
        (member) => [member, name, method, path, body] as const,
      ),
);

describe.each(members)('the property `%s` for %s', (member, _, method, path, body) => {
  test('is required', async () => {
    const { [member]: _, ...rest } = body();
    expectProblem(await sendRejected(method, path, JSON.stringify(rest), {}), 'invalid_request', {
      errors: [{ path: member, message: 'this property is required' }],
    });
  });

  test.each([null, 12345678, true, ['a wet towel'], { a: 'wet towel' }])('cannot be %j', async (value) => {
    const text = JSON.stringify({ ...body(), [member]: value });
    expectProblem(await sendRejected(method, path, text, {}), 'invalid_request', {
      errors: [{ path: member, message: 'expected a string' }],
    });
  });

  test.each<[what: string, value: string, message: string]>([
    ['a NUL character', 'eight\0eight', 'NUL characters are not allowed'],
    ['half of a surrogate pair', 'eight\udd11eight', 'expected well-formed Unicode'],
  ])('cannot contain %s', async (_, value, message) => {
    const text = JSON.stringify({ ...body(), [member]: value });
    expectProblem(await sendRejected(method, path, text, {}), 'invalid_request', {
      errors: [{ path: member, message }],
    });
  });
});

test.each(endpoints.filter(([name]) => name !== 'signing in'))(
  '%s without a session is rejected before the body is read',
  async (_, method, path) => {
    // This body never ends, so an endpoint that reads it never responds.
    async function* never() {
      yield Buffer.from('{');
      await new Promise(() => {});
    }
    const answer = await send(service.url, path, { method, headers: json, body: never() });
    expectProblem(answer, 'not_authenticated');
  },
);

test('a request to remove the password is checked in this order: fresh authentication, the body, whether a password exists, whether it is the last credential', async () => {
  const person = await signUp(service);
  const { browser, signedUp } = person;
  const { sql } = service.database;
  const { passkey, session } = signedUp.body;
  const request = { type: 'text/plain', body: '{"a":1}' };
  const ask = () =>
    browser.request('DELETE', '/auth/password/remove', request.body, { 'Content-Type': request.type });
  await sql`update latchkey.sessions set authenticated_at = '2000-01-01' where id = ${session.id}`;
  expectProblem(await ask(), 'reauthentication_required');
  await sql`update latchkey.sessions set authenticated_at = latchkey.clock() where id = ${session.id}`;
  expectProblem(await ask(), 'unsupported_media_type');
  request.type = 'application/json';
  expectProblem(await ask(), 'invalid_request', {
    errors: [{ path: 'a', message: 'this property is unknown' }],
  });
  request.body = '{}';
  expectProblem(await ask(), 'not_found');
  await addPassword(browser);
  await browser.delete(`/auth/passkey/devices/${passkey.id}`);
  expectProblem(await ask(), 'last_credential');
  expect(await storedHash(service, person)).toMatch(/\$2b\$/);
});
