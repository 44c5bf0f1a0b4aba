import { createHash } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthService } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { type Person, signUp } from '../support/person.ts';
import { randomBytesOf } from '../support/random.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { startRecovering } from './support/recovery.ts';

const randomBytes = randomBytesOf('features/session-of-websocket');

let service: TestService;
let person: Person;
let server: Server;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
  server = await startSocketServer(service.auth);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await service.close();
});

/** An application's server that accepts WebSocket handshakes (RFC 6455, 4.2.2) from signed-in users. */
async function startSocketServer(auth: AuthService): Promise<Server> {
  const server = createServer();
  server.on('upgrade', async (handshake, socket) => {
    socket.on('error', () => socket.destroy());
    const read = await auth.sessionOf(handshake).catch(() => null);
    if (!read) {
      socket.write('HTTP/1.1 401 Unauthorized\r\n\r\n');
      return socket.destroy();
    }
    const accept = createHash('sha1')
      .update(`${handshake.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    const head = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n`;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head}X-User: ${read.user.username}\r\n\r\n`);
    socket.on('end', () => socket.end()).resume();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** Returns the status of a handshake and the user that the server recognized. */
function connect(headers: Record<string, string>): Promise<{ status?: number | undefined; user: unknown }> {
  const { port } = server.address() as AddressInfo;
  const key = randomBytes(16).toString('base64');
  const fixed = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: '/socket',
      agent: false,
      headers: { ...fixed, 'Sec-WebSocket-Key': key, ...headers },
    });
    outgoing.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode, user: answer.headers['x-user'] });
    });
    outgoing.on('response', (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, user: undefined });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('a page of a configured origin can open a socket as the signed-in user', async () => {
  expect(await connect({ ...cookieHeader(person.browser), Origin: origin })).toEqual({
    status: 101,
    user: person.username,
  });
});

test('a client that sends the cookie without an Origin header can open a socket', async () => {
  expect((await connect({ ...cookieHeader(person.browser) })).status).toBe(101);
});

test('cross-site WebSocket hijacking: a page of another origin cannot open a socket, even with the user’s cookie', async () => {
  for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`, 'http://localhost:3001']) {
    service.logged.length = 0;
    expect((await connect({ ...cookieHeader(person.browser), Origin: foreign })).status).toBe(401);
    expect(service.logged).toEqual([
      {
        level: 'warn',
        message: 'rejected a cross-origin upgrade /socket',
        fields: { origin: foreign, site: '', expected: [origin] },
      },
    ]);
  }
});

test('a handshake is rejected without a session, with a recovery session, and with an ended session', async () => {
  expect((await connect({ Origin: origin })).status).toBe(401);
  const { browser } = await startRecovering(service);
  expect((await connect({ ...cookieHeader(browser), Origin: origin })).status).toBe(401);
  const other = await signUp(service);
  const headers = { ...cookieHeader(other.browser), Origin: origin };
  expect((await connect(headers)).status).toBe(101);
  await other.browser.delete('/auth/session');
  expect((await connect(headers)).status).toBe(401);
});
