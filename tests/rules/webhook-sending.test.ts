import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Resolve } from '../../src/webhooks/lookup.ts';
import { openChannel } from '../../src/webhooks/send.ts';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';

const timeouts = holdTimeouts(15_000);
const message = { headers: { 'webhook-id': 'one' }, body: '{"specversion":"1.0"}' };
const local = { allowedNetworks: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }] };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a receiver. Returns its port and the bodies that it got. */
async function receive(answer: (response: ServerResponse, request: IncomingMessage) => unknown) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    bodies.push(body);
    await answer(response, request);
  });
  return { bodies, port: await listen(server) };
}

async function listen(server: Pick<Server, 'listen' | 'address' | 'close' | 'once'>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server as Server, 'listening');
  closing.push(() => {
    (server as Server).closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function sendTo(url: string, settings = local, find?: Resolve, signal?: AbortSignal) {
  const channel = openChannel(url, settings, find);
  closing.push(() => channel.close());
  return channel.send(message, signal);
}

/** A resolver that returns these addresses, one list for each call, and the hosts that it was asked for. */
function resolver(...answers: string[][]) {
  const hosts: string[] = [];
  const find: Resolve = (host, _, callback) => {
    hosts.push(host);
    const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { find, hosts };
}

describe('a receiver accepts an event', () => {
  test.each([200, 201, 202, 204])('with the status %s', async (status) => {
    const { port, bodies } = await receive((response) => response.writeHead(status).end());
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({ fault: null, status });
    expect(bodies).toEqual([message.body]);
  });

  test('even if its response is huge, of which only the beginning is read', async () => {
    let sent = 0;
    const { port } = await receive((response) => {
      const chunk = Buffer.alloc(16 * 1024);
      const more = (): void => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({ fault: null, status: 200 });
    await eventually(() => sent > 0);
  });
});

describe('a receiver does not accept an event', () => {
  test.each([301, 302, 307, 308])('with the redirect %s, which is not followed', async (status) => {
    const target = await receive((response) => response.end());
    const { port } = await receive((response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({
      fault: 'redirected',
      status,
      retryAfterMs: null,
    });
    expect(target.bodies).toEqual([]);
  });

  test.each([400, 404, 410, 429, 500, 503])('with the status %s', async (status) => {
    const { port } = await receive((response) => response.writeHead(status, { 'Retry-After': '7' }).end());
    const attempted = await sendTo(`http://127.0.0.1:${port}/`);
    expect(attempted).toEqual({ fault: 'refused', status, retryAfterMs: 7000 });
  });

  test('if its response ends early', async () => {
    const { port } = await receive((response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toMatchObject({ fault: 'incomplete' });
  });

  test('if it answers before it has the complete event', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const port = await listen(server as unknown as Server);
    const channel = openChannel(`http://127.0.0.1:${port}/`, local);
    closing.push(() => channel.close());
    const huge = { headers: {}, body: 'x'.repeat(50_000_000) };
    expect(await channel.send(huge)).toMatchObject({ fault: 'incomplete', status: 200 });
  });

  test('if nothing listens', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toMatchObject({ fault: 'connection_failed' });
  });

  test('if its certificate is not valid', async () => {
    const server = createTlsServer({});
    const port = await listen(server);
    expect(await sendTo(`https://127.0.0.1:${port}/`)).toMatchObject({ fault: 'tls_failed' });
  });

  test('if its host has no address', async () => {
    const find: Resolve = (_, __, callback) =>
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    expect(await sendTo('https://hooks.example/', local, find)).toMatchObject({ fault: 'unknown_host' });
  });

  test('if it does not answer within 15 seconds', async () => {
    const { port, bodies } = await receive(() => {});
    const sending = sendTo(`http://127.0.0.1:${port}/`);
    await eventually(() => bodies.length === 1);
    timeouts.expire(15_000);
    expect(await sending).toEqual({ fault: 'timeout', status: null, retryAfterMs: null });
  });

  test('if it switches to another protocol', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
      );
    });
    const port = await listen(server as unknown as Server);
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({
      fault: 'refused',
      status: 101,
      retryAfterMs: null,
    });
  });

  test('if its response does not end within 15 seconds', async () => {
    const { port, bodies } = await receive((response) => response.writeHead(200).write('slow'));
    const sending = sendTo(`http://127.0.0.1:${port}/`);
    await eventually(() => bodies.length === 1);
    timeouts.expire(15_000);
    expect(await sending).toMatchObject({ fault: 'timeout' });
  });
});

test('an aborted attempt rejects, so that it counts as neither accepted nor failed', async () => {
  const { port, bodies } = await receive(() => {});
  const stop = new AbortController();
  const sending = sendTo(`http://127.0.0.1:${port}/`, local, undefined, stop.signal);
  await eventually(() => bodies.length === 1);
  stop.abort();
  await expect(sending).rejects.toThrow();
});

test('a connection that the receiver closes between two events causes no failure', async () => {
  const { port, bodies } = await receive((response) => response.end());
  const channel = openChannel(`http://127.0.0.1:${port}/`, local);
  closing.push(() => channel.close());
  for (let count = 0; count < 3; count += 1)
    expect(await channel.send(message)).toEqual({ fault: null, status: 200 });
  expect(bodies).toHaveLength(3);
});

describe('an address that is not public gets nothing', () => {
  const none = { allowedNetworks: [] };

  test('as an address in the URL', async () => {
    const { port, bodies } = await receive((response) => response.end());
    expect(await sendTo(`http://127.0.0.1:${port}/`, none)).toMatchObject({ fault: 'address_refused' });
    expect(bodies).toEqual([]);
  });

  test.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['169.254.169.254']])(
    'as the address of a host: %s',
    async (address) => {
      const { port, bodies } = await receive((response) => response.end());
      const { find } = resolver([address]);
      const attempted = await sendTo(`http://hooks.example:${port}/`, none, find);
      expect(attempted).toMatchObject({ fault: 'address_refused' });
      expect(bodies).toEqual([]);
    },
  );

  test('if the address of the host changes after the check (DNS rebinding)', async () => {
    const { port, bodies } = await receive((response) => response.end());
    // The first lookup finds an allowed address. A second lookup would find the address of the receiver.
    const { find, hosts } = resolver(['127.0.0.2'], ['127.0.0.1']);
    const one = { allowedNetworks: [{ address: '127.0.0.2', prefix: 32, family: 'ipv4' as const }] };
    expect(await sendTo(`http://hooks.example:${port}/`, one, find)).toMatchObject({
      fault: 'connection_failed',
    });
    expect(hosts).toEqual(['hooks.example']);
    expect(await sendTo(`http://hooks.example:${port}/`, one, find)).toMatchObject({
      fault: 'address_refused',
    });
    expect(bodies).toEqual([]);
  });

  test('if the host has a reachable address, too', async () => {
    const { port, bodies } = await receive((response) => response.end());
    const { find } = resolver(['127.0.0.1', '127.0.0.3']);
    const one = { allowedNetworks: [{ address: '127.0.0.3', prefix: 32, family: 'ipv4' as const }] };
    expect(await sendTo(`http://hooks.example:${port}/`, one, find)).toMatchObject({
      fault: 'connection_failed',
    });
    expect(bodies).toEqual([]);
  });

  test('if the connection has another address than the lookup found', async () => {
    const { port, bodies } = await receive((response) => response.end());
    // Linux connects 0.0.0.0 to a loopback address.
    const every = { allowedNetworks: [{ address: '0.0.0.0', prefix: 32, family: 'ipv4' as const }] };
    const { find } = resolver(['0.0.0.0']);
    for (const host of ['0.0.0.0', 'hooks.example'])
      expect(await sendTo(`http://${host}:${port}/`, every, find)).toMatchObject({
        fault: 'address_refused',
      });
    expect(bodies).toEqual([]);
  });
});
