import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  AuthError,
  type AuthRouterOptions,
  type AuthService,
  createAuthRouter,
  type GuardedState,
  requireFresh,
  requireSession,
} from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { logIn, newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

// This version of Koa has no types of its own. For these tests, the types of Koa 3 fit.
const { default: Koa2 } = (await import('koa2' as string)) as { default: typeof Koa };
const json = { 'Content-Type': 'application/json' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const running: ServedApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

/** Starts an application with the given middleware and returns its URL. */
async function start(Framework: typeof Koa, mount: (app: Koa) => void): Promise<string> {
  const app = new Framework();
  app.silent = true;
  mount(app);
  const served = await serve(app);
  running.push(served);
  return served.url;
}

const auth = (options?: AuthRouterOptions) => createAuthRouter(service.auth, options).routes();
const browserAt = (url: string, cookies?: ReadonlyMap<string, string>): TestAgent =>
  createAgent(url, origin, new Map(cookies));
const signUpAt = (url: string) => signUp({ ...service, url }, { browser: browserAt(url) });

describe.each([
  ['Koa 3', Koa],
  ['Koa 2.16', Koa2],
] as const)('in %s', (_, Framework) => {
  test.each([
    ['without other middleware', () => {}],
    ['behind koa-bodyparser', (app: Koa) => app.use(bodyParser())],
    [
      'behind koa-bodyparser with every type enabled',
      (app: Koa) =>
        app.use(
          bodyParser({ enableTypes: ['json', 'form', 'text', 'xml'], jsonLimit: '10mb', strict: false }),
        ),
    ],
  ] as const)('every account operation works %s', async (__, before) => {
    const url = await start(Framework, (app) => {
      before(app);
      app.use(auth());
    });
    const { browser, authenticator, signedUp } = await signUpAt(url);
    expect((await browser.get('/auth/session')).body.user.username).toBe(signedUp.body.user.username);
    const { id } = signedUp.body.passkey;
    const renamed = await browser.patch(`/auth/passkey/devices/${id}`, { label: 'x' });
    expect(renamed.body.device.label).toBe('x');
    expectProblem(await browser.delete(`/auth/passkey/devices/${id}`), 'last_credential');
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await logIn(browser, authenticator)).status).toBe(200);
    expect((await browser.delete('/auth/sessions')).body).toEqual({ ended: 0 });
    expectProblem(await browser.get('/auth/nothing'), 'not_found');
  });

  test('the router handles only its own errors, and the app handles the errors of the app', async () => {
    const met: unknown[] = [];
    const emitted: unknown[] = [];
    const teapot = Object.assign(new Error('the app failed'), { status: 418 });
    const url = await start(Framework, (app) => {
      app.on('error', (error) => emitted.push(error));
      app.use(async (ctx: Context, next: Next) => {
        try {
          await next();
        } catch (error) {
          met.push(error);
          ctx.status = 418;
          ctx.body = 'handled by the app';
        }
      });
      app.use(auth());
      app.use((ctx: Context) => {
        if (ctx.path.endsWith('/broken')) throw teapot;
      });
    });
    const browser = browserAt(url);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expectProblem(await browser.get('/auth/nothing'), 'not_found');
    expectProblem(await browser.post('/auth/session'), 'method_not_allowed');
    expectProblem(
      await browser.delete('/auth/session', { Origin: 'https://evil.example' }),
      'cross_origin_request',
    );
    expectProblem(
      await browser.post('/auth/passkey/register/start', { username: '!' }),
      'username_unacceptable',
      {
        reason: 'invalid',
      },
    );
    expect([met, emitted]).toEqual([[], []]);

    for (const path of ['/broken', '/auth/broken']) {
      const answer = await browser.get(path);
      expect([answer.status, answer.body]).toEqual([418, 'handled by the app']);
    }
    expect(met).toEqual([teapot, teapot]);
    expect(emitted).toEqual([]);
  });

  test('Koa responds as usual to errors that the app does not handle', async () => {
    const emitted: unknown[] = [];
    const url = await start(Framework, (app) => {
      app.on('error', (error) => emitted.push(error));
      app.use(auth());
      app.use((ctx: Context) => {
        if (ctx.path === '/auth/gone') ctx.throw(410, 'long gone');
        if (ctx.path === '/auth/broken') throw new Error('a secret of the app');
      });
    });
    const gone = await send(url, '/auth/gone');
    expect([gone.status, gone.text, gone.headers['content-type']]).toEqual([
      410,
      'long gone',
      'text/plain; charset=utf-8',
    ]);
    const broken = await send(url, '/auth/broken');
    expect([broken.status, broken.text]).toEqual([500, 'Internal Server Error']);
    expect(emitted.map((error) => (error as Error).message)).toEqual(['long gone', 'a secret of the app']);
  });

  test('an unexpected error of the router is emitted on the app, and the response contains no stack trace', async () => {
    const met: unknown[] = [];
    const emitted: unknown[] = [];
    const url = await start(Framework, (app) => {
      app.on('error', (error) => emitted.push(error));
      app.use((_ctx: Context, next: Next) => next().catch((error: unknown) => met.push(error)));
      app.use(auth());
    });
    const { browser } = await signUpAt(url);
    const { sql } = service.database;
    await sql`alter table latchkey.passkeys rename to mislaid`;
    const answer = await browser.get('/auth/passkey/devices');
    await sql`alter table latchkey.mislaid rename to passkeys`;
    expectProblem(answer, 'internal_error');
    expect(emitted).toEqual([
      expect.objectContaining({ message: expect.stringContaining('does not exist') }),
    ]);
    expect(met).toEqual([]);
  });

  test('guards in the app set ctx.state.auth or throw an error with a status and a code', async () => {
    const states: unknown[] = [];
    const url = await start(Framework, (app) => {
      const router = new Router<GuardedState>();
      const note = (ctx: Context) => {
        states.push(ctx.state.auth);
        ctx.body = 'done';
      };
      router.get('/orders', requireSession(service.auth), note);
      router.post('/orders', requireFresh(service.auth), note);
      app.use(auth());
      app.use(router.routes());
    });
    const stranger = browserAt(url);
    for (const answer of [await stranger.get('/orders'), await stranger.post('/orders')]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated']);
    }

    const { browser, signedUp } = await signUpAt(url);
    const { user, session } = signedUp.body;
    expect((await browser.get('/orders')).body).toBe('done');
    expect((await browser.post('/orders')).body).toBe('done');
    expect(states).toEqual([
      { user, session },
      { user, session },
    ]);

    await service.turnClock({ minutes: 11 });
    expect((await browser.get('/orders')).status).toBe(200);
    const stale = await browser.post('/orders');
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required']);

    await service.database.sql`update latchkey.sessions set kind = 'recovery' where id = ${session.id}`;
    const recovering = await browser.get('/orders');
    expect([recovering.status, recovering.body.code]).toEqual([403, 'recovery_session']);

    await service.database.sql`update latchkey.users set status = 'disabled' where id = ${user.id}`;
    expect((await browser.get('/orders')).status).toBe(401);
    expect(states).toHaveLength(3);
  });

  test('an error handler of the app receives the AuthError of a guard', async () => {
    const met: unknown[] = [];
    const url = await start(Framework, (app) => {
      app.use((_ctx: Context, next: Next) => next().catch((error: unknown) => met.push(error)));
      app.use(requireSession(service.auth));
    });
    await send(url, '/');
    expect(met).toEqual([expect.any(AuthError)]);
    expect(met[0]).toMatchObject({ code: 'not_authenticated', status: 401, expose: true });
  });

  test('routes of the app keep working inside and outside the prefix, before and after the router', async () => {
    const url = await start(Framework, (app) => {
      const before = new Router();
      before.get('/auth/early', (ctx) => {
        ctx.body = 'early';
      });
      const after = new Router();
      after.get('/', (ctx) => {
        ctx.body = 'home';
      });
      after.post('/auth/late', (ctx) => {
        ctx.body = 'late';
      });
      after.get('/auth/empty', (ctx) => {
        ctx.status = 204;
      });
      after.get('/auth/session', (ctx) => {
        ctx.body = 'never reached';
      });
      after.post('/authors', (ctx) => {
        ctx.body = 'authors';
      });
      app.use(before.routes()).use(auth()).use(after.routes());
    });
    const browser = browserAt(url);
    expect((await browser.get('/')).body).toBe('home');
    expect((await browser.get('/auth/early')).body).toBe('early');
    expect((await browser.post('/auth/late')).body).toBe('late');
    expect((await browser.get('/auth/empty')).status).toBe(204);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expectProblem(await browser.get('/auth/late'), 'not_found');
    const elsewhere = await browser.post('/authors', undefined, { Origin: 'https://evil.example' });
    expect(elsewhere.body).toBe('authors');
    expect(elsewhere.headers.get('Cache-Control')).toBeNull();
    expect(elsewhere.headers.get('X-Request-Id')).toBeNull();
  });

  test('the router handles every method of its own paths, and the app handles all other paths', async () => {
    const url = await start(Framework, (app) => {
      app.use(auth());
      app.use((ctx: Context) => {
        ctx.body = `${ctx.method} ${ctx.path} of the app`;
      });
    });
    const browser = browserAt(url);
    for (const method of ['PUT', 'POST', 'PATCH', 'TRACE']) {
      const answer = await send(url, '/auth/session', { method });
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.allow).toBe('DELETE, GET, HEAD');
    }
    const wrong = await browser.get('/auth/passkey/login/start');
    expectProblem(wrong, 'method_not_allowed');
    expect(wrong.headers.get('Allow')).toBe('POST');
    const options = await browser.request('OPTIONS', '/auth/session');
    expect([options.status, options.body]).toEqual([204, null]);
    expect(options.headers.get('Allow')).toBe('DELETE, GET, HEAD');

    for (const path of ['/auth/nothing', '/auth', '/auth/session/', '/auth/passkey/devices/1/more']) {
      expect((await browser.get(path)).body).toBe(`GET ${path} of the app`);
      expect((await browser.post(path)).body).toBe(`POST ${path} of the app`);
    }
  });

  test('guards in the app reject cross-site requests before the handler runs', async () => {
    const reached: string[] = [];
    const url = await start(Framework, (app) => {
      const router = new Router<GuardedState>();
      for (const [path, guard] of [
        ['/orders', requireSession(service.auth)],
        ['/payments', requireFresh(service.auth)],
      ] as const) {
        router.all(path, guard, (ctx) => {
          reached.push(`${ctx.method} ${path}`);
          ctx.body = ctx.state.auth.user.username;
        });
      }
      app.use(auth()).use(router.routes());
    });
    const { browser, username } = await signUpAt(url);
    for (const path of ['/orders', '/payments']) {
      for (const headers of [
        { Origin: 'https://evil.example' },
        // The agent sends the configured origin unless a test overrides it.
        { 'Sec-Fetch-Site': 'cross-site', Origin: '' },
        { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:3001' },
      ] as Record<string, string>[]) {
        const answer = await browser.post(path, {}, headers);
        expect([answer.status, answer.body.code]).toEqual([403, 'cross_origin_request']);
        expect((await browser.get(path, headers)).status).toBe(200);
      }
      expect(reached.splice(0)).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
      for (const headers of [{}, { 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }] as Record<
        string,
        string
      >[]) {
        expect((await browser.post(path, {}, headers)).body).toBe(username);
      }
      reached.length = 0;
    }
  });
});

