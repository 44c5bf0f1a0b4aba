import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const post = (path: string, body: string): Promise<RawAnswer> =>
  send(service.url, `/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });

/** The body of a finished sign-up with these transports. */
const withTransports = (transports: unknown[]) =>
  JSON.stringify({
    credential: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports },
    },
  });
const registerVerify = '/passkey/register/verify';

describe('the number of values in a body', () => {
  /** The body around the list has nine values: objects, texts and the list itself. */
  const inBody = 9;

  test('can be 1,000, and not more', async () => {
    const most = await post(registerVerify, withTransports(Array(1000 - inBody).fill('usb')));
    expectProblem(most, 'invalid_request', {
      errors: [{ path: 'credential.response.transports', message: 'expected at most 16 transports' }],
    });
    const more = await post(registerVerify, withTransports(Array(1001 - inBody).fill('usb')));
    expectProblem(more, 'invalid_request', {
      errors: [{ path: '', message: 'expected at most 1000 values' }],
    });
  });

  test.each([
    ['32,000 numbers', `[${Array(32_000).fill(1).join()}]`],
    ['20,000 empty lists', `[${Array(20_000).fill('[]').join()}]`],
    ['5,000 properties', `{${Array.from({ length: 5_000 }, (_, n) => `"${n}":1`).join()}}`],
    ['1,200 values in nested lists', `[${Array(200).fill('[1,[2,[3]],{"a":4}]').join()}]`],
  ])('counts %s, wherever they are', async (_, text) => {
    for (const body of [text, `{"username":${text}}`, `{"a":{"b":[${text}]}}`])
      expectProblem(await post('/passkey/login/start', body), 'invalid_request', {
        errors: [{ path: '', message: 'expected at most 1000 values' }],
      });
  });

  test('is checked even if the last of 5,000 properties is a duplicate', async () => {
    const body = `{${Array.from({ length: 5_000 }, (_, n) => `"${n}":1`).join()},"4999":2}`;
    expectProblem(await post('/passkey/login/start', body), 'invalid_request', {
      errors: [{ path: '', message: 'expected at most 1000 values' }],
    });
  });

  test('is checked before any of the values', async () => {
    const values = `["\\u0000",${Array(2000).fill('1').join()}]`;
    expectProblem(await post('/passkey/login/start', values), 'invalid_request', {
      errors: [{ path: '', message: 'expected at most 1000 values' }],
    });
  });

  test('is limited in the query as well', async () => {
    const check = (values: number) =>
      send(service.url, `/auth/username/availability?${Array(values).fill('a=1').join('&')}`);
    const { errors } = (await check(997)).body;
    expect(errors).toContainEqual({ path: 'a', message: 'this property is unknown' });
    for (const values of [1000, 3000])
      expectProblem(await check(values), 'invalid_request', {
        errors: [{ path: '', message: 'expected at most 1000 values' }],
      });
  });
});

describe('the response to an invalid request', () => {
  test('lists the first 20 faults', async () => {
    const answer = await post(registerVerify, withTransports(Array(900).fill(5)));
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(20);
    expect(answer.body.errors[19]).toEqual({
      path: 'credential.response.transports.19',
      message: expect.any(String),
    });
  });

  const long = 'n'.repeat(60_000);
  const shown = `${'n'.repeat(100)}…`;
  test.each([
    ['an unknown property', `{"${long}":1}`, shown, 'this property is unknown'],
    ['a nested NUL', `{"${long}":{"${long}":"\\u0000"}}`.replace(long, 'n'), `n.${'n'.repeat(98)}…`, /NUL/],
    ['a duplicate key', `{"${long.slice(3e4)}":1,"${long.slice(3e4)}":2}`, '', `duplicate key "${shown}"`],
    ['a forbidden key', `{"${long}\\ud800":1}`, '', `the key "${shown}" is not allowed`],
  ])('shortens the name of %s to 100 characters', async (_, body, path, message) => {
    expectProblem(await post('/passkey/login/start', body), 'invalid_request', {
      errors: [{ path, message: typeof message === 'string' ? message : expect.stringMatching(message) }],
    });
  });

  test('does not cut a surrogate pair', async () => {
    const answer = await post('/passkey/login/start', `{"${'n'.repeat(99)}${'😀'.repeat(100)}":1}`);
    expect(answer.body.errors[0].path).toBe(`${'n'.repeat(99)}…`);
  });
});
