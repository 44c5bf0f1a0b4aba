import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { createAuthRouter, requireFresh, requireSession } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { logIn } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { setRole, setStatus } from './support/accounts.ts';
import { codeRowsOf, postGenerate, startRecovering, useCode } from './support/recovery.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';

let service: TestService;
/** `METHOD /path` of every endpoint that requires a session. The list comes from the router, so the list is complete. */
let endpoints: string[];
beforeAll(async () => {
  service = await startTestService();
  const all = createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    );
  endpoints = [];
  for (const name of all) {
    const { body } = await send(service.browser(), name);
    if (body?.code === 'not_authenticated') endpoints.push(name);
  }
});
afterAll(() => service.close());

/** Calls an endpoint with an unknown id and a malformed body. */
const send = (browser: TestAgent, name: string, type = 'text/plain') => {
  const [method = '', path = ''] = name.split(' ');
  const target = path.replaceAll(/:\w+/g, unknownId);
  return method === 'GET'
    ? browser.get(target)
    : browser.request(method, target, '{"nonsense":', { 'Content-Type': type });
};

const permitted = ['GET /auth/session', 'GET /auth/passkey/devices', 'POST /auth/passkey/devices/add'];

describe('a recovery session', () => {
  test('can only read itself, list passkeys and add a passkey', async () => {
    expect(endpoints.length).toBeGreaterThan(14);
    expect(endpoints).toEqual(expect.arrayContaining(permitted));
    const { person, browser } = await startRecovering(service);
    // The recovery session of a superadmin has no additional rights.
    for (const role of ['user', 'superadmin']) {
      await setRole(service, person, role);
      for (const minutes of [0, 11]) {
        await service.turnClock({ minutes });
        const rejected: string[] = [];
        const before = (await service.auditRows()).length;
        for (const name of endpoints.filter((endpoint) => !permitted.includes(endpoint))) {
          for (const type of ['text/plain', 'application/json']) {
            expectProblem(await send(browser, name, type), 'recovery_session');
            rejected.push(name);
          }
        }
        const rows = (await service.auditRows()).slice(before);
        expect(rows.length).toBeLessThan(rejected.length);
        for (const row of rows) {
          expect(row).toMatchObject({ outcome: 'failure', details: { reason: 'recovery_session' } });
        }
      }
    }
  });

  test('can read itself and its user', async () => {
    const { person, browser } = await startRecovering(service);
    const { status, body } = await browser.get('/auth/session');
    expect(status).toBe(200);
    expect(body.session).toMatchObject({ kind: 'recovery', method: 'recovery_code', current: true });
    expect(body.user).toEqual({
      ...person.signedUp.body.user,
      hasPassword: false,
      passkeyCount: 1,
      recoveryCodesRemaining: 9,
    });
  });

  test('can list the passkeys of the account', async () => {
    const { person, browser } = await startRecovering(service);
    const { body } = await browser.get('/auth/passkey/devices');
    expect(body.devices).toMatchObject([{ id: person.signedUp.body.passkey.id }]);
  });

  test('cannot create recovery codes, and the existing codes still work', async () => {
    const { person, codes, browser } = await startRecovering(service);
    const before = await codeRowsOf(service, person);
    expectProblem(await postGenerate(browser), 'recovery_session');
    expect(await codeRowsOf(service, person)).toEqual(before);
    expect((await useCode(service.browser(), person, codes[1])).status).toBe(200);
  });

  test('can be signed out', async () => {
    const { browser } = await startRecovering(service);
    const before = browser.copy();
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
  });

  test('is in the list of the user’s sessions and can be ended by the user', async () => {
    const { person, browser } = await startRecovering(service);
    const { sessions } = (await person.browser.get('/auth/sessions')).body;
    const stolen = sessions.find(({ kind }: { kind: string }) => kind === 'recovery');
    expect(sessions).toHaveLength(2);
    expect((await person.browser.delete(`/auth/sessions/${stolen.id}`)).status).toBe(204);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expectProblem(await browser.post('/auth/passkey/devices/add', {}), 'not_authenticated');
  });

  test('ends when the account is disabled', async () => {
    const { person, browser } = await startRecovering(service);
    await setStatus(service, person, 'disabled');
    for (const name of permitted) expectProblem(await send(browser, name), 'not_authenticated');
  });

  test('is replaced by a full session when the user signs in with a passkey', async () => {
    const { person, browser } = await startRecovering(service);
    const before = browser.copy();
    expect((await logIn(browser, person.authenticator)).body.session.kind).toBe('full');
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
    expect((await browser.get('/auth/sessions')).status).toBe(200);
  });

  test('is returned by auth.sessionOf only with allowRecovery', async () => {
    const { browser } = await startRecovering(service);
    expect(await service.auth.sessionOf(cookieHeader(browser))).toBeNull();
    const read = await service.auth.sessionOf(cookieHeader(browser), { allowRecovery: true });
    expect(read?.session).toMatchObject({ kind: 'recovery', method: 'recovery_code' });
  });
});

describe('the guards of an application', () => {
  let app: ServedApp;
  const passed: unknown[] = [];
  beforeAll(async () => {
    const router = new Router();
    const note = (ctx: Context) => {
      passed.push(ctx.state.auth);
      ctx.body = 'done';
    };
    router.get('/orders', requireSession(service.auth), note);
    router.post('/orders', requireFresh(service.auth), note);
    const koa = new Koa();
    koa.silent = true;
    koa.use(router.routes());
    app = await serve(koa);
  });
  afterAll(() => app.close());

  test('accept a full session and reject a recovery session', async () => {
    const { person, browser } = await startRecovering(service);
    const inApp = ({ cookies }: TestAgent) => createAgent(app.url, origin, new Map(cookies));
    for (const act of [
      (agent: TestAgent) => agent.get('/orders'),
      (agent: TestAgent) => agent.post('/orders'),
    ]) {
      expect((await act(inApp(person.browser))).status).toBe(200);
      const { status, body } = await act(inApp(browser));
      expect([status, body.code]).toEqual([403, 'recovery_session']);
    }
    expect(passed).toMatchObject([{ session: { kind: 'full' } }, { session: { kind: 'full' } }]);
  });
});
