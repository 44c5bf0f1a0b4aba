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

/** What can be served: a Koa app. */
export interface TestableApp {
  callback(): RequestListener;
}

/** An app behind a real HTTP server, which listens from the first request on. */
export interface ServedApp {
  /** @throws Error once it is closed */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Nothing of it keeps a process alive whose test has forgotten to close it.
 *
 * @param make gives the app, as late as that
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
      // There are no others, so that nothing is left to wait for.
      connections.destroy();
      if (server) await new Promise((done) => server.close(done));
    },
  };
}

async function listen(app: TestableApp): Promise<Server> {
  const server = createServer(app.callback()).on('connection', (socket) => socket.unref());
  // No connection is to end by itself just when the next request takes it.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.unref();
}

/**
 * Node's own `fetch` would name 127.0.0.1 as the host, and may be a test's stub; so does this what `fetch` does, for
 * the host of the request's URL.
 */
async function sendTo(port: number, request: Request, agent: Agent): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const outgoing = send({
    port,
    host: '127.0.0.1',
    method: request.method,
    path: `${pathname}${search}`,
    // Said here, since Node does not say it for every method that may have a body.
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
  // A Response of these must have no body, not even an empty one.
  if (![204, 205, 304].includes(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, statusText, headers });
  incoming.resume();
  return new Response(null, { status, statusText, headers });
}
