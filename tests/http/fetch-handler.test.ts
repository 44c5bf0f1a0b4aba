import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import {
  AuthError,
  type AuthService,
  type AuthServiceOptions,
  type FetchHandler,
  problemOf,
  problemResponse,
  toFetchHandler,
} from 'latchkey';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportPath, insertManyEvents } from '../features/support/activity.ts';
import { signUpAs } from '../features/support/authority.ts';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { limitedServices } from '../support/limited-services.ts';
import { logIn, newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import type { ServedApp } from '../support/serve.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { serveHandler } from './support/served-handler.ts';

let service: TestService;
let handler: FetchHandler;
beforeAll(async () => {
  service = await startTestService();
  handler = toFetchHandler(service.auth);
});
beforeEach(() => {
  service.logged.length = 0;
});
afterAll(() => service.close());

const running: ServedApp[] = [];
afterEach(async () => {
  for (const served of running.splice(0)) await served.close();
});

/** Serves a Hono app on a real HTTP server, and returns its URL. */
async function startHono(app: Hono<{ Bindings: HttpBindings }>): Promise<string> {
  const served = await serveHandler(getRequestListener(app.fetch));
  running.push(served);
  return served.url;
}

const url = 'http://127.0.0.1';
/** An agent that calls the handler without a server. */
const agentOf = (calling: FetchHandler): TestAgent =>
  createAgent(url, origin, new Map(), (input, init) => calling(new Request(input as string, init)));

const drivers: [name: string, open: () => Promise<TestAgent>][] = [
  ['without a server', async () => agentOf(handler)],
  [
    'in Hono on Node.js',
    async () => {
      const app = new Hono<{ Bindings: HttpBindings }>();
      app.all('/auth/*', (c) => handler(c.req.raw));
      return createAgent(await startHono(app), origin);
    },
  ],
];

describe.each(drivers)('%s, the handler', (_, open) => {
  test('serves every account operation', async () => {
    const { browser, authenticator, signedUp } = await signUp(service, { browser: await open() });
    const { passkey, user } = signedUp.body;
    expect((await browser.get('/auth/session')).body.user).toMatchObject(user);
    const renamed = await browser.patch(`/auth/passkey/devices/${passkey.id}`, { label: 'x' });
    expect(renamed.body.device.label).toBe('x');
    expectProblem(await browser.delete(`/auth/passkey/devices/${passkey.id}`), 'last_credential');
    const signedOut = await browser.delete('/auth/session');
    expect([signedOut.status, signedOut.body]).toEqual([204, null]);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expect((await logIn(browser, authenticator)).status).toBe(200);
  });

  test('rejects mutations from other sites', async () => {
    const foreign = { Origin: 'https://evil.example' };
    const answer = await (await open()).post('/auth/passkey/login/start', {}, foreign);
    expectProblem(answer, 'cross_origin_request');
  });

  test('rejects a body that is too large or is not JSON', async () => {
    const browser = await open();
    const post = (body: string, type = 'application/json') =>
      browser.request('POST', '/auth/passkey/register/start', body, { 'Content-Type': type });
    expectProblem(await post('x'.repeat(100_000)), 'body_too_large');
    expect((await post('{')).body.code).toBe('invalid_request');
    expect((await post('{"username":"a","username":"b"}')).body.code).toBe('invalid_request');
    expectProblem(await post('username=ada', 'text/plain'), 'unsupported_media_type');
  });

  test('answers an unknown path and an unknown method as the Koa router does', async () => {
    const browser = await open();
    expectProblem(await browser.get('/auth/nothing'), 'not_found');
    const refused = await browser.request('PUT', '/auth/session');
    expectProblem(refused, 'method_not_allowed');
    expect(refused.headers.get('Allow')).toBe('DELETE, GET, HEAD');
    const allowed = await browser.request('OPTIONS', '/auth/session');
    expect([allowed.status, allowed.headers.get('Allow')]).toEqual([204, 'DELETE, GET, HEAD']);
    const head = await browser.request('HEAD', '/auth/session');
    expect([head.status, head.body]).toEqual([401, null]);
  });
});

describe('the handler', () => {
  test('serves the well-known paths', async () => {
    const read = await handler(new Request(`${url}/.well-known/webauthn`));
    expect([read.status, await read.json()]).toEqual([200, { origins: [origin] }]);
    const head = await handler(new Request(`${url}/.well-known/jwks.json`, { method: 'HEAD' }));
    expect([head.status, head.body, head.headers.get('Cache-Control')]).toEqual([
      200,
      null,
      'public, max-age=60',
    ]);
    const redirect = await handler(new Request(`${url}/.well-known/change-password`));
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, `${origin}/settings/security`]);
  });

  test('serves another prefix', async () => {
    const other = toFetchHandler(service.auth, { prefix: '/api/auth' });
    expectProblem(await agentOf(other).get('/api/auth/session'), 'not_authenticated');
    expect((await other(new Request(`${url}/auth/session`))).status).toBe(404);
  });

  test.each(['/', '/authors', '/AUTH/session', '/.well-known/unknown', '/x/../authors', '//auth/session'])(
    'returns 404 as problem details for %s',
    async (path) => {
      const answer = await handler(new Request(`${url}${path}`));
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
      expect(await answer.json()).toMatchObject({ code: 'not_found' });
    },
  );

  test('does not read the body of a request that it refuses', async () => {
    let pulls = 0;
    const pull = () => {
      pulls += 1;
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const posted = new Request(`${url}/auth/organizations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect((await handler(posted)).status).toBe(401);
    expect([pulls, posted.bodyUsed]).toEqual([0, false]);
  });

  test('stops reading a body that is too large', async () => {
    let pulls = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          pulls += 1;
          controller.enqueue(new Uint8Array(10_000).fill(32));
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' };
    const answer = await handler(new Request(`${url}/auth/passkey/register/start`, init as RequestInit));
    expect(await answer.json()).toMatchObject({ code: 'body_too_large' });
    expect(answer.headers.get('Connection')).toBeNull();
    expect(pulls).toBeLessThan(30);
  });

  test('rejects a body whose stream fails', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' };
    const answer = await handler(new Request(`${url}/auth/passkey/register/start`, init as RequestInit));
    expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('says what to do if other code has read the body', async () => {
    const read = new Request(`${url}/auth/passkey/register/start`, { method: 'POST', body: '{}' });
    await read.json();
    await expect(handler(read)).rejects.toThrow(
      new TypeError(
        'toFetchHandler: the body of the request has been read. Call the handler before other code reads the body, or pass request.clone()',
      ),
    );
  });

  test('logs an unexpected error, and the response does not contain it', async () => {
    const { browser } = await signUp(service, { browser: agentOf(handler) });
    const { sql } = service.database;
    await sql`alter table latchkey.passkeys rename to mislaid`;
    const answer = await browser.get('/auth/passkey/devices');
    await sql`alter table latchkey.mislaid rename to passkeys`;
    expectProblem(answer, 'internal_error');
    expect(service.logged).toMatchObject([{ level: 'error', message: 'GET /auth/passkey/devices failed' }]);
  });
});

describe('an export of the audit log through the handler', () => {
  let superadmin: Person;
  beforeAll(async () => {
    superadmin = await signUpAs(service, 'superadmin');
    await insertManyEvents(service, 12_000, { at: `timestamptz '2001-01-01Z'`, bytes: 3000 });
  });

  const startExport = () =>
    handler(new Request(`${url}${exportPath}`, { headers: cookieHeader(superadmin.browser) }));

  test('is a stream: the service reads more events only as the client reads', async () => {
    service.statements.length = 0;
    const { status, headers, body } = await startExport();
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
    const reader = body?.getReader();
    await reader?.read();
    const early = service.statements.length;
    let bytes = 0;
    for (let piece = await reader?.read(); !piece?.done; piece = await reader?.read())
      bytes += piece?.value?.length ?? 0;
    expect(bytes).toBeGreaterThan(30_000_000);
    expect(service.statements.length).toBeGreaterThan(early + 5);
  });

  test('ends when the client disconnects, and then no longer counts as running', async () => {
    for (let n = 0; n < 5; n += 1) {
      const answer = await startExport();
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
    const [first, second, third] = [await startExport(), await startExport(), await startExport()];
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
    for (const { body } of [first, second]) await body?.cancel();
    await eventually(async () => {
      const { status, body } = await startExport();
      await body?.cancel();
      return status === 200;
    });
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('ends when a client of Hono closes the connection, and the log contains no error', async () => {
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.all('/auth/*', (c) => handler(c.req.raw));
    const honoUrl = await startHono(app);
    const open = async () => {
      const outgoing = request(`${honoUrl}${exportPath}`, {
        agent: false,
        headers: cookieHeader(superadmin.browser),
      }).end();
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const { statusCode } = incoming;
      incoming.destroy();
      return statusCode;
    };
    for (let n = 0; n < 4; n += 1) await eventually(async () => (await open()) === 200);
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the address of the client', () => {
  const limited = limitedServices();
  const startLimited = (options: AuthServiceOptions = {}): Promise<ServiceOn> =>
    limited.start(service, { rateLimits: { read: { address: { max: 2, seconds: 60 } } }, ...options });

  /** The statuses of requests that have these headers. */
  async function statusesOf(calling: FetchHandler, ...requests: Record<string, string>[]): Promise<number[]> {
    const statuses: number[] = [];
    for (const headers of requests) {
      const check = new Request(`${url}/auth/username/availability?username=${newUsername()}`, { headers });
      statuses.push((await calling(check)).status);
    }
    return statuses;
  }

  test('is required for the rate limits', async () => {
    const { auth } = await startLimited();
    expect(() => toFetchHandler(auth)).toThrow(
      new TypeError(
        'addressOf: expected a function that returns the IP address of the client, because a Request does not contain it, and the rate limits would count all users as one client. Behind a proxy that sets X-Forwarded-For, set trustedProxies of the service instead. Or turn the rate limits off with rateLimit: false',
      ),
    );
    expect(() => toFetchHandler(auth, { addressOf: '127.0.0.1' as never })).toThrow(
      'addressOf: expected a function that returns the IP address of the client',
    );
  });

  test('can come from addressOf if the service has rate limits, and each cookie of a response has its own header', async () => {
    const { auth } = await limited.start(service, {});
    const calling = toFetchHandler(auth, { addressOf: () => '203.0.113.1' });
    const { signedUp } = await signUp(service, { browser: agentOf(calling) });
    const names = signedUp.headers.getSetCookie().map((line) => line.split('=', 1)[0]);
    expect(names).toEqual(['latchkey', 'latchkey-device']);
  });

  test('comes from addressOf, and the rate limits count each address by itself', async () => {
    const { auth, logged } = await startLimited();
    const limitedHandler = toFetchHandler(auth, { addressOf: ({ headers }) => headers.get('test-address') });
    const [a, b] = [{ 'test-address': '203.0.113.1' }, { 'test-address': '2001:db8::1' }];
    expect(await statusesOf(limitedHandler, a, a, a, b, b, b, a)).toEqual([
      200, 200, 429, 200, 200, 429, 429,
    ]);
    // Without trusted proxies, a client cannot choose its address.
    expect(await statusesOf(limitedHandler, { ...a, 'X-Forwarded-For': '203.0.113.9' })).toEqual([429]);
    expect(logged.filter(({ message }) => message.startsWith('addressOf'))).toEqual([]);
  });

  test('is the same for all requests without a usable address, and the log contains one warning', async () => {
    const { auth, logged } = await startLimited();
    const given = [undefined, null, '', 'unknown', '203.0.113.1:443', '[2001:db8::1]', 7 as never];
    const limitedHandler = toFetchHandler(auth, { addressOf: () => given.shift() });
    const statuses = await statusesOf(limitedHandler, {}, {}, {}, {}, {}, {}, {});
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429]);
    expect(logged.filter(({ message }) => message.startsWith('addressOf'))).toEqual([
      {
        level: 'warn',
        fields: {},
        message:
          'addressOf returned no IP address, so the rate limits count all requests without an address as one client',
      },
    ]);
  });

  test('comes from X-Forwarded-For behind trusted proxies, without addressOf and without a warning', async () => {
    const { auth, logged } = await startLimited({ trustedProxies: 1 });
    const from = (ip: string) => ({ 'X-Forwarded-For': `198.51.100.7, ${ip}` });
    const [a, b] = [from('203.0.113.1'), from('203.0.113.2')];
    expect(await statusesOf(toFetchHandler(auth), a, a, a, b, b, b)).toEqual([200, 200, 429, 200, 200, 429]);
    expect(logged.filter(({ message }) => !message.startsWith('rate limit exceeded'))).toEqual([]);
  });

  test('reaches the audit log', async () => {
    const address = '203.0.113.44';
    await signUp(service, { browser: agentOf(toFetchHandler(service.auth, { addressOf: () => address })) });
    expect((await service.auditRows()).at(-1)).toMatchObject({ event: 'account.signup', ip: address });
  });

  test('can come from the context of Hono, which the handler passes on', async () => {
    const addressed = toFetchHandler(service.auth, {
      addressOf: (_request, c: Context) => getConnInfo(c).remote.address,
    });
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.all('/auth/*', (c) => addressed(c.req.raw, c));
    await signUp(service, { browser: createAgent(await startHono(app), origin) });
    expect((await service.auditRows()).at(-1)).toMatchObject({ event: 'account.signup', ip: '127.0.0.1' });
  });
});

describe('errors outside of the handler', () => {
  const startApp = (auth: AuthService) => {
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.onError((error) => problemResponse(error) ?? new Response('broken', { status: 500 }));
    app.get('/figures', async (c) => c.json(await auth.requireAccess(c.req.raw, { role: 'admin' })));
    app.get('/broken', () => {
      throw new Error('a secret of the app');
    });
    return startHono(app);
  };

  test('become problem details if they are an AuthError, and are left to the app otherwise', async () => {
    const appUrl = await startApp(service.auth);
    const [user, admin] = [await signUp(service), await signUpAs(service, 'admin')];
    const read = (headers: Record<string, string>) => send(appUrl, '/figures', { headers });
    for (const [headers, code] of [
      [{}, 'not_authenticated'],
      [cookieHeader(user.browser), 'forbidden'],
    ] as const) {
      const { status, body, headers: answered } = await read(headers);
      expect([status, body.code]).toEqual([code === 'forbidden' ? 403 : 401, code]);
      expect(answered).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
    expect((await read(cookieHeader(admin.browser))).body.user.username).toBe(admin.username);
    expect(await send(appUrl, '/broken')).toMatchObject({ status: 500, text: 'broken' });
  });

  test('keep the headers of the error, except Connection', async () => {
    const limits = new AuthError('rate_limited', { headers: { 'Retry-After': '7', Connection: 'close' } });
    const response = problemResponse(limits);
    expect([response?.status, response?.headers.get('Retry-After')]).toEqual([429, '7']);
    expect(response?.headers.get('Connection')).toBeNull();
    expect(await response?.json()).toEqual(problemOf(limits)?.body);
    expect(problemOf(limits)).toMatchObject({ status: 429, headers: { 'Retry-After': '7' } });
    expect(limits.headers).toEqual({ 'Retry-After': '7', Connection: 'close' });
    for (const other of [new Error('x'), null, undefined, { code: 'forbidden', status: 403 }])
      expect([problemOf(other), problemResponse(other)]).toEqual([null, null]);
  });
});
