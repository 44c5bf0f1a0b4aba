import Koa from 'koa';
import { type AuthService, type OptionalSessionState, optionalSession } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRecovering } from '../features/support/recovery.ts';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let app: ServedApp;
beforeAll(async () => {
  service = await startTestService();
  app = await serveOptional(service.auth);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

function serveOptional(auth: AuthService): Promise<ServedApp> {
  const koa = new Koa<OptionalSessionState>();
  koa.silent = true;
  koa.use(optionalSession(auth));
  koa.use((ctx) => {
    ctx.body = { hasAuth: 'auth' in ctx.state, ...ctx.state.auth };
  });
  return serve(koa as Koa);
}

const on = ({ cookies }: Pick<TestAgent, 'cookies'>) => createAgent(app.url, origin, new Map(cookies));

test('ctx.state.auth holds the user and session of a signed-in user', async () => {
  const { browser, signedUp } = await signUp(service);
  const { user, session } = signedUp.body;
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await on(browser).request(method, '/')).body).toEqual({ hasAuth: true, user, session });
});

test('ctx.state.auth is not set if there is no cookie, or if the session is unknown, has ended or is a recovery session', async () => {
  const ended = (await signUp(service)).browser;
  const before = ended.copy();
  await ended.delete('/auth/session');
  const recovering = (await startRecovering(service)).browser;
  const unknown = { cookies: new Map([['latchkey', 'x'.repeat(43)]]) };
  for (const browser of [service.browser(), unknown, before, recovering]) {
    const answer = await on(browser).get('/');
    expect([answer.status, answer.body]).toEqual([200, { hasAuth: false }]);
  }
});

test('ctx.state.auth is not set for a cross-site mutation with a session cookie', async () => {
  const { browser } = await signUp(service);
  for (const headers of [
    { Origin: 'https://evil.example' },
    // The agent sends the configured origin unless a test overrides it.
    { 'Sec-Fetch-Site': 'cross-site', Origin: '' },
    { 'Sec-Fetch-Site': 'same-site', Origin: '' },
  ] as Record<string, string>[]) {
    service.logged.length = 0;
    expect((await on(browser).post('/', {}, headers)).body).toEqual({ hasAuth: false });
    expect(service.logged).toMatchObject([{ level: 'warn', message: 'rejected a cross-origin POST /' }]);
    expect((await on(browser).get('/', headers)).body.hasAuth).toBe(true);
  }
});

test('a cross-site POST without a session cookie logs no warning', async () => {
  service.logged.length = 0;
  await on(service.browser()).post('/', {}, { Origin: 'https://evil.example' });
  expect(service.logged).toEqual([]);
});

test('the response is 503 if the database is unreachable, so no user looks signed out', async () => {
  const away = await startSecondInstance(service, {}, (statement) => {
    if (statement.includes('token_hash')) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  const served = await serveOptional(away.auth);
  const ask = (cookies: Map<string, string>) => createAgent(served.url, origin, cookies).get('/');
  try {
    expect((await ask((await signUp(service)).browser.cookies)).status).toBe(503);
    expect((await ask(new Map())).status).toBe(200);
  } finally {
    await served.close();
    await away.close();
  }
});
