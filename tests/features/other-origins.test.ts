import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createAuthRouter, createCors, requireSession } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// The recipes in docs/guides/other-origins.md.

const appOrigin = 'https://app.example.com';

/** Sends these headers with each request, as the browser does for a page. */
const from = (agent: TestAgent, headers: Record<string, string>): TestAgent => ({
  ...agent,
  get: (path) => agent.get(path, headers),
  post: (path, body) => agent.post(path, body, headers),
  put: (path, body) => agent.put(path, body, headers),
  delete: (path) => agent.delete(path, headers),
});

describe.each([
  {
    name: 'app.example.com, with the service at api.example.com',
    site: 'same-site',
    cookies: {},
    cookie: /^__Host-latchkey=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
  },
  {
    name: 'app.example.com, with the service at api.example.net',
    site: 'cross-site',
    cookies: { sameSite: 'none', partitioned: true },
    cookie: /^__Host-latchkey=[\w-]{43}; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned; Max-Age=\d+$/,
  },
] as const)('a page of $name', ({ site, cookies, cookie }) => {
  let service: TestService;
  let api: ServedApp;
  beforeAll(async () => {
    service = await startTestService({ rpId: 'example.com', origins: appOrigin, cookies });
    const app = new Koa();
    app.silent = true;
    app.use(createAuthRouter(service.auth, { cors: true }).routes());
    app.use(createCors(service.auth));
    app.use(requireSession(service.auth));
    app.use((ctx) => {
      ctx.body = { username: ctx.state.auth.user.username };
    });
    api = await serve(app);
  });
  afterAll(async () => {
    await api.close();
    await service.close();
  });

  const page = () => from(createAgent(api.url, appOrigin), { 'Sec-Fetch-Site': site, Origin: appOrigin });
  const enter = (): Promise<Person> =>
    signUp(
      { url: api.url, browser: page },
      { browser: page(), authenticator: newAuthenticator({ origin: appOrigin }) },
    );

  test('signs up, steps up, calls a guarded route, signs out and signs in', async () => {
    const { browser, authenticator, signedUp, username } = await enter();
    expect(signedUp.headers.getSetCookie()).toEqual([expect.stringMatching(cookie)]);
    expect(signedUp.headers.get('access-control-allow-origin')).toBe(appOrigin);
    expect((await stepUp(browser, authenticator)).status).toBe(200);
    expect((await browser.post('/orders', {})).body).toEqual({ username });
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await logIn(browser, authenticator)).status).toBe(200);
  });

  test.each(['https://evil.example.com', 'https://evil.example', 'null'])(
    'can change data and read responses, but a page of %s cannot',
    async (origin) => {
      const { browser } = await enter();
      const stranger = from(createAgent(api.url, origin, browser.cookies), {
        'Sec-Fetch-Site': site,
        Origin: origin,
      });
      expectProblem(await stranger.post('/auth/passkey/stepup/start', {}), 'cross_origin_request');
      expect((await stranger.post('/orders', {})).status).toBe(403);
      const read = await stranger.get('/auth/session');
      expect(read.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('behind a proxy that removes /api from the path', () => {
  const origin = 'http://localhost:3000';
  let service: TestService;
  let proxy: Server;
  let url: string;
  beforeAll(async () => {
    service = await startTestService({ origins: origin });
    proxy = createServer((incoming, outgoing) => {
      const { port } = new URL(service.url);
      const path = `${incoming.url}`.replace(/^\/api(?=\/)/, '');
      const { method, headers } = incoming;
      const passed = forward({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api`;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((done) => proxy.close(done));
    await service.close();
  });

  test('a page signs up and stays signed in, because the cookies apply to all paths', async () => {
    const browser = createAgent(url, origin);
    const { username, signedUp } = await signUp({ url, browser: () => browser }, { username: newUsername() });
    expect(signedUp.headers.getSetCookie()[0]).toMatch(/; Path=\/;/);
    expect((await browser.get('/auth/session')).body.user.username).toBe(username);
    expect((await browser.delete('/auth/session')).status).toBe(204);
  });
});
