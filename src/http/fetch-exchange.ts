import { type IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import type { Context } from 'koa';
import { withoutConnection } from './problem.ts';

/**
 * Returns a Fetch API `Request` in the form that Koa reads.
 *
 * @param address the IP address of the client; null: unknown
 */
export function incomingFrom(request: Request, address: string | null): IncomingMessage {
  const { pathname, search } = new URL(request.url);
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  // A `Request` that code has created, for example in a test, has no header with the length of its body. Some servers
  // give every request a body, so only a body with a Content-Type counts.
  if (request.body && headers['content-type'] !== undefined && headers['content-length'] === undefined)
    headers['transfer-encoding'] = 'chunked';
  return Object.assign(readableFrom(request.body), {
    method: request.method,
    url: `${pathname}${search}`,
    headers,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: { remoteAddress: address ?? undefined },
  }) as unknown as IncomingMessage;
}

/** Reads the body only when an endpoint reads it, so that the server still controls the body of a refused request. */
function readableFrom(body: Request['body']): Readable {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new Readable({
    async read() {
      if (!body) return void this.push(null);
      try {
        reader ??= body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
        const { done, value } = await reader.read();
        this.push(done ? null : value);
      } catch (error) {
        this.destroy(error as Error);
      }
    },
  });
}

/** Creates the object in which Koa collects the status and the headers of a response. */
export const outgoingFor = (request: IncomingMessage): ServerResponse => new ServerResponse(request);

/**
 * Returns the response that Koa has collected, as a Fetch API `Response`. A stream stays a stream, so that the client
 * decides how fast the service reads it.
 */
export function responseFrom(ctx: Context): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.res.getHeaders()))
    for (const each of [value ?? []].flat()) headers.append(name, `${each}`);
  const { status, body } = ctx;
  const init = { status, headers: withoutConnection(headers) };
  if (body instanceof Readable && ctx.method !== 'HEAD') {
    // With Koa's own server, this event means that the response is complete or that the client has disconnected.
    body.once('close', () => ctx.res.emit('close'));
    return new Response(webStreamOf(body), init);
  }
  ctx.res.emit('close');
  if (body == null || ctx.method === 'HEAD') return new Response(null, init);
  return new Response(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), init);
}

/** Replaces `Readable.toWeb`, which reports an error if the client disconnects before the end. */
function webStreamOf(body: Readable): ReadableStream {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}
