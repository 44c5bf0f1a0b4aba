import type { Context } from 'koa';
import { AuthError } from 'latchkey';
import getRawBody from 'raw-body';

/** In bytes. The text of a file is at most 20 kB. In JSON, an escaped character of one byte becomes six bytes. */
const largestBody = 128 * 1024;
const slowestBodyMs = 10_000;

/**
 * Reads a JSON body. The size limit allows the largest file.
 *
 * @throws AuthError `unsupported_media_type` (415) | `body_too_large` (413) | `request_timeout` (408) |
 *   `invalid_request` (400)
 */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is('application/json')) throw new AuthError('unsupported_media_type');
  const text = await readText(ctx);
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError('invalid_request', { message: 'The body is not JSON.' });
  }
}

async function readText(ctx: Context): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AuthError('request_timeout', unread)), slowestBodyMs);
  });
  try {
    const reading = getRawBody(ctx.req, {
      limit: largestBody,
      length: ctx.request.length,
      encoding: 'utf-8',
    });
    // After a timeout, no code awaits this promise. Without this handler, its error would be an unhandled rejection.
    reading.catch(() => {});
    return await Promise.race([reading, tooSlow]);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    if ((error as { type?: string }).type === 'entity.too.large')
      throw new AuthError('body_too_large', unread);
    throw new AuthError('invalid_request', { message: 'The body is incomplete.', cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The rest of the body is not read, so the connection cannot be used for another request. */
const unread = { headers: { Connection: 'close' } };
