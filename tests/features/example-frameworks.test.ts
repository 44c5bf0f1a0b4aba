import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { AuthService, ReadSession } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createApp as createExpressApp } from '../../examples/express/app.ts';
import { createApp as createHonoApp } from '../../examples/hono/app.ts';
import { acceptWebSockets, createApp as createChat } from '../../examples/websocket/app.ts';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { send } from '../support/raw-request.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

interface Running {
  url: string;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<Running> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const signUpAt = (url: string): Promise<Person> =>
  signUp({ ...service, url }, { browser: createAgent(url, origin) });

describe.each<[name: string, listener: (auth: AuthService) => RequestListener]>([
  ['Express', createExpressApp],
  ['Hono', (auth) => getRequestListener(createHonoApp(auth).fetch)],
])('the example for %s', (_, listener) => {
  let running: Running;
  let person: Person;
  let browser: TestAgent;
  beforeAll(async () => {
    running = await listen(createServer(listener(service.auth)));
    person = await signUpAt(running.url);
    browser = person.browser;
  });
  afterAll(() => running.close());

  test('shows a page, its script, and the well-known paths', async () => {
    const page = await send(running.url, '/');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(page.text).toContain("from '/client.js'");
    const script = await send(running.url, '/client.js');
    expect([script.status, script.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/javascript/),
    ]);
    expect((await send(running.url, '/.well-known/webauthn')).body).toEqual({ origins: [origin] });
  });

  test('greets a user after a sign-up and after a sign-in, but not after a sign-out', async () => {
    const greeting = { greeting: `Hello ${person.username}` };
    expect((await browser.get('/greeting')).body).toEqual(greeting);
    await browser.delete('/auth/session');
    const refused = await browser.get('/greeting');
    expect([refused.status, refused.body.code]).toEqual([401, 'not_authenticated']);
    await logIn(browser, person.authenticator);
    expect((await browser.get('/greeting')).body).toEqual(greeting);
  });

  test('shows the figures only to admins', async () => {
    const refused = await browser.get('/figures');
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    await setRole(service, person, 'admin');
    expect((await browser.get('/figures')).body).toEqual({ readBy: person.username });
  });

  test('changes the greeting only with fresh authentication, and never for another site', async () => {
    expect((await browser.post('/greeting', { greeting: 'Hi' })).body).toEqual({ greeting: 'Hi' });
    const foreign = await browser.post('/greeting', { greeting: 'Hi' }, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'cross_origin_request']);
    await service.database.sql`
      update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
    const stale = await browser.post('/greeting', { greeting: 'Hi' });
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required']);
  });
});

describe('the example for WebSockets', () => {
  let running: Running;
  beforeAll(async () => {
    const server = createServer(createChat(service.auth).callback());
    acceptWebSockets(server, service.auth);
    running = await listen(server);
  });
  afterAll(() => running.close());

  /** Opens a WebSocket. Collects what it receives, and how it ended. */
  function open(headers: Record<string, string>) {
    const received: string[] = [];
    const webSocket = new WebSocket(`${running.url.replace('http', 'ws')}/chat`, { headers });
    webSocket.on('message', (data) => received.push(`${data}`));
    webSocket.on('close', (code, reason) => received.push(`closed ${code} ${reason}`));
    webSocket.on('unexpected-response', (_request, response) => received.push(`${response.statusCode}`));
    webSocket.on('error', () => {});
    return { webSocket, received };
  }
  const openAs = ({ browser }: Person, from = origin) => open({ ...cookieHeader(browser), Origin: from });

  test('lets signed-in users chat', async () => {
    const [ada, ben] = [await signUpAt(running.url), await signUpAt(running.url)];
    const [a, b] = [openAs(ada), openAs(ben)];
    await eventually(() => a.received.length + b.received.length === 2);
    a.webSocket.send('good day');
    await eventually(() => a.received.length === 2 && b.received.length === 2);
    expect(b.received).toEqual([`Hello ${ben.username}`, `${ada.username}: good day`]);
    a.webSocket.terminate();
    b.webSocket.terminate();
  });

  test('refuses a handshake without a session, and a handshake from a page of another site', async () => {
    const person = await signUpAt(running.url);
    for (const { received } of [open({ Origin: origin }), openAs(person, 'https://evil.example')]) {
      await eventually(() => received.length > 0);
      expect(received[0]).toBe('401');
    }
  });

  test('closes the WebSocket when the user signs out, and when the role changes', async () => {
    const [leaving, promoted] = [await signUpAt(running.url), await signUpAt(running.url)];
    const [a, b] = [openAs(leaving), openAs(promoted)];
    await eventually(() => a.received.length + b.received.length === 2);
    await leaving.browser.delete('/auth/session');
    await service.auth.asOperator('ops').users.changeRole(promoted.username, 'admin');
    await eventually(() => a.received.length + b.received.length === 4);
    expect([a.received[1], b.received[1]]).toEqual(['closed 4401 ended', 'closed 4401 changed']);
  });

  test('ignores messages of a client that does not close the WebSocket', async () => {
    const [stubborn, witness] = [await signUpAt(running.url), await signUpAt(running.url)];
    const [a, b] = [openAs(stubborn), openAs(witness)];
    await eventually(() => a.received.length + b.received.length === 2);
    const ended: string[] = [];
    const read = await service.auth.sessionOf(cookieHeader(stubborn.browser));
    service.auth.watchSession(read as ReadSession, (reason) => ended.push(reason));
    // The client does not read the close frame, and continues to send.
    a.webSocket.pause();
    await stubborn.browser.delete('/auth/session');
    await eventually(() => ended.length > 0);
    a.webSocket.send('still here');
    a.webSocket.resume();
    await eventually(() => a.received.length === 2);
    b.webSocket.send('good day');
    await eventually(() => b.received.length === 2);
    expect(b.received[1]).toBe(`${witness.username}: good day`);
    b.webSocket.terminate();
  });
});
