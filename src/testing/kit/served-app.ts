import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** A Koa app, or an object with the same `callback` method. */
export interface TestableApp {
  callback(): RequestListener;
}

/** An app behind a real HTTP server. */
export interface ServedApp {
  /** @throws Error after `close` */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server for an app at the first request. The server does not keep the process running.
 *
 * @param make returns the app; called at the first request
 */
export function serveLazily(make: () => TestableApp): ServedApp {
  const connections = new Agent({ keepAlive: true });
  let listening: Promise<Server> | undefined;
  let closed = false;
  return {
    async fetch(request) {
      if (closed) throw new Error('this test service is closed');
      listening ??= listen(make());
      const { port } = (await listening).address() as AddressInfo;
      return sendTo(port, request, connections);
    },
    async close() {
      closed = true;
      const server = await listening;
      // Ends all connections of the server, so that `server.close` does not wait for them.
      connections.destroy();
      if (server) await new Promise((done) => server.close(done));
    },
  };
}

async function listen(app: TestableApp): Promise<Server> {
  const server = createServer(app.callback()).on('connection', (socket) => socket.unref());
  // Zero: the server keeps idle connections open. Otherwise a request could fail because the server closes its
  // connection.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.unref();
}

/**
 * Sends a request with the host of its URL. Does not use the global `fetch`, because `fetch` would send 127.0.0.1 as
 * the host, and because a test can replace `fetch` with a stub.
 */
async function sendTo(port: number, request: Request, agent: Agent): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const outgoing = send({
    port,
    host: '127.0.0.1',
    method: request.method,
    path: `${pathname}${search}`,
    // Node.js sets `content-length` only for some of the methods that can have a body.
    headers: {
      host,
      ...(body.length > 0 && { 'content-length': body.length }),
      ...Object.fromEntries(request.headers),
    },
    agent,
    signal: request.signal,
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(body);
  const [incoming] = await answered;
  return responseOf(incoming);
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  // Responses with these statuses must have a null body (Fetch Standard).
  if (![204, 205, 304].includes(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, statusText, headers });
  incoming.resume();
  return new Response(null, { status, statusText, headers });
}
