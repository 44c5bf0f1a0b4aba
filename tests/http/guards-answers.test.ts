import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import {
  AuthError,
  createCors,
  type ErrorCode,
  errorTable,
  optionalSession,
  requireFresh,
  requirePermission,
  requireRole,
  requireSession,
} from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

const { default: Koa2 } = (await import('koa2' as string)) as { default: typeof Koa };

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
});
afterAll(() => service.close());

const running: ServedApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

/** Serves an app, and returns its URL and the errors that it emitted. */
async function start(mount: (app: Koa) => void, Framework = Koa) {
  const app = new Framework();
  const emitted: (Error & { code?: string })[] = [];
  app.on('error', (error) => emitted.push(error));
  mount(app);
  const served = await serve(app);
  running.push(served);
  return { url: served.url, emitted };
}
const as = (url: string, browser: Pick<TestAgent, 'cookies'> = { cookies: new Map() }) =>
  createAgent(url, origin, new Map(browser.cookies));

/** Expects the problem details of the router, without its request id. */
function expectProblem({ status, headers, body }: Answer, code: ErrorCode, members: object = {}): void {
  expect([status, body]).toEqual([errorTable[code].status, { ...problemOf(code), ...members }]);
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
}

/** Guarded routes. The last route fails after its guard has admitted the request. */
function guarded(app: Koa): void {
  const router = new Router();
  const { auth } = service;
  router.all('/session', requireSession(auth));
  router.all('/fresh', requireFresh(auth));
  router.all('/admin', requireRole(auth, 'admin'));
  router.all(
    '/absent',
    requirePermission(auth, 'organization:read', () => null),
  );
  router.all('/own', requireSession(auth), () => {
    throw new AuthError('username_taken', { message: 'The name ada is taken.' });
  });
  router.all('/broken', requireSession(auth), () => {
    throw new Error('the secret of the app');
  });
  router.all('/teapot', requireSession(auth), (ctx) => ctx.throw(418, 'No coffee.'));
  app.use(router.routes());
}

describe.each([
  ['Koa 3', Koa],
  ['Koa 2.16', Koa2],
] as const)('in %s, without error handling of the app', (_, Framework) => {
  test('each guard answers with the problem details of the router', async () => {
    const { url, emitted } = await start(guarded, Framework);
    for (const path of ['/session', '/fresh', '/admin', '/absent', '/own']) {
      expectProblem(await as(url).get(path), 'not_authenticated');
    }
    expectProblem(await as(url, person.browser).get('/admin'), 'forbidden');
    expectProblem(await as(url, person.browser).get('/absent'), 'not_found');
    const foreign = await as(url, person.browser).post('/fresh', {}, { Origin: 'https://evil.example' });
    expectProblem(foreign, 'cross_origin_request');
    expect(emitted.map(({ code }) => code)).toEqual([
      ...Array(5).fill('not_authenticated'),
      'forbidden',
      'not_found',
      'cross_origin_request',
    ]);
  });

  test('the answer equals that of the router, except for the request id', async () => {
    const { url } = await start(guarded, Framework);
    const [own, router] = [await send(url, '/session'), await send(service.url, '/auth/session')];
    const { date: _date, 'x-request-id': _id, ...expected } = router.headers;
    const { date: __date, ...given } = own.headers;
    expect([own.status, own.text, given]).toEqual([router.status, router.text, expected]);
  });

  test('an AuthError that the route itself throws behind a guard also has its code', async () => {
    const { url } = await start(guarded, Framework);
    expectProblem(await as(url, person.browser).get('/own'), 'username_taken', {
      detail: 'The name ada is taken.',
    });
  });

  test('Koa still answers all other errors', async () => {
    const { url, emitted } = await start(guarded, Framework);
    const broken = await as(url, person.browser).get('/broken');
    expect([broken.status, broken.body]).toEqual([500, 'Internal Server Error']);
    const teapot = await as(url, person.browser).get('/teapot');
    expect([teapot.status, teapot.body]).toEqual([418, 'No coffee.']);
    expect(emitted.map(({ message }) => message)).toEqual(['the secret of the app', 'No coffee.']);
  });

  test('headers that the app had set before do not leak into the answer', async () => {
    const { url } = await start((app) => {
      app.use((ctx, next) => {
        ctx.set({ ETag: '"page"', 'Content-Encoding': 'gzip' });
        return next();
      });
      guarded(app);
    }, Framework);
    const { headers } = await send(url, '/session');
    expect([headers.etag, headers['content-encoding']]).toEqual([undefined, undefined]);
  });

  test('a HEAD request gets the headers without a body', async () => {
    const { url } = await start(guarded, Framework);
    const { status, headers, text } = await send(url, '/session', { method: 'HEAD' });
    expect([status, headers['content-type'], text]).toEqual([401, 'application/problem+json', '']);
  });

  test('an error after the response has started does not change the response, and Koa emits it', async () => {
    const written: Error[] = [];
    const { url, emitted } = await start((app) => {
      app.use(requireSession(service.auth));
      app.use((ctx) => {
        ctx.respond = false;
        // Writing to the response again would cause an error here.
        ctx.res.on('error', (error) => written.push(error));
        ctx.res.writeHead(200);
        ctx.res.end('started');
        throw new AuthError('not_found');
      });
    }, Framework);
    const answer = await as(url, person.browser).get('/');
    expect([answer.status, answer.body]).toEqual([200, 'started']);
    expect(emitted.map(({ code }) => code)).toEqual(['not_found']);
    expect(written).toEqual([]);
  });
});

test('without a database, optionalSession answers `unavailable` with its code and Retry-After', async () => {
  const lost = await startSecondInstance(service, {}, (statement) => {
    if (statement.includes('latchkey.sessions')) throw new Error('no connection');
  });
  const { url } = await start((app) => app.use(optionalSession(lost.auth)));
  const answer = await as(url, person.browser).get('/');
  expectProblem(answer, 'unavailable');
  expect(answer.headers.get('Retry-After')).toBe('1');
  await lost.close();
});

test('pages of a configured origin can read the answer with createCors', async () => {
  const { url } = await start((app) => guarded(app.use(createCors(service.auth))));
  const { headers, body } = await send(url, '/session', { headers: { Origin: origin } });
  expect([headers['access-control-allow-origin'], body.code]).toEqual([origin, 'not_authenticated']);
});

describe('the error handling of the app comes first:', () => {
  test('a middleware catches the error, for example to redirect to the sign-in page', async () => {
    const { url, emitted } = await start((app) => {
      app.use(async (ctx, next) => {
        try {
          await next();
        } catch (error) {
          if (!(error instanceof AuthError) || error.code !== 'not_authenticated') throw error;
          ctx.redirect(`/sign-in?next=${encodeURIComponent(ctx.url)}`);
        }
      });
      guarded(app);
    });
    const { status, headers } = await send(url, '/session?page=2');
    expect([status, headers.location]).toEqual([302, '/sign-in?next=%2Fsession%3Fpage%3D2']);
    expect(emitted).toEqual([]);
    expectProblem(await as(url, person.browser).get('/admin'), 'forbidden');
  });

  test('an app that replaces `app.context.onerror` keeps its own answers', async () => {
    const { url } = await start((app) => {
      app.context.onerror = function answer(this: Context, error: AuthError | null) {
        // Koa also calls this function without an error, after each response.
        if (error == null) return;
        this.status = error.status;
        this.res.end(`own page for ${error.code}`);
      } as Context['onerror'];
      guarded(app);
    });
    const { status, body } = await as(url).get('/session');
    expect([status, body]).toEqual([401, 'own page for not_authenticated']);
  });
});
