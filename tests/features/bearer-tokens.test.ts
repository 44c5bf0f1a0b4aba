import Koa from 'koa';
import { createAuthRouter, optionalSession, requireFresh, requireSession } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newUsername, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { changeRole, invite, signUpAs } from './support/authority.ts';
import { signUpWithCodes } from './support/recovery.ts';

const tokenPattern = /^[\w-]{43}$/;
const asking = { 'Latchkey-Session': 'bearer' };

let service: TestService;
let guarded: ServedApp;
beforeAll(async () => {
  service = await startTestService({ bearerTokens: true });
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    const guard = { '/own': requireSession, '/fresh': requireFresh, '/page': optionalSession }[ctx.path];
    if (!guard) return next();
    await guard(service.auth)(ctx, async () => {
      ctx.body = { id: ctx.state.auth?.user.id ?? null };
    });
  });
  guarded = await serve(app);
});
afterAll(async () => {
  await guarded.close();
  await service.close();
});

/** A native app: it has no cookie jar and sends no Origin, and it keeps the newest token. */
interface NativeApp extends TestAgent {
  token: string | null;
}

function nativeApp(url = service.url): NativeApp {
  const agent = createAgent(url, '');
  const app: NativeApp = {
    ...agent,
    token: null,
    async request(method, path, body, headers = {}) {
      const answer = await agent.request(method, path, body, {
        ...asking,
        ...(app.token && { Authorization: `Bearer ${app.token}` }),
        ...headers,
      });
      if (answer.body?.sessionToken) app.token = answer.body.sessionToken;
      expect(answer.headers.getSetCookie()).toEqual([]);
      return answer;
    },
    get: (path, headers) => app.request('GET', path, null, headers),
    delete: (path, headers) => app.request('DELETE', path, null, headers),
    post: (path, body = {}, headers = {}) =>
      app.request('POST', path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers }),
    put: (path, body = {}, headers = {}) =>
      app.request('PUT', path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers }),
  };
  return app;
}

const install = async (): Promise<Person & { browser: NativeApp }> => {
  const browser = nativeApp();
  return { ...(await signUp(service, { browser })), browser };
};

const bearer = (token: string | null) => ({ Authorization: `Bearer ${token}` });
const cookieOf = ({ cookies }: TestAgent) => ({
  Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
});

