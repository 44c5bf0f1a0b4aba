import { AuthError, type ErrorCode } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const wrongOrigin = { clientData: { origin: 'https://evil.example' } };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const start = (username: string, browser: TestAgent = service.browser()) =>
  browser.post('/auth/passkey/register/start', { username });

/** Renames a table so that the service fails with an unexpected error. */
async function withoutPasskeys(act: () => Promise<Answer>): Promise<Answer> {
  await service.database.sql`alter table latchkey.passkeys rename to mislaid`;
  try {
    return await act();
  } finally {
    await service.database.sql`alter table latchkey.mislaid rename to passkeys`;
  }
}

describe('the error response is a problem details object for', () => {
  const errors: [ErrorCode, () => Promise<Answer>, members?: object][] = [
    [
      'invalid_request',
      () => service.browser().post('/auth/passkey/register/start', { username: 5 }),
      { errors: [{ path: 'username', message: 'expected a string' }] },
    ],
    ['username_unacceptable', () => start('!'), { reason: 'invalid' }],
    [
      'registration_failed',
      async () => {
        const browser = service.browser();
        const credential = await newAuthenticator().create(await signUpStart(browser), wrongOrigin);
        return browser.post('/auth/passkey/register/verify', { credential });
      },
    ],
    ['not_authenticated', () => service.browser().get('/auth/session')],
    [
      'authentication_failed',
      async () => {
        const { browser, authenticator } = await signUp(service);
        return logIn(browser, authenticator, { tamper: wrongOrigin });
      },
    ],
    [
      'cross_origin_request',
      () => service.browser().delete('/auth/session', { Origin: 'https://evil.example' }),
    ],
    [
      'recovery_session',
      async () => {
        const { browser, signedUp } = await signUp(service);
        await service.database.sql`
          update latchkey.sessions set kind = 'recovery' where id = ${signedUp.body.session.id}`;
        return browser.get('/auth/sessions');
      },
    ],
    [
      'reauthentication_required',
      async () => {
        const { browser } = await signUp(service);
        await service.turnClock({ minutes: 11 });
        return browser.post('/auth/passkey/devices/add', {});
      },
    ],
    ['not_found', () => service.browser().get('/auth/nothing')],
    ['method_not_allowed', () => service.browser().post('/auth/session')],
    [
      'username_taken',
      async () => {
        const username = newUsername();
        await signUp(service, { username });
        return start(username);
      },
    ],
    [
      'passkey_already_registered',
      async () => {
        const { browser, authenticator } = await signUp(service);
        const credentialId = Buffer.from(authenticator.credentials[0]?.id ?? '', 'base64url');
        return addPasskey(browser, newAuthenticator(), { tamper: { credentialId } });
      },
    ],
    [
      'last_credential',
      async () => {
        const { browser, signedUp } = await signUp(service);
        return browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
      },
    ],
    ['body_too_large', () => start('x'.repeat(70_000))],
    [
      'unsupported_media_type',
      () => service.browser().request('POST', '/auth/passkey/login/start', 'username=anna'),
    ],
    [
      'internal_error',
      async () => {
        const { browser } = await signUp(service);
        return withoutPasskeys(() => browser.get('/auth/passkey/devices'));
      },
    ],
  ];
  test.each(errors)('%s', async (code, act, members) => {
    expectProblem(await act(), code, members);
  });

  test('unavailable, with Retry-After', async () => {
    let gone = false;
    const instance = await startSecondInstance(service, {}, () => {
      if (gone) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    gone = true;
    const answer = await start(newUsername(), instance.browser());
    expectProblem(answer, 'unavailable');
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    gone = false;
    expect((await start(newUsername(), instance.browser())).status).toBe(200);
    await instance.close();
  });
});

describe('an unexpected error', () => {
  test('is emitted once on the app with its cause, and is not shown to the client', async () => {
    const { browser } = await signUp(service);
    const emitted: unknown[][] = [];
    const listener = (...event: unknown[]) => emitted.push(event);
    service.app.on('error', listener);
    service.logged.length = 0;
    const answer = await withoutPasskeys(() => browser.get('/auth/passkey/devices'));
    service.app.off('error', listener);

    expectProblem(answer, 'internal_error');
    const cause = expect.objectContaining({ message: 'relation "latchkey.passkeys" does not exist' });
    expect(emitted).toEqual([[cause, expect.anything()]]);
    expect(emitted[0]?.[0]).not.toBeInstanceOf(AuthError);
    expect(emitted[0]?.[1]).toMatchObject({ state: { requestId: answer.headers.get('X-Request-Id') } });
    // The app logs emitted errors, so the service must not log them too.
    expect(service.logged).toEqual([]);
  });

  test('is different from a rejected request, which emits no error and is logged only if it is cross-origin', async () => {
    const emitted: unknown[] = [];
    const listener = (error: unknown) => emitted.push(error);
    service.app.on('error', listener);
    service.logged.length = 0;
    await start('!');
    await service.browser().get('/auth/session');
    await service.browser().get('/auth/nothing');
    expect(service.logged).toEqual([]);
    await service.browser().delete('/auth/session', { Origin: 'https://evil.example' });
    service.app.off('error', listener);
    expect(emitted).toEqual([]);
    expect(service.logged).toMatchObject([{ level: 'warn' }]);
  });
});

describe('every response', () => {
  test.each([
    ['a request for the session', 200, (browser: TestAgent) => browser.get('/auth/session')],
    ['a request for a list', 200, (browser: TestAgent) => browser.get('/auth/passkey/devices')],
    [
      'a request for WebAuthn options',
      200,
      (browser: TestAgent) => browser.post('/auth/passkey/login/start', {}),
    ],
    ['a request that returns no content', 204, (browser: TestAgent) => browser.delete('/auth/session')],
    ['a HEAD request', 200, (browser: TestAgent) => browser.request('HEAD', '/auth/session')],
    ['an OPTIONS request', 204, (browser: TestAgent) => browser.request('OPTIONS', '/auth/session')],
    ['a request for an unknown path', 404, (browser: TestAgent) => browser.get('/auth/nothing')],
    ['a request for the prefix', 404, (browser: TestAgent) => browser.get('/auth')],
    ['a request for the prefix with a slash', 404, (browser: TestAgent) => browser.get('/auth/')],
    ['a request with a wrong method', 405, (browser: TestAgent) => browser.patch('/auth/session', {})],
  ])('forbids caching and content sniffing after %s (%i)', async (_, status, act) => {
    const { browser } = await signUp(service);
    const answer = await act(browser);
    expect(answer.status).toBe(status);
    expectUncached(answer);
  });

  test('has its own request id', async () => {
    const ids = new Set<string | null>();
    for (let request = 0; request < 5; request += 1) {
      ids.add(
        (await service.browser().get('/auth/session', { 'X-Request-Id': 'mine' })).headers.get(
          'X-Request-Id',
        ),
      );
    }
    expect(ids.size).toBe(5);
    expect(ids).not.toContain('mine');
  });
});

describe('paths:', () => {
  test.each([
    '/auth/session/',
    '/auth/SESSION',
    '/auth/Session',
    '/auth//session',
    '/auth/session//',
    '/auth/./session/..',
    '/auth/se%73sion',
    '/auth/session%2f',
    '/auth/session;a=b',
    '/auth/session.json',
    '/auth/%E0%A4%A',
    '/auth/passkey',
    '/auth/passkey/devices/',
    `/auth/passkey/devices/${unknownId}/more`,
    '/auth/constructor',
    '/auth/__proto__',
  ])('%s returns 404 for every method', async (path) => {
    const { cookies } = (await signUp(service)).browser;
    const Cookie = `latchkey=${cookies.get('latchkey')}`;
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expectProblem(await send(service.url, path, { method, headers: { Cookie } }), 'not_found');
    }
  });

  test.each(['/AUTH/session', '/Auth/session', '//auth/session', '/authentic', '/', '/xauth/session'])(
    '%s is outside the prefix, so the app handles it',
    async (path) => {
      const answer = await send(service.url, path, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
      expect([answer.status, answer.text]).toEqual([404, 'Not Found']);
      expect(Object.keys(answer.headers)).not.toContain('cache-control');
      expect(Object.keys(answer.headers)).not.toContain('x-request-id');
    },
  );

  test('a query does not change which route handles the request', async () => {
    expectProblem(await send(service.url, '/auth/session?x=/auth/nothing'), 'not_authenticated');
  });
});

describe('methods:', () => {
  const paths: [path: string, allow: string][] = [
    ['/auth/session', 'DELETE, GET, HEAD'],
    ['/auth/sessions', 'DELETE, GET, HEAD'],
    [`/auth/sessions/${unknownId}`, 'DELETE'],
    ['/auth/username/availability', 'GET, HEAD, POST'],
    ['/auth/passkey/register/start', 'POST'],
    ['/auth/passkey/register/verify', 'POST'],
    ['/auth/passkey/login/start', 'POST'],
    ['/auth/passkey/login/verify', 'POST'],
    ['/auth/passkey/stepup/start', 'POST'],
    ['/auth/passkey/stepup/verify', 'POST'],
    ['/auth/passkey/devices', 'GET, HEAD'],
    [`/auth/passkey/devices/${unknownId}`, 'DELETE, PATCH'],
  ];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

  test.each(paths)('%s allows only %s', async (path, allow) => {
    for (const method of methods) {
      if (allow.split(', ').includes(method)) continue;
      const answer = await send(service.url, path, { method });
      expect(answer.headers.allow).toBe(allow);
      if (method === 'HEAD') expect([answer.status, answer.text]).toEqual([405, '']);
      else expectProblem(answer, 'method_not_allowed');
    }
  });

  test.each(paths)('OPTIONS %s returns Allow: %s and no CORS headers', async (path, allow) => {
    const answer = await send(service.url, path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' },
    });
    expect([answer.status, answer.text, answer.headers.allow]).toEqual([204, '', allow]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD returns the same headers as GET, without the body', async () => {
    const { browser } = await signUp(service);
    const [head, get] = [await browser.request('HEAD', '/auth/session'), await browser.get('/auth/session')];
    expect([head.status, head.body]).toEqual([200, null]);
    expect(head.headers.get('Content-Length')).toBe(get.headers.get('Content-Length'));
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
    expect((await service.browser().request('HEAD', '/auth/session')).status).toBe(401);
  });

  test.each([
    ['X-HTTP-Method-Override', ''],
    ['X-HTTP-Method', ''],
    ['X-Method-Override', ''],
    ['a _method in the query', '?_method=DELETE'],
  ])('a method cannot be overridden with %s', async (name, query) => {
    const { browser } = await signUp(service);
    const headers: Record<string, string> = query ? {} : { [name]: 'DELETE' };
    expectProblem(await browser.post(`/auth/session${query}`, {}, headers), 'method_not_allowed');
    expect((await browser.get(`/auth/session${query}`, headers)).status).toBe(200);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });
});
