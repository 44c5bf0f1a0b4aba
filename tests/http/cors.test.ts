import { Router } from '@koa/router';
import Koa from 'koa';
import {
  type AuthRouterOptions,
  type AuthService,
  createAuthRouter,
  createCors,
  requireSession,
} from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitedServices } from '../support/limited-services.ts';
import { signUp } from '../support/person.ts';
import { send } from '../support/raw-request.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

// This version of Koa has no types of its own. For these tests, the types of Koa 3 fit.
const { default: Koa2 } = (await import('koa2' as string)) as { default: typeof Koa };

const page = 'http://localhost:5173';
const androidApp = `android:apk-key-hash:${'A'.repeat(43)}`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ origins: [origin, page, androidApp] }, undefined, { cors: true });
});
afterAll(() => service.close());

const limits = limitedServices();

let served: ServedApp | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

function appWith(auth: AuthService, options: AuthRouterOptions = {}): Koa {
  const app = new Koa();
  app.use(createAuthRouter(auth, options).routes());
  return app;
}

type Headers = Record<string, string | string[] | undefined>;

const corsOf = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const exposed =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Content-Disposition';

const allowed = (from: string) => ({
  'access-control-allow-origin': from,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposed,
});

const preflight = (url: string, path: string, from: string, asked = 'content-type,x-app') =>
  send(url, path, {
    method: 'OPTIONS',
    headers: {
      Origin: from,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': asked,
    },
  });

describe('with `cors: true`, the router', () => {
  test.each([origin, page])('lets the page %s read responses, with credentials', async (from) => {
    const answer = await send(service.url, '/auth/session?optional', { headers: { Origin: from } });
    expect(answer.body).toEqual({ user: null });
    expect(corsOf(answer.headers)).toEqual(allowed(from));
    expect(answer.headers.vary).toBe('Origin');
  });

  test.each([
    'https://evil.example',
    'http://localhost:5174',
    'null',
    `${page}/`,
    `${page}.evil.example`,
    androidApp,
    '*',
  ])('sends no CORS header to the page %s', async (from) => {
    const answer = await send(service.url, '/auth/session?optional', { headers: { Origin: from } });
    expect([answer.status, corsOf(answer.headers), answer.headers.vary]).toEqual([200, {}, 'Origin']);
    const asked = await preflight(service.url, '/auth/passkey/login/start', from);
    expect([asked.status, corsOf(asked.headers)]).toEqual([204, {}]);
  });

  test('sends `Vary: Origin` even if the request has no Origin', async () => {
    const answer = await send(service.url, '/auth/session?optional');
    expect([corsOf(answer.headers), answer.headers.vary]).toEqual([{}, 'Origin']);
  });

  test('answers the preflight of a configured origin', async () => {
    const answer = await preflight(service.url, '/auth/passkey/login/start', page);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(corsOf(answer.headers)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'content-type,x-app',
      'access-control-max-age': '600',
    });
    expect(answer.headers.vary).toBe('Origin, Access-Control-Request-Headers');
  });

  test('counts no preflight against a rate limit', async () => {
    const instance = await limits.start(service, {
      origins: [origin, page],
      rateLimits: { read: { address: { max: 1, seconds: 60 } } },
    });
    served = await serve(appWith(instance.auth, { cors: true }));
    for (let n = 0; n < 3; n += 1)
      expect((await preflight(served.url, '/auth/session', page)).status).toBe(204);
    const read = await send(served.url, '/auth/session?optional', { headers: { Origin: page } });
    expect([read.status, read.headers['ratelimit-limit']]).toEqual([200, '1']);
  });

  test.each(['x'.repeat(1001), 'a:b', 'a\tb'])(
    'allows no headers if the preflight asks for %j',
    async (asked) => {
      const answer = await preflight(service.url, '/auth/session', page, asked);
      expect(answer.headers['access-control-allow-headers']).toBeUndefined();
    },
  );

  test('sends the CORS headers with errors', async () => {
    const answers = await Promise.all([
      send(service.url, '/auth/session', { headers: { Origin: page } }),
      send(service.url, '/auth/nothing', { headers: { Origin: page } }),
      send(service.url, '/auth/session', { method: 'PATCH', headers: { Origin: page } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 405]);
    for (const { headers } of answers) expect(corsOf(headers)).toEqual(allowed(page));
  });

  test('sends the CORS headers with 429, with the exposed `Retry-After`', async () => {
    const instance = await limits.start(service, {
      origins: [origin, page],
      rateLimits: { read: { address: { max: 1, seconds: 60 } } },
    });
    served = await serve(appWith(instance.auth, { cors: true }));
    const ask = () => send(`${served?.url}`, '/auth/session?optional', { headers: { Origin: page } });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, corsOf(refused.headers)]).toEqual([429, allowed(page)]);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });
});

test('without `cors`, the router sends no CORS header', async () => {
  served = await serve(appWith(service.auth));
  const answer = await send(served.url, '/auth/session?optional', { headers: { Origin: page } });
  expect([corsOf(answer.headers), answer.headers.vary]).toEqual([{}, undefined]);
  expect(corsOf((await preflight(served.url, '/auth/session', page)).headers)).toEqual({});
});

test('a value of `cors` that is not a boolean causes a TypeError', () => {
  expect(() => createAuthRouter(service.auth, { cors: '*' as never })).toThrow(
    new TypeError('cors: expected true or false, not *'),
  );
});

describe.each([
  ['Koa 3', Koa],
  ['Koa 2.16', Koa2],
])('in %s, createCors', (_, Framework) => {
  const shared = Object.assign(new Error('shared'), { status: 503, headers: { 'X-Own': 'kept' } });

  async function start(): Promise<string> {
    const app = new Framework();
    app.silent = true;
    const router = new Router();
    router.get('/orders', requireSession(service.auth), (ctx) => {
      ctx.body = 'orders';
    });
    router.get('/broken', () => {
      throw shared;
    });
    app.use(createCors(service.auth)).use(router.routes());
    served = await serve(app);
    return served.url;
  }

  test('lets a configured origin call a guarded route of the application', async () => {
    const url = await start();
    const { browser } = await signUp(service);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await send(url, '/orders', { headers: { Origin: page, Cookie: cookie } });
    expect([answer.status, answer.text, corsOf(answer.headers)]).toEqual([200, 'orders', allowed(page)]);
    expect((await preflight(url, '/orders', page)).headers['access-control-allow-origin']).toBe(page);
  });

  test('sends the CORS headers with an uncaught error, and does not change the error object', async () => {
    const url = await start();
    const refused = await send(url, '/orders', { headers: { Origin: page } });
    expect([refused.status, corsOf(refused.headers), refused.headers.vary]).toEqual([
      401,
      allowed(page),
      'Origin',
    ]);
    const broken = await send(url, '/broken', { headers: { Origin: page } });
    expect([broken.status, corsOf(broken.headers), broken.headers['x-own']]).toEqual([
      503,
      allowed(page),
      'kept',
    ]);
    expect(shared.headers).toEqual({ 'X-Own': 'kept' });
    const other = await send(url, '/broken', { headers: { Origin: 'https://evil.example' } });
    expect([other.status, corsOf(other.headers), other.headers.vary]).toEqual([503, {}, 'Origin']);
  });
});