describe('a client that asks for bearer tokens', () => {
  test('signs up, reads its session, signs out and signs in without a cookie', async () => {
    const { browser, signedUp, authenticator } = await install();
    expect(signedUp.body.sessionToken).toMatch(tokenPattern);
    expect((await browser.get('/auth/session')).body.user.id).toBe(signedUp.body.user.id);
    const { token } = browser;
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expect((await browser.get('/auth/session?optional')).body).toEqual({
      user: null,
      reason: 'session_ended',
    });

    const signedIn = await logIn(browser, authenticator);
    expect(signedIn.status).toBe(200);
    expect(browser.token).not.toBe(token);
    expect((await browser.get('/auth/session?optional')).body.session.id).toBe(signedIn.body.session.id);
  });

  test('gets the new token of a step-up, and the earlier token no longer works', async () => {
    const { browser, authenticator } = await install();
    const earlier = browser.token;
    expect((await stepUp(browser, authenticator)).body.sessionToken).toMatch(tokenPattern);
    expect(browser.token).not.toBe(earlier);
    expect((await browser.get('/auth/session')).status).toBe(200);
    expectProblem(
      await send(service.url, '/auth/session', { headers: bearer(earlier) }),
      'not_authenticated',
    );
  });

  test('gets new tokens without the header `Latchkey-Session` if it sends a token', async () => {
    const { browser, authenticator } = await install();
    const agent = createAgent(service.url, '');
    const { options } = (await agent.post('/auth/passkey/stepup/start', {}, bearer(browser.token))).body;
    const credential = await authenticator.get(options);
    const answer = await agent.post('/auth/passkey/stepup/verify', { credential }, bearer(browser.token));
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(answer.body.sessionToken).toMatch(tokenPattern);
  });

  test('gets a token from a password sign-in, both kinds of step-up, the first passkey and an accepted invitation', async () => {
    const { username, signedUp, browser, authenticator } = await install();
    const password = 'correct horse battery staple';
    expect((await browser.post('/auth/password/add', { password })).status).toBe(201);
    const other = nativeApp();
    const byPassword = await other.post('/auth/password/login', { username, password });
    expect(byPassword.body.sessionToken).toMatch(tokenPattern);
    expect((await stepUp(other, authenticator)).body.sessionToken).toMatch(tokenPattern);

    // Without a passkey, the password steps up, and the first passkey renews the session.
    await service.database.sql`delete from latchkey.passkeys where user_id = ${userIdOf({ signedUp })}`;
    expect((await other.post('/auth/password/stepup', { password })).body.sessionToken).toMatch(tokenPattern);
    expect((await addPasskey(other)).body.sessionToken).toMatch(tokenPattern);

    const superadmin = await signUpAs(service, 'superadmin');
    const token = await invite(superadmin.browser);
    const accepted = await browser.post('/auth/admin/invitations/accept', { token });
    expect(accepted.body.sessionToken).toMatch(tokenPattern);
    expect((await browser.get('/auth/session')).body.user.role).toBe('admin');
  });

  test('gets a token if it changes its own role', async () => {
    const person = await install();
    await setRole(service, person, 'superadmin');
    await signUpAs(service, 'superadmin');
    const changed = await changeRole(person.browser, person, 'admin');
    expect([changed.status, changed.body.sessionToken]).toEqual([200, expect.stringMatching(tokenPattern)]);
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
  });

  test('recovers an account, and the token of the recovery session has no other rights', async () => {
    const { person, codes } = await signUpWithCodes(service);
    const { username } = person;
    const app = nativeApp();
    const used = await app.post('/auth/recovery/codes/use', { username, code: codes[0] });
    expect([used.status, used.body.session.kind]).toEqual([200, 'recovery']);
    expectProblem(await app.get('/auth/sessions'), 'recovery_session');
    const recovering = app.token;
    const completed = await addPasskey(app);
    expect(completed.body.sessionToken).toMatch(tokenPattern);
    expect((await app.get('/auth/sessions')).status).toBe(200);
    const old = await send(service.url, '/auth/session', { headers: bearer(recovering) });
    expectProblem(old, 'not_authenticated');
  });

  test('is signed out by another session of the user', async () => {
    const { browser, authenticator } = await install();
    const web = service.browser();
    await logIn(web, authenticator);
    const { sessions } = (await web.get('/auth/sessions')).body;
    expect(sessions).toHaveLength(2);
    expect((await web.delete('/auth/sessions')).body).toEqual({ ended: 1 });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  });

  test('passes the guards, `optionalSession` and `sessionOf`', async () => {
    const person = await install();
    const headers = bearer(person.browser.token);
    const ask = async (path: string, more = {}) =>
      (await send(guarded.url, path, { headers: { ...headers, ...more } })).body;
    for (const path of ['/own', '/fresh', '/page']) expect(await ask(path)).toEqual({ id: userIdOf(person) });
    const read = await service.auth.sessionOf(new Headers(headers));
    expect(read?.user.id).toBe(userIdOf(person));
  });

  test.each(['POST', 'DELETE', 'PUT'])(
    'needs no Origin check for %s, because no browser adds the token by itself',
    async (method) => {
      const person = await install();
      const headers = {
        ...bearer(person.browser.token),
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
      };
      const answer = await send(guarded.url, '/own', { method, headers });
      expect([answer.status, answer.body]).toEqual([200, { id: userIdOf(person) }]);
    },
  );

  test('is subject to the Origin check if it sends no token', async () => {
    const headers = { ...asking, Origin: 'https://evil.example', 'Content-Type': 'application/json' };
    for (const more of [{}, bearer('x'), { Authorization: 'Bearer' }]) {
      const answer = await send(service.url, '/auth/passkey/login/start', {
        method: 'POST',
        headers: { ...headers, ...more },
        body: '{}',
      });
      expectProblem(answer, 'cross_origin_request');
    }
  });
});

