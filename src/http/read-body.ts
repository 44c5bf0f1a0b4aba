import { isUtf8 } from 'node:buffer';
import { parse as parseQuery } from 'node:querystring';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot';
import { bounds } from '../core/bounds.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import { assertPlainJson, invalid, parseJson } from './json.ts';

/**
 * Reads the JSON body of a request and checks it against a schema. A missing body counts as `{}`.
 *
 * If a body parser of the application has already read the body, this function parses the `rawBody` that the body
 * parser keeps. Without `rawBody`, this function uses the parsed value, in which it cannot find duplicate keys.
 *
 * @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request`
 */
export async function readBody<Schema extends GenericSchema>(
  ctx: Context,
  schema: Schema,
): Promise<InferOutput<Schema>> {
  return check(schema, await readJson(ctx));
}

/**
 * Reads a body that is a UTF-8 text of any content type.
 *
 * @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request`
 */
export async function readText(ctx: Context): Promise<string> {
  if (!isUnencoded(ctx)) throw new AuthError('unsupported_media_type');
  const { rawBody } = ctx.request as { rawBody?: unknown };
  if (typeof rawBody !== 'string') assertUnread(ctx);
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody) : await readBytes(ctx);
  if (bytes.length > bounds.bodyBytes) throw tooLarge();
  if (!isUtf8(bytes)) throw invalid({ path: '', message: 'expected UTF-8' });
  return bytes.toString();
}

/**
 * Checks the query parameters of a request against a schema.
 *
 * Does not use `ctx.query`. For each parameter, Koa 3 searches all parameters, so thousands of parameters would block
 * the event loop for a third of a second.
 *
 * @throws AuthError `invalid_request`
 */
export function readQuery<Schema extends GenericSchema>(ctx: Context, schema: Schema): InferOutput<Schema> {
  return check(schema, { ...parseQuery(ctx.querystring, '&', '=', { maxKeys: bounds.bodyValues }) });
}

function check<Schema extends GenericSchema>(schema: Schema, value: unknown): InferOutput<Schema> {
  assertPlainJson(value);
  // Valibot accepts an array as an object, so without this check, `[]` would pass if no property is required.
  if (Array.isArray(value)) throw invalid({ path: '', message: 'expected an object' });
  const result = safeParse(schema, value);
  if (result.success) return result.output;
  throw invalid(...result.issues.map((issue) => ({ path: getDotPath(issue) ?? '', message: issue.message })));
}

async function readJson(ctx: Context): Promise<unknown> {
  const isJson = ctx.is('application/json');
  // Null: the request has no body. For a POST without a body, browsers send a Content-Length of 0.
  if (isJson === null || ctx.request.length === 0) return {};
  const charset = ctx.request.charset.toLowerCase();
  const readable = (charset === '' || charset === 'utf-8') && isUnencoded(ctx);
  if (isJson === false || !readable) throw new AuthError('unsupported_media_type');

  const { body: parsed, rawBody } = ctx.request as { body?: unknown; rawBody?: unknown };
  if (typeof rawBody === 'string') return parseBytes(Buffer.from(rawBody));
  if (parsed !== undefined) {
    if ((ctx.request.length ?? 0) > bounds.bodyBytes) throw tooLarge();
    return parsed;
  }
  assertUnread(ctx);
  return parseBytes(await readBytes(ctx));
}

const isUnencoded = (ctx: Context) => ['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase());

/**
 * Without this check, the request would wait until the time limit for a body that other code has already read.
 *
 * @throws TypeError if a middleware of the application has read the body and kept neither the value nor the text
 */
function assertUnread({ req }: Context): void {
  if (!req.readableDidRead) return;
  throw new TypeError(
    'The request body was read before createAuthRouter could read it. Mount createAuthRouter before the middleware ' +
      'that reads the body, or let this middleware keep the text in ctx.request.rawBody.',
  );
}

/** Also closes the connection, because the rest of the body stays unread. */
const tooLarge = () => new AuthError('body_too_large', { headers: { Connection: 'close' } });

function parseBytes(bytes: Buffer): unknown {
  // The limit of the application's body parser can be higher.
  if (bytes.length > bounds.bodyBytes) throw tooLarge();
  return bytes.length === 0 ? {} : parseJson(bytes);
}

async function readBytes(ctx: Context): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AuthError('request_timeout', { headers: { Connection: 'close' } })),
      bounds.bodySeconds * second,
    );
  });
  try {
    const reading = getRawBody(ctx.req, {
      limit: bounds.bodyBytes,
      length: ctx.get('Content-Length') || null,
    });
    return await Promise.race([reading, limit]);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw tooLarge();
    throw new AuthError('invalid_request', { message: 'The request body is incomplete.', cause: error });
  } finally {
    clearTimeout(timer);
  }
}
