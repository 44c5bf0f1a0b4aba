import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Writable } from 'node:stream';

/** The response to a raw request. `body` is the parsed JSON, or null if the response has none. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape, including wrong ones
  body: any;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** The agent whose connections the request reuses. By default, each request opens a new connection. */
  agent?: Agent | false;
  /** A string or bytes are sent with a Content-Length. An iterable is sent in chunks. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Sends a request with only the given headers. By default, it has no Cookie, Origin or Content-Type header. */
export function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, agent = false }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const whole = typeof body === 'string' || body instanceof Uint8Array;
    const outgoing = request({
      hostname,
      port,
      method,
      path,
      agent,
      headers: {
        ...(whole && { 'Content-Length': `${Buffer.byteLength(body)}` }),
        ...(!whole && body && !('Content-Length' in headers) && { 'Transfer-Encoding': 'chunked' }),
        ...headers,
      },
    });
    let answered = false;
    outgoing.on('response', (incoming) => {
      answered = true;
      readAnswer(incoming).then(resolve, reject);
    });
    // A server may respond and close the connection before it reads the whole body.
    outgoing.on('error', (error) => answered || reject(error));
    // If the body is a string, Node.js sends the headers in the encoding of the body. So the body is converted to
    // bytes.
    if (body === undefined || whole) outgoing.end(whole ? Buffer.from(body) : undefined);
    else void sendPieces(outgoing, body, () => answered);
  });
}

async function readAnswer(incoming: IncomingMessage): Promise<RawAnswer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  const isJson = /[/+]json\b/.test(incoming.headers['content-type'] ?? '');
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text,
    body: text && isJson ? JSON.parse(text) : null,
  };
}

async function sendPieces(
  outgoing: ReturnType<typeof request>,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isAnswered: () => boolean,
): Promise<void> {
  for await (const piece of pieces) {
    if (isAnswered() || outgoing.destroyed) break;
    if (!outgoing.write(piece)) await drained(outgoing);
  }
  if (!outgoing.destroyed) outgoing.end();
}

export async function drained(stream: Writable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const gone = once(stream, 'close', { signal });
  // A reset connection emits an error before it closes.
  await Promise.race([once(stream, 'drain', { signal }), gone]).catch(() => {});
  over.abort();
  await gone.catch(() => {});
}