describe('a request with a session cookie', () => {
  const reason = {
    reason: 'cookie_and_bearer',
    detail: 'The request has a session cookie and asks for bearer tokens. Send only one of them.',
  };

  test('cannot exchange the cookie for a token that scripts can read', async () => {
    const { browser, authenticator } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await authenticator.get(options);
    const answer = await browser.post('/auth/passkey/stepup/verify', { credential }, asking);
    expectProblem(answer, 'invalid_request', reason);
    expect(JSON.stringify(answer.body)).not.toContain('sessionToken');
    // The refused request did not spend the challenge.
    const renewed = await browser.post('/auth/passkey/stepup/verify', { credential });
    expect([renewed.status, renewed.body.sessionToken]).toEqual([200, undefined]);
  });

  test('is refused if it also has a bearer token, whichever of the two is valid', async () => {
    const web = await signUp(service);
    const app = await install();
    for (const token of [app.browser.token, 'A'.repeat(43)]) {
      expectProblem(await web.browser.get('/auth/session', bearer(token)), 'invalid_request', reason);
      expectProblem(await web.browser.delete('/auth/session', bearer(token)), 'invalid_request', reason);
      const headers = { ...cookieOf(web.browser), ...bearer(token) };
      for (const path of ['/own', '/page'])
        expect((await send(guarded.url, path, { headers })).status).toBe(400);
      expect(await service.auth.sessionOf(headers)).toBeNull();
    }
    expect((await web.browser.get('/auth/session')).status).toBe(200);
    expect((await app.browser.get('/auth/session')).status).toBe(200);
  });

  describe.each([
    ['a JWT', 'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJnYXRld2F5In0.c2lnbmF0dXJl'],
    ['a token of 44 characters', `Bearer ${'A'.repeat(44)}`],
    ['no token', 'Bearer'],
  ])('and %s of a gateway in `Authorization: Bearer`', (_, authorization) => {
    const gateway = { Authorization: authorization };

    test('uses its cookie, and gets no token', async () => {
      const { browser, authenticator, ...person } = await signUp(service);
      const id = userIdOf(person);
      expect((await browser.get('/auth/session', gateway)).body.user.id).toBe(id);
      const headers = { ...cookieOf(browser), ...gateway };
      for (const path of ['/own', '/page'])
        expect((await send(guarded.url, path, { headers })).body).toEqual({ id });
      expect((await service.auth.sessionOf(headers))?.user.id).toBe(id);
      expect((await service.auth.requireAccess(headers)).user.id).toBe(id);
      const { options } = (await browser.post('/auth/passkey/stepup/start', {}, gateway)).body;
      const credential = await authenticator.get(options);
      const answer = await browser.post('/auth/passkey/stepup/verify', { credential }, gateway);
      expect([answer.status, answer.body.sessionToken]).toEqual([200, undefined]);
      expect(answer.headers.getSetCookie()[0]).toMatch(/^latchkey=/);
    });

    test('is subject to the Origin check', async () => {
      const { browser } = await signUp(service);
      const headers = { ...cookieOf(browser), ...gateway, Origin: 'https://evil.example' };
      const answer = await send(service.url, '/auth/session', { method: 'DELETE', headers });
      expectProblem(answer, 'cross_origin_request');
      expect((await send(guarded.url, '/own', { method: 'POST', headers })).status).toBe(403);
      expect(await service.auth.sessionOf({ method: 'POST', headers })).toBeNull();
      await expect(service.auth.requireAccess({ method: 'POST', headers })).rejects.toMatchObject({
        code: 'cross_origin_request',
      });
    });

    test('is refused if it asks for bearer tokens', async () => {
      const { browser } = await signUp(service);
      expectProblem(await browser.get('/auth/session', { ...gateway, ...asking }), 'invalid_request', reason);
      const headers = { ...cookieOf(browser), ...gateway, ...asking };
      expect(await service.auth.sessionOf(headers)).toBeNull();
      await expect(service.auth.requireAccess(headers)).rejects.toMatchObject({ code: 'invalid_request' });
    });
  });

  test('is subject to the Origin check even if it also has a bearer token', async () => {
    const web = await signUp(service);
    const { browser } = await install();
    const headers = { ...cookieOf(web.browser), ...bearer(browser.token), Origin: 'https://evil.example' };
    const answer = await send(service.url, '/auth/session', { method: 'DELETE', headers });
    expectProblem(answer, 'cross_origin_request');
  });

  test('keeps its cookie, and gets no token, without the header', async () => {
    const { signedUp } = await signUp(service);
    expect(signedUp.body.sessionToken).toBeUndefined();
    expect(signedUp.headers.getSetCookie()).toHaveLength(1);
  });
});

describe('a ceremony', () => {
  test('that a browser started cannot be finished for a bearer token', async () => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const { authenticator } = await signUp(service);
    const credential = await authenticator.get(options);
    const answer = await nativeApp().post('/auth/passkey/login/verify', { credential });
    expectProblem(answer, 'authentication_failed');
  });

  test('that a client with bearer tokens started cannot be finished for a cookie', async () => {
    const { options } = (await nativeApp().post('/auth/passkey/login/start', {})).body;
    const { authenticator } = await signUp(service);
    const credential = await authenticator.get(options);
    const answer = await service.browser().post('/auth/passkey/login/verify', { credential });
    expectProblem(answer, 'authentication_failed');
  });

  test('of a client with bearer tokens sets no binding cookie', async () => {
    const answer = await nativeApp().post('/auth/passkey/register/start', { username: newUsername() });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
  });
});

