import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Writable } from 'node:stream';

/** An answer to a request that no browser would send. `body` is the parsed JSON, or null where there is none. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, wrong ones included
  body: any;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Whose connections to use; one of its own by default. */
  agent?: Agent | false;
  /** Sent with its Content-Length; chunk by chunk where it comes in pieces. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Sends just what is asked for: no cookies, no Origin, no Content-Type unless they are given. */
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
    // A server may answer before it has read everything, and close: the answer counts, not the unsent rest.
    outgoing.on('error', (error) => answered || reject(error));
    // As bytes: Node would otherwise send the headers in the encoding of the text.
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

/** Waits until the other side has taken what was written, or is gone. */
export async function drained(stream: Writable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const gone = once(stream, 'close', { signal });
  // A connection that is reset says so as an error first; both mean that nobody is there to take it.
  await Promise.race([once(stream, 'drain', { signal }), gone]).catch(() => {});
  over.abort();
  await gone.catch(() => {});
}
