import { once } from 'node:events';
import { Agent, createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connections, connectionsOf } from '../../examples/server/drain.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/raw-request.ts';

let server: Server;
let connections: Connections;
let url: string;
let agent: Agent;
/** The responses that the server has not sent. */
let pending: ServerResponse[];
/** The server's side of its connections. */
let sockets: Socket[];

beforeEach(async () => {
  pending = [];
  sockets = [];
  server = createServer((request, response) => {
    if (request.url === '/slow') pending.push(response);
    else response.end('done');
  });
  server.on('connection', (socket) => sockets.push(socket));
  connections = connectionsOf(server);
  agent = new Agent({ keepAlive: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

const get = (path: string) => send(url, path, { agent });

/** Starts to drain. `isOver` returns whether all connections are closed. */
function drain(options: { lingerMs: number; graceMs: number }) {
  let isOver = false;
  const draining = connections.drain(options).then(() => {
    isOver = true;
  });
  return { draining, isOver: () => isOver };
}

test('an idle connection accepts requests for the linger time, and is then closed', async () => {
  await get('/');
  const { draining, isOver } = drain({ lingerMs: 1000, graceMs: 6000 });
  await vi.advanceTimersByTimeAsync(950);
  expect((await get('/')).text).toBe('done');
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  await draining;
});

test('without a linger time, an idle connection is closed immediately', async () => {
  await get('/');
  await drain({ lingerMs: 0, graceMs: 6000 }).draining;
});

test('new connections are refused', async () => {
  await get('/');
  const { draining } = drain({ lingerMs: 1000, graceMs: 6000 });
  await expect(send(url, '/')).rejects.toThrow('ECONNREFUSED');
  await vi.advanceTimersByTimeAsync(1050);
  await draining;
});

test('a running request is finished', async () => {
  const answer = get('/slow');
  await eventually(() => pending.length === 1);
  const { draining, isOver } = drain({ lingerMs: 0, graceMs: 6000 });
  await vi.advanceTimersByTimeAsync(5999);
  expect(isOver()).toBe(false);
  pending[0]?.end('finished');
  expect((await answer).text).toBe('finished');
  await vi.advanceTimersByTimeAsync(0);
  server.closeIdleConnections();
  await draining;
});

test('a running request and a connection without a request are closed after the grace time', async () => {
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  silent.on('error', () => {});
  await once(server, 'connection');
  const answer = get('/slow').catch((error) => error.code);
  await eventually(() => pending.length === 1);
  const { draining } = drain({ lingerMs: 0, graceMs: 6000 });
  await vi.advanceTimersByTimeAsync(5999);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  await draining;
  expect(await answer).toBe('ECONNRESET');
  silent.destroy();
});
