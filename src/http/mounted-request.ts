import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { bounds } from '../core/bounds.ts';
import { shortened } from '../core/shortened.ts';

/** The properties that Express and Connect add to a request. */
interface MountedRequest extends IncomingMessage {
  /** Express: the path at which the middleware is mounted. Express removes this path from `url`. */
  baseUrl?: unknown;
  /** Connect: the URL before Connect has removed the path of the middleware. */
  originalUrl?: unknown;
  /** The body that a body parser has read. */
  body?: unknown;
}

/**
 * Returns the URL of a request, including the path at which the handler is mounted.
 *
 * @throws TypeError if no URL under the mount path can start with the prefix
 */
export function completeUrl(request: MountedRequest, prefix: string): string {
  const { url = '/', baseUrl, originalUrl } = request;
  if (typeof baseUrl !== 'string') return typeof originalUrl === 'string' ? originalUrl : url;
  // Express ignores the case of a mount path. A client that writes the path in another case must not cause an error.
  if (!`${prefix}/`.toLowerCase().startsWith(`${baseUrl}/`.toLowerCase().replace(/^\/$/, ''))) {
    const path = shortened(baseUrl, bounds.quotedCharacters);
    throw new TypeError(
      `toNodeHandler: the handler is mounted at ${path}, so no request reaches ${prefix}. Mount it without a path, or pass the complete path of the endpoints, for example { prefix: '${path}/auth' }`,
    );
  }
  return `${baseUrl}${url}`;
}

/**
 * Lets the endpoints use the body that a body parser of the application has read.
 *
 * Some body parsers set `request.body` to `{}` without reading the body. Such a value must not replace the body.
 */
export function takeParsedBody(ctx: Context): void {
  const request: MountedRequest = ctx.req;
  if (!request.readableDidRead) return;
  const { body } = request;
  if (typeof body === 'string' || Buffer.isBuffer(body))
    Object.assign(ctx.request, { rawBody: body.toString() });
  else
    Object.defineProperty(ctx.request, 'body', {
      get: () => body ?? refuseConsumedBody(),
      configurable: true,
    });
}

function refuseConsumedBody(): never {
  throw new TypeError(
    'toNodeHandler: other middleware has read the request body and did not keep it in request.body. Mount the handler before this middleware, or exclude the prefix of the endpoints',
  );
}
