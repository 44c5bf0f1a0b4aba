import type { RequestListener } from 'node:http';
import express5, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { type HandlerOptions, sendProblem, toNodeHandler } from 'latchkey';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { logIn, newUsername, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import type { ServedApp } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { serveHandler } from './support/served-handler.ts';

// Express 4 has no types of its own here. For these tests, the types of Express 5 fit.
const { default: express4 } = (await import('express4' as string)) as { default: typeof express5 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => {
  service.logged.length = 0;
});
afterAll(() => service.close());

const running: ServedApp[] = [];
afterEach(async () => {
  for (const served of running.splice(0)) await served.close();
});

async function start(handler: RequestListener): Promise<string> {
  const served = await serveHandler(handler);
  running.push(served);
  return served.url;
}

const handler = (options?: HandlerOptions) => toNodeHandler(service.auth, options);
const browserAt = (url: string): TestAgent => createAgent(url, origin);
const signUpAt = (url: string) => signUp({ ...service, url }, { browser: browserAt(url) });

/** Returns the parts of a response that must not depend on the server. Leaves out values that differ each time. */
async function comparable(url: string, path: string, method: string) {
  const { status, headers, body, text } = await send(url, path, { method });
  const { date, connection, 'x-request-id': id, ...rest } = headers;
  return { status, text: body ? '' : text, body, headers: { ...rest, identified: id !== undefined } };
}

describe('with node:http, the handler', () => {
  test('serves every account operation', async () => {
    const { browser, authenticator, signedUp } = await signUpAt(await start(handler()));
    expect((await browser.get('/auth/session')).body.user).toMatchObject(signedUp.body.user);
    expectProblem(
      await browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`),
      'last_credential',
    );
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expect((await logIn(browser, authenticator)).status).toBe(200);
  });

  test.each([
    ['GET', '/auth/session'],
    ['HEAD', '/auth/session'],
    ['OPTIONS', '/auth/session'],
    ['PUT', '/auth/session'],
    ['POST', '/auth/passkey/login/start'],
    ['GET', '/auth/openapi.json'],
    ['GET', '/auth/nothing'],
    ['GET', '/auth'],
    ['GET', '/auth/session/'],
  ])('answers %s %s as the Koa router does', async (method, path) => {
    const [own, koa] = [await start(handler()), service.url];
    const [answer, expected] = [await comparable(own, path, method), await comparable(koa, path, method)];
    if (path.endsWith('start')) for (const { body } of [answer, expected]) delete body.options;
    for (const { headers } of [answer, expected]) delete headers['set-cookie'];
    expect(answer).toEqual(expected);
  });

  test('serves the well-known paths', async () => {
    const url = await start(handler({ securityPage: '/me' }));
    expect((await send(url, '/.well-known/webauthn')).body).toEqual({ origins: [origin] });
    const redirect = await send(url, '/.well-known/change-password');
    expect([redirect.status, redirect.headers.location]).toEqual([302, `${origin}/me`]);
  });

  test('returns 404 as problem details for every other path', async () => {
    const url = await start(handler());
    for (const path of [
      '/',
      '/authors',
      '/AUTH/session',
      '/.well-known/unknown',
      '//auth/session',
      '/nothing?/auth/session',
    ]) {
      const answer = await send(url, path);
      expect([answer.status, answer.body?.code]).toEqual([404, 'not_found']);
    }
  });

  test('rejects mutations from other sites', async () => {
    const browser = browserAt(await start(handler()));
    const foreign = { Origin: 'https://evil.example' };
    expectProblem(await browser.post('/auth/passkey/login/start', {}, foreign), 'cross_origin_request');
  });

  test('logs an unexpected error, and the response does not contain it', async () => {
    const { browser } = await signUpAt(await start(handler()));
    const { sql } = service.database;
    await sql`alter table latchkey.passkeys rename to mislaid`;
    const answer = await browser.get('/auth/passkey/devices');
    await sql`alter table latchkey.mislaid rename to passkeys`;
    expectProblem(answer, 'internal_error');
    expect(service.logged).toEqual([
      {
        level: 'error',
        message: 'GET /auth/passkey/devices failed',
        fields: { err: expect.any(Error), requestId: answer.headers.get('X-Request-Id') },
      },
    ]);
  });
});

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
] as const)('in %s, the handler', (_, express) => {
  /** Starts an app with an error handler that returns the message of an error. */
  async function startApp(mount: (app: Express) => void): Promise<string> {
    const app = express();
    mount(app);
    const showError: ErrorRequestHandler = (error, _request, response, _next) => {
      if (!sendProblem(error, response)) response.status(500).send(error.message);
    };
    app.use(showError);
    return start(app);
  }

  test.each<[string, (app: Express) => void]>([
    ['without a body parser', () => {}],
    ['after express.json()', (app) => app.use(express.json())],
    [
      'after every body parser',
      (app) => app.use(express.json(), express.urlencoded({ extended: true }), express.text()),
    ],
    ['after express.raw()', (app) => app.use(express.raw({ type: '*/*' }))],
    ['after express.text() for JSON', (app) => app.use(express.text({ type: 'application/json' }))],
    ['after a body parser for another type', (app) => app.use(express.urlencoded({ extended: false }))],
  ])('serves every account operation %s', async (__, before) => {
    const url = await startApp((app) => {
      before(app);
      app.use(handler());
    });
    const { browser, authenticator, signedUp } = await signUpAt(url);
    const { id } = signedUp.body.passkey;
    const renamed = await browser.patch(`/auth/passkey/devices/${id}`, { label: 'x' });
    expect(renamed.body.device.label).toBe('x');
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await logIn(browser, authenticator)).status).toBe(200);
  });

  test('checks a body that express.json() has parsed', async () => {
    const url = await startApp((app) => app.use(express.json(), handler()));
    const json = { 'Content-Type': 'application/json' };
    for (const body of [
      '{"username":{"a":1}}',
      '[]',
      '{"__proto__":{"role":"admin"}}',
      '{"role":"superadmin"}',
    ]) {
      const answer = await send(url, '/auth/passkey/register/start', { method: 'POST', headers: json, body });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    }
  });

  test('says what to do if other middleware has read the body and has not kept it', async () => {
    const url = await startApp((app) => {
      app.use((request, _response, next) => {
        request.on('end', () => next()).resume();
      });
      app.use(handler());
    });
    expectProblem(
      await browserAt(url).post('/auth/passkey/register/start', { username: newUsername() }),
      'internal_error',
    );
    expect(service.logged.map(({ fields }) => (fields as { err: Error }).err.message)).toEqual([
      'toNodeHandler: other middleware has read the request body and did not keep it in request.body. Mount the handler before this middleware, or exclude the prefix of the endpoints',
    ]);
  });

  test.each([
    ['/auth', '/auth'],
    ['/api', '/api/auth'],
    ['/API', '/api/auth'],
  ])('is mounted at %s and serves the prefix %s', async (path, prefix) => {
    const seen: string[] = [];
    const url = await startApp((app) => {
      app.use(path, handler({ prefix }));
      app.use((request: Request, response: Response) => {
        seen.push(`${request.baseUrl}|${request.url}|${response.statusCode}`);
        response.send('app');
      });
    });
    const browser = browserAt(url);
    expectProblem(await browser.get(`${prefix}/session`), 'not_authenticated');
    expect((await browser.post(`${prefix}/passkey/login/start`, {})).status).toBe(200);
    expect((await browser.get(`${prefix}/nothing?a=1`)).body).toBe('app');
    expect((await browser.get(`${prefix.toUpperCase()}/session`)).body).toBe('app');
    expect((await browser.get(`${path}/`)).body).toBe('app');
    expect(seen).toEqual([
      `|${prefix}/nothing?a=1|200`,
      `|${prefix.toUpperCase()}/session|200`,
      `|${path}/|200`,
    ]);
  });

  test('is mounted on a router inside of a router', async () => {
    const url = await startApp((app) => {
      const [outer, inner] = [express.Router(), express.Router()];
      inner.use(handler({ prefix: '/v1/api/auth' }));
      outer.use('/api', inner);
      app.use('/v1', outer);
    });
    expectProblem(await browserAt(url).get('/v1/api/auth/session'), 'not_authenticated');
  });

  test('says which prefix to use if no request can reach the endpoints', async () => {
    const url = await startApp((app) => app.use('/api', handler()));
    const answer = await browserAt(url).get('/api/auth/session');
    expect([answer.status, answer.body]).toEqual([
      500,
      "toNodeHandler: the handler is mounted at /api, so no request reaches /auth. Mount it without a path, or pass the complete path of the endpoints, for example { prefix: '/api/auth' }",
    ]);
  });

  test('leaves all other paths to the app, and does not change their responses', async () => {
    const mount = (app: Express) =>
      app.use(
        (request: Request, response: Response) => void response.send(`${request.method} ${request.url}`),
      );
    const own = await startApp((app) => mount(app.use(handler())));
    const alone = await startApp(mount);
    for (const path of [
      '/',
      '/authors?x',
      '/auth',
      '/auth/nothing',
      '/.well-known/acme-challenge/x',
      '/AUTH/session',
    ]) {
      const [answer, expected] = [await comparable(own, path, 'POST'), await comparable(alone, path, 'POST')];
      // As with Koa, a response to a path under the prefix is identified, and not cached.
      const headers = Object.entries(answer.headers).filter(
        ([name]) => !/^(cache-c|x-content-t|identified)/.test(name),
      );
      const { identified: _, ...others } = expected.headers;
      expect({ ...answer, headers: Object.fromEntries(headers) }).toEqual({ ...expected, headers: others });
    }
  });

  test('passes no error of an endpoint to the app', async () => {
    const errors: unknown[] = [];
    const url = await startApp((app) => {
      app.use(handler());
      app.use(((error, _request, _response, next) => {
        errors.push(error);
        next(error);
      }) as ErrorRequestHandler);
    });
    const browser = browserAt(url);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expectProblem(await browser.post('/auth/session'), 'method_not_allowed');
    expect(errors).toEqual([]);
  });
});

test('the handler refuses the options that the routers refuse, and another object as the service', () => {
  expect(() => handler({ prefix: 'auth' })).toThrow(/^prefix: expected a path such as \/auth, not auth$/);
  expect(() => toNodeHandler({} as never)).toThrow('toNodeHandler: expected the result of createAuthService');
});
