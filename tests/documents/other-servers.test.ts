import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type AuthService, toNodeHandler } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/person.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { statementsOf } from './support/page.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/other-servers.md');
let service: TestService;
const servers: Server[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await service.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const signUpAt = (url: string, username?: string): Promise<Person> =>
  signUp({ url, browser: () => createAgent(url, origin) }, { ...(username && { username }) });

type CreateApp<App> = (auth: AuthService) => App;

describe.each([
  {
    name: 'Express',
    file: 'express.static',
    install: 'npm install express',
    listener: (app: unknown) => app as RequestListener,
  },
  {
    name: 'Hono',
    file: 'new Hono()',
    install: 'npm install hono',
    listener: (app: unknown) => getRequestListener((app as { fetch: () => Response }).fetch),
  },
])('the app for $name in the guide', ({ name, file, install, listener }) => {
  test('imports only packages that the guide installs', () => {
    const imported = [...guide.block(file).matchAll(/from '((?:@[\w-]+\/)?[\w-]+)/g)].map(
      ([, found]) => found,
    );
    const installed = `${guide.block(install)} latchkey`.split(/\s+/);
    expect(imported.length).toBeGreaterThan(1);
    expect(imported.filter((found) => !installed.includes(`${found}`))).toEqual([]);
  });

  test('signs users up, shows orders to signed-in users, and refuses others', async () => {
    const { createApp } = await importBlocks({ 'app.ts': guide.block(file) });
    const url = await listen(createServer(listener((createApp as CreateApp<unknown>)(service.auth))));
    const { browser, username } = await signUpAt(url);
    expect((await browser.get('/orders')).body).toEqual({ ordersOf: username });
    const refused = await createAgent(url, origin).get('/orders');
    expect([refused.status, refused.body.code]).toEqual([401, 'not_authenticated']);
    if (name !== 'Express') return;
    expect((await browser.delete('/orders/1')).body.code).toBe('forbidden');
    await service.auth.asOperator('ops').users.changeRole(username, 'admin');
    expect((await browser.delete('/orders/1')).status).toBe(204);
  });
});

test('node:http serves the endpoints without a framework', async () => {
  const code = `${statementsOf(guide.block('const server = createServer'))}\nreturn server;`;
  const server = (await runStatements(code, { createServer, toNodeHandler, auth: service.auth })) as Server;
  const url = await listen(server);
  expect((await (await signUpAt(url)).browser.get('/auth/session')).status).toBe(200);
  expect((await createAgent(url, origin).get('/other')).status).toBe(404);
});

test('with only the headers of a GET request, requireAccess and sessionOf find the user', async () => {
  const { browser } = await signUp(service, { username: 'ada' });
  const headers = new Headers(cookieHeader(browser));
  const require = `${guide.block('auth.requireAccess(headers')}\nreturn user.username;`;
  expect(await runStatements(require, { auth: service.auth, headers })).toBe('ada');
  await expect(service.auth.requireAccess(new Headers(), { method: 'GET' })).rejects.toMatchObject({
    code: 'not_authenticated',
  });
  const escapeHtml = (text: string) => text;
  const render = (request: object) =>
    runStatements(`${guide.block('const html')}\nreturn html;`, { auth: service.auth, request, escapeHtml });
  expect(await render({ headers: cookieHeader(browser), method: 'GET' })).toBe('<p>Hello ada</p>');
  expect(await render({ headers: {}, method: 'GET' })).toContain('Sign in');
});

test('the server for WebSockets refuses other users and other origins, and closes with the session', async () => {
  const { acceptWebSockets } = await importBlocks({ 'web-sockets.ts': guide.block('// web-sockets.ts') });
  const server = createServer();
  (acceptWebSockets as (server: Server, auth: AuthService) => void)(server, service.auth);
  const url = await listen(server);
  const { browser } = await signUp(service);
  const open = (headers: Record<string, string>) => {
    const received: string[] = [];
    const webSocket = new WebSocket(url.replace('http', 'ws'), { headers });
    webSocket.on('message', (text) => received.push(`${text}`));
    webSocket.on('close', (code, reason) => received.push(`closed ${code} ${reason}`));
    webSocket.on('error', () => received.push('refused'));
    return received;
  };
  const own = open({ ...cookieHeader(browser), Origin: origin });
  const refused = [
    open({ Origin: origin }),
    open({ ...cookieHeader(browser), Origin: 'https://evil.example' }),
  ];
  await eventually(() => [own, ...refused].every((received) => received.length > 0));
  expect(own).toEqual([expect.stringMatching(/^Hello /)]);
  expect(refused.map(([first]) => first)).toEqual(['refused', 'refused']);
  await browser.delete('/auth/session');
  await eventually(() => own.length === 2);
  expect(own[1]).toBe('closed 4401 ended');
});