describe('behind koa-bodyparser', () => {
  const startParsing = () =>
    start(Koa, (app) => {
      app.use(
        bodyParser({ enableTypes: ['json', 'form', 'text', 'xml'], jsonLimit: '10mb', formLimit: '10mb' }),
      );
      app.use(auth());
    });
  const post = async (type: string, body: string) => {
    const url = await startParsing();
    return send(url, '/auth/passkey/login/start', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
  };
  const errors = [{ path: expect.any(String), message: expect.any(String) }];

  test('the router uses the parsed body', async () => {
    expect((await post('application/json', '{"username":"anna"}')).status).toBe(200);
    const unknown = await post('application/json', '{"username":"anna","x":1}');
    expectProblem(unknown, 'invalid_request', {
      errors: [{ path: 'x', message: 'this property is unknown' }],
    });
  });

  test.each([
    ['text/plain', '{"username":"anna"}'],
    ['application/x-www-form-urlencoded', 'username=anna'],
    ['text/xml', '<username>anna</username>'],
    ['application/vnd.api+json', '{"username":"anna"}'],
  ])('a body of the media type %s is rejected', async (type, body) => {
    expectProblem(await post(type, body), 'unsupported_media_type');
  });

  test('an empty body is read as an empty object', async () => {
    expect((await post('application/json', '')).status).toBe(200);
    expect((await post('text/plain', '')).status).toBe(200);
  });

  test.each([
    ['a duplicate key', '{"username":"anna","username":"berta"}'],
    ['constructor', '{"constructor":{"prototype":{"role":"superadmin"}}}'],
    ['NUL', '{"username":"a\\u0000b"}'],
    ['a lone surrogate', '{"username":"a\\ud800b"}'],
    ['a number over 2^53', '{"username":9007199254740993}'],
    ['a list instead of an object', '[]'],
    ['10,000 nested levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('JSON with %s is rejected', async (_, body) => {
    expectProblem(await post('application/json', body), 'invalid_request', { errors });
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('koa-bodyparser rejects __proto__', async () => {
    expect((await post('application/json', '{"__proto__":{"role":"superadmin"}}')).status).toBe(400);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('a body of more than 64 KiB is rejected', async () => {
    const body = (bytes: number) => `{"username":"anna"${' '.repeat(bytes - 19)}}`;
    expect((await post('application/json', body(64 * 1024))).status).toBe(200);
    expectProblem(await post('application/json', body(64 * 1024 + 1)), 'body_too_large');
  });
});

describe('behind a body parser that does not keep the raw text', () => {
  test.each([
    ['an object', { username: 'anna' }, 200],
    ['null', null, 400],
    ['a string', 'username', 400],
    ['a list', [], 400],
    ['a forbidden key', JSON.parse('{"__proto__":{"role":"admin"}}'), 400],
  ])('with %s as the parsed body (%j), the status is %i', async (_, body, status) => {
    const url = await start(Koa, (app) => {
      app.use((ctx: Context, next: Next) => {
        (ctx.request as { body?: unknown }).body = body;
        ctx.req.resume();
        return next();
      });
      app.use(auth());
    });
    const request = { method: 'POST', headers: json, body: '{}' };
    expect((await send(url, '/auth/passkey/login/start', request)).status).toBe(status);
  });

  test('a body of more than 64 KiB is rejected', async () => {
    const url = await start(Koa, (app) => {
      app.use(async (ctx: Context, next: Next) => {
        let text = '';
        for await (const piece of ctx.req) text += piece;
        (ctx.request as { body?: unknown }).body = JSON.parse(text);
        return next();
      });
      app.use(auth());
    });
    const post = (bytes: number) =>
      send(url, '/auth/passkey/login/start', {
        method: 'POST',
        headers: json,
        body: `{"username":"anna"${' '.repeat(bytes - 19)}}`,
      });
    expect((await post(64 * 1024)).status).toBe(200);
    expectProblem(await post(64 * 1024 + 1), 'body_too_large');
  });
});

describe('the prefix of a router', () => {
  test.each(['/account', '/api/v1/auth', '/~me/sign-in'])('may be %s', async (prefix) => {
    const url = await start(Koa, (app) => app.use(auth({ prefix })));
    const browser = browserAt(url);
    const { options } = (await browser.post(`${prefix}/passkey/register/start`, { username: newUsername() }))
      .body;
    const credential = await newAuthenticator().create(options);
    const signedUp = await browser.post(`${prefix}/passkey/register/verify`, { credential });
    expect(signedUp.status).toBe(201);
    expect(signedUp.headers.getSetCookie()[0]).toContain('; Path=/;');
    expect((await browser.get(`${prefix}/session`)).status).toBe(200);
    expectProblem(await browser.get(`${prefix}/nothing`), 'not_found');
    expectProblem(await browser.post(`${prefix}/session`), 'method_not_allowed');
    expectProblem(
      await browser.post(`${prefix}/x`, {}, { Origin: 'https://evil.example' }),
      'cross_origin_request',
    );
    expect((await browser.get('/auth/session')).body).toBe('Not Found');
  });

  test.each(['', '/', 'auth', '/auth/', '//auth', '/:id', '/au th', '/auth?x', '/(.*)', '/auth/{*rest}'])(
    'cannot be %j',
    (prefix) => {
      expect(() => createAuthRouter(service.auth, { prefix })).toThrow(TypeError);
    },
  );

  test('can differ between two routers of one service', async () => {
    const url = await start(Koa, (app) => app.use(auth({ prefix: '/a' })).use(auth({ prefix: '/b' })));
    const { browser } = await signUpAt(await start(Koa, (app) => app.use(auth())));
    const again = browserAt(url, browser.cookies);
    expect((await again.get('/a/session')).body).toEqual((await again.get('/b/session')).body);
    expectProblem(await again.get('/b/nothing'), 'not_found');
  });
});

test('the response and the audit event contain the request id that the app sets', async () => {
  const url = await start(Koa, (app) => {
    app.use((ctx: Context, next: Next) => {
      ctx.state.requestId = 'from-the-app';
      return next();
    });
    app.use(auth());
  });
  const browser = browserAt(url);
  const credential = await newAuthenticator().create(await signUpStart(browser));
  const answer = await browser.post('/auth/passkey/register/verify', { credential });
  expect(answer.headers.get('X-Request-Id')).toBe('from-the-app');
  expect((await service.auditRows()).at(-1)).toMatchObject({ request_id: 'from-the-app' });
});

test('router.allowedMethods() does not change the error responses', async () => {
  const url = await start(Koa, (app) => {
    const router = createAuthRouter(service.auth);
    app.use(router.routes()).use(router.allowedMethods());
  });
  const browser = browserAt(url);
  expectProblem(await browser.get('/auth/nothing'), 'not_found');
  expectProblem(await browser.post('/auth/session'), 'method_not_allowed');
});

test.each([
  ['createAuthRouter', (service: AuthService) => createAuthRouter(service)],
  ['requireSession', (service: AuthService) => requireSession(service)],
  ['requireFresh', (service: AuthService) => requireFresh(service)],
])('%s throws for a service that createAuthService did not create', (_, make) => {
  expect(() => make({ ...service.auth })).toThrow(TypeError);
});