test('the client of the package runs in Node.js with a token store', async () => {
  const { browser, username } = await install();
  const password = 'correct horse battery staple';
  expect((await browser.post('/auth/password/add', { password })).status).toBe(201);

  let token: string | null = null;
  const client = createAuthClient({
    baseUrl: `${service.url}/auth`,
    passkeyUpgrade: false,
    tokenStore: {
      read: () => token,
      write: (next) => {
        token = next;
      },
    },
  });
  expect(await client.session()).toBeNull();
  const { user } = await client.signInWithPassword({ username, password });
  expect(token).toMatch(tokenPattern);
  expect((await client.session())?.user.id).toBe(user.id);
  expect((await client.sessions.list()).map(({ current }) => current).sort()).toEqual([false, true]);
  await client.signOut();
  expect([token, await client.session()]).toEqual([null, null]);
});

test.each([
  '',
  'Bearer',
  'Bearer x',
  `Bearer ${'A'.repeat(44)}`,
  `Basic ${'A'.repeat(43)}`,
  `${'A'.repeat(43)}`,
])('the header `Authorization: %s` causes no database query for a session', async (authorization) => {
  const before = service.statements.length;
  const answer = await send(service.url, '/auth/sessions', { headers: { Authorization: authorization } });
  expectProblem(answer, 'not_authenticated');
  expect(service.statements.length).toBe(before);
});

test('`Authorization: Basic` beside a session cookie is ignored, because a gateway can add it', async () => {
  const { browser } = await signUp(service);
  expect((await browser.get('/auth/session', { Authorization: 'Basic QTpC' })).status).toBe(200);
});

test('a client with bearer tokens gets no device cookie, so its wrong guesses count against the username', async () => {
  const instance = await startSecondInstance(service, {
    bearerTokens: true,
    rateLimit: true,
    rateLimits: {
      password: { address: { max: 100, seconds: 86_400 }, account: { max: 2, seconds: 86_400 } },
    },
  });
  try {
    const app = nativeApp(instance.url);
    const { username } = await signUp(instance, { browser: app });
    const guess = () => app.post('/auth/password/login', { username, password: 'wrong password' });
    expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 429]);
  } finally {
    await instance.close();
  }
});

test('without `bearerTokens`, a token in `Authorization` is ignored and no response contains a token', async () => {
  const instance = await startSecondInstance(service, {});
  try {
    const app = await install();
    const agent = createAgent(instance.url, origin);
    expectProblem(await agent.get('/auth/session', bearer(app.browser.token)), 'not_authenticated');
    const { options } = (await agent.post('/auth/passkey/login/start', {}, asking)).body;
    const credential = await app.authenticator.get(options);
    const answer = await agent.post('/auth/passkey/login/verify', { credential }, asking);
    expect([answer.status, answer.body.sessionToken]).toEqual([200, undefined]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^latchkey=/);
  } finally {
    await instance.close();
  }
});

test('the OpenAPI document describes bearer tokens only if the service accepts them', async () => {
  const read = async (url: string) => (await send(url, '/auth/openapi.json')).body;
  const document = await read(service.url);
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(document.paths['/auth/sessions'].get.security).toEqual([{ session: [] }, { bearer: [] }]);
  expect(document.paths['/auth/session'].get.security).toEqual([{ session: [] }, { bearer: [] }, {}]);
  const { schema } =
    document.paths['/auth/passkey/login/verify'].post.responses[200].content['application/json'];
  expect(Object.keys(schema.properties)).toEqual(['user', 'session', 'sessionToken']);

  const instance = await startSecondInstance(service, {});
  const plain = await read(instance.url);
  await instance.close();
  expect(JSON.stringify(plain)).not.toMatch(/bearer|sessionToken|Latchkey-Session/i);
});

test('createAuthRouter of a service with bearer tokens still serves browsers', async () => {
  const app = new Koa();
  app.use(createAuthRouter(service.auth).routes());
  const served = await serve(app);
  const { browser } = await signUp({ url: served.url, browser: () => createAgent(served.url, origin) });
  expect((await browser.get('/auth/session')).status).toBe(200);
  await served.close();
});
