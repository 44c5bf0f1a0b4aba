import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { createAuthRouter } from 'latchkey';
import type { AuthClient } from 'latchkey/client';
import { createServer, type UserConfig } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { newAuthenticator, signUp } from '../support/person.ts';
import { serve } from '../support/serve.ts';
import { origin, startTestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, statementsOf, usePages } from './support/page.ts';
import { startPasted } from './support/pasted-service.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/other-origins.md');
usePages();

async function start(code: string) {
  const service = await startPasted({ 'app.ts': code }, { BCRYPT_COST: '10' });
  onTestFinished(() => service.close());
  return service;
}

/** Opens a page at `from`, which sends its requests to the service at `url`. */
const pageAt = (url: string, from: string) =>
  openPage({ browser: () => createAgent(url, from) }, { authenticator: newAuthenticator({ origin: from }) });

/** Runs a block of a page, and returns its client. */
const clientIn = (text: string, values: Record<string, unknown>) =>
  runStatements(`${statementsOf(guide.block(text))}\nreturn auth;`, values) as Promise<AuthClient>;

test('pages of the Vite server sign up and call a route of the app, and pages of other origins cannot', async () => {
  const service = await start(guide.block("origins: 'http://localhost:5173'"));
  const page = pageAt(service.url, 'http://localhost:5173');
  const fetch = (url: string) => page.browser.get(new URL(url).pathname);
  await clientIn("credentials: 'include'", { ...page, fetch });
  const greeting = await page.browser.get('/greeting');
  expect(greeting.body).toEqual({ greeting: 'Hello ada' });
  expect(greeting.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');

  const other = createAgent(service.url, 'http://localhost:5174', page.browser.cookies);
  expect((await other.delete('/auth/session')).body.code).toBe('cross_origin_request');
  expect((await other.get('/greeting')).headers.get('access-control-allow-origin')).toBeNull();
});

test('with the configuration of Vite in the guide, a page signs up and calls a route of the app', async () => {
  const service = await start(guide.block("origins: 'http://localhost:5173'"));
  const code = guide.block('// vite.config.ts').replaceAll('http://localhost:3000', service.url);
  const { default: config } = (await importBlocks({ 'vite.config.ts': code })) as { default: UserConfig };
  expect(config.server).toMatchObject({ port: 5173, strictPort: true });
  const root = mkdtempSync(join(tmpdir(), 'latchkey-vite-'));
  const vite = await createServer({
    ...config,
    root,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(root, 'cache'),
    server: { ...config.server, host: '127.0.0.1', port: 0, ws: false },
  });
  await vite.listen();
  onTestFinished(async () => {
    await vite.close();
    rmSync(root, { recursive: true });
  });
  const { port } = (vite.httpServer as Server).address() as AddressInfo;
  const page = pageAt(`http://127.0.0.1:${port}`, 'http://localhost:5173');
  const response = await runStatements(
    `${statementsOf(guide.block("fetch('/api/greeting')"))}\nreturn response.json();`,
    { ...page },
  );
  expect(response).toEqual({ greeting: 'Hello ada' });
});

test('a page on a subdomain signs up, with cookies that belong to the host of the service', async () => {
  const service = await start(guide.block("rpId: 'example.com', origins: 'https://app.example.com' }"));
  const page = pageAt(service.url, 'https://app.example.com');
  const auth = await clientIn("baseUrl: 'https://api.example.com/auth'", { ...page });
  await auth.signUp({ username: 'ada' });
  expect([...page.browser.cookies.keys()]).toContain('__Host-latchkey');
});

test('the cookies have the domain, the SameSite attribute and the names of the guide', async () => {
  const cookieFor = async (text: string, from: string, headers: Record<string, string> = {}) => {
    const { url } = await start(guide.block(text));
    const agent = createAgent(url, from);
    const browser: typeof agent = { ...agent, post: (path, body) => agent.post(path, body, headers) };
    const authenticator = newAuthenticator({ origin: from });
    const { signedUp } = await signUp({ url, browser: () => browser }, { browser, authenticator });
    return signedUp.headers.getSetCookie()[0];
  };
  const www = 'https://www.example.com';
  expect(await cookieFor("cookies: { domain: 'example.com' }", www)).toMatch(
    /^__Secure-latchkey=.*; Domain=example\.com;/i,
  );
  expect(await cookieFor("sameSite: 'none'", 'https://app.example.com')).toMatch(
    /^__Host-latchkey=.*; SameSite=None; Secure; Partitioned/i,
  );
  expect(await cookieFor('name: ({ header })', www)).toMatch(/^__Secure-latchkey=.*Domain=example\.com/i);
  const staging = { Host: 'staging.example.com' };
  expect(await cookieFor('name: ({ header })', www, staging)).toMatch(/^__Host-staging=/);
});

test('behind a proxy that removes /api from the path, the client of the guide signs up', async () => {
  const service = await startTestService();
  const app = new Koa();
  app.use((ctx, next) => {
    ctx.url = ctx.url.replace(/^\/api\//, '/');
    return next();
  });
  app.use(createAuthRouter(service.auth).routes());
  const proxied = await serve(app);
  const page = pageAt(proxied.url, origin);
  const auth = await clientIn("baseUrl: '/api/auth'", { ...page });
  expect((await auth.signUp({ username: 'ada' })).user.username).toBe('ada');
  await proxied.close();
  await service.close();
});
