import type { Context, Middleware } from 'koa';
import type { Configuration } from '../core/config.ts';

/** The response headers that scripts of other origins can read, besides the CORS-safelisted ones. */
const exposedHeaders = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Content-Disposition',
].join(', ');

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Names of headers. The limit is far above the list of a real page. */
const headerNames = /^[\w!#$%&'*+.^`|~ ,-]{1,1000}$/;
/** Browsers ask again after this time, so that an origin that is no longer configured loses access soon. */
const preflightSeconds = 600;

/**
 * Middleware that lets pages of the configured origins send requests with credentials and read the responses (Fetch
 * Standard, CORS protocol). It answers their preflights. For pages of other origins, it sends no CORS header, so
 * browsers hide the responses from them.
 *
 * Never allows `*`, and never an origin that is not configured. All responses have `Vary: Origin`, so that a cache does
 * not give the response for one origin to a page of another origin.
 */
export function allowOrigins({ origins }: Pick<Configuration, 'origins'>): Middleware {
  return async (ctx, next) => {
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    const isAllowed = origins.includes(origin);
    if (isAllowed && isPreflight(ctx)) return answerPreflight(ctx, origin);
    const headers = isAllowed ? { ...allowing(origin), 'Access-Control-Expose-Headers': exposedHeaders } : {};
    ctx.set(headers);
    try {
      await next();
    } catch (error) {
      throw withHeaders(error, { ...headers, Vary: ctx.response.get('Vary') });
    }
  };
}

const allowing = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
});

const isPreflight = (ctx: Context): boolean =>
  ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';

function answerPreflight(ctx: Context, origin: string): void {
  ctx.set(allowing(origin));
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', methods);
  const asked = ctx.get('Access-Control-Request-Headers');
  if (headerNames.test(asked)) ctx.set('Access-Control-Allow-Headers', asked);
  ctx.set('Access-Control-Max-Age', `${preflightSeconds}`);
  ctx.status = 204;
}

/**
 * Returns an error with more headers. Koa removes all headers from the response to an uncaught error, and then sets
 * `error.headers`. Does not change the given error, because several requests can fail with the same object.
 */
function withHeaders(error: unknown, headers: Record<string, string>): unknown {
  if (!(error instanceof Error)) return error;
  const own = (error as { headers?: object }).headers;
  return Object.create(error, { headers: { value: { ...own, ...headers }, enumerable: true } });
}
