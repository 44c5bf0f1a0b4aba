import type { Context } from 'koa';
import getRawBody from 'raw-body';

/** Of JSON: a content of 20 kB may take six times as much where all of it has to be escaped. */
const largestBody = 128 * 1024;

/** Reads a JSON body, and no more than a file can need. */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is('application/json')) ctx.throw(415, 'Send the body as application/json.');
  const text = await getRawBody(ctx.req, {
    limit: largestBody,
    length: ctx.request.length,
    encoding: 'utf-8',
  }).catch(() => ctx.throw(413, 'That is too much for one file.'));
  try {
    return JSON.parse(text);
  } catch {
    return ctx.throw(400, 'The body is not JSON.');
  }
}
