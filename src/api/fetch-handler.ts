import { isIP } from 'node:net';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { incomingFrom, outgoingFor, responseFrom } from '../http/fetch-exchange.ts';
import { problemResponse } from '../http/problem.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { createKoaApp, type HandlerOptions, mountRoutes } from './mounted-routes.ts';

/** The options of `toFetchHandler`. */
export interface FetchHandlerOptions<Context extends unknown[] = []> extends HandlerOptions {
  /**
   * Returns the IP address of the client, for the rate limits and the audit log. A `Request` does not contain it. The
   * function gets all arguments of the handler. With `trustedProxies`, the address in X-Forwarded-For comes first.
   *
   * Never return an address from a header that clients can set.
   *
   * @example addressOf: (_request, c: Context) => getConnInfo(c).remote.address // Hono on Node.js
   * @example addressOf: (request) => server.requestIP(request)?.address // Bun
   */
  addressOf?: (request: Request, ...context: Context) => string | null | undefined;
}

/** A handler for servers that use the Fetch API, such as Hono, Bun and the route handlers of Next.js. */
export type FetchHandler<Context extends unknown[] = []> = (
  request: Request,
  ...context: Context
) => Promise<Response>;

/**
 * Creates a handler with the endpoints of the HTTP API and the well-known paths, for servers that use the Fetch API. The
 * handler needs Node.js or a runtime that is compatible with it. For an unknown path, it returns 404.
 *
 * `prefix` is the complete path that all endpoints start with. No other code may read the body before the handler.
 *
 * @typeParam Context the other arguments of the handler, which `addressOf` gets
 * @throws TypeError if the rate limits would count all users as one client: the rate limits are on, and there are
 *   neither `addressOf` nor `trustedProxies`
 * @throws TypeError if an option is invalid, or if `auth` is not the result of `createAuthService`
 * @example
 * const handler = toFetchHandler(auth, { addressOf: (_request, c: Context) => getConnInfo(c).remote.address });
 * app.all('/auth/*', (c) => handler(c.req.raw, c)); // Hono
 * @example
 * const handler = toFetchHandler(auth); // behind a proxy, with the option trustedProxies of createAuthService
 * export { handler as GET, handler as POST, handler as PUT, handler as PATCH, handler as DELETE }; // Next.js
 * @see https://fetch.spec.whatwg.org/#request-class
 */
export function toFetchHandler<Context extends unknown[] = []>(
  auth: AuthService<string>,
  { addressOf, ...options }: FetchHandlerOptions<Context> = {},
): FetchHandler<Context> {
  const runtime = runtimeOf(auth, 'toFetchHandler');
  if (addressOf !== undefined && typeof addressOf !== 'function')
    throw new TypeError('addressOf: expected a function that returns the IP address of the client');
  if (addressOf === undefined && countsEveryoneAsOne(runtime))
    throw new TypeError(
      'addressOf: expected a function that returns the IP address of the client, because a Request does not contain it, and the rate limits would count all users as one client. Behind a proxy that sets X-Forwarded-For, set trustedProxies of the service instead. Or turn the rate limits off with rateLimit: false',
    );
  const routes = mountRoutes(auth, options);
  const addressIn = addressReader(runtime, addressOf);
  const starting = once(() => createKoaApp(runtime, () => true));

  return async (request, ...context) => {
    if (!routes.includes(new URL(request.url).pathname)) return notFound();
    if (request.bodyUsed)
      throw new TypeError(
        'toFetchHandler: the body of the request has been read. Call the handler before other code reads the body, or pass request.clone()',
      );
    const app = await starting();
    const incoming = incomingFrom(request, addressIn(request, context));
    const ctx = app.createContext(incoming, outgoingFor(incoming));
    ctx.res.statusCode = 404;
    await routes.serve(ctx, async () => {});
    return ctx.body == null && ctx.status === 404 ? notFound() : responseFrom(ctx);
  };
}

const notFound = () => problemResponse(new AuthError('not_found')) as Response;

const countsEveryoneAsOne = ({ config }: Runtime) => config.rateLimit && config.trustedProxies === 0;

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** Returns a function that reads the address of a request. Warns once if there is no usable address. */
function addressReader<Context extends unknown[]>(
  runtime: Runtime,
  addressOf: FetchHandlerOptions<Context>['addressOf'],
): (request: Request, context: Context) => string | null {
  let hasWarned = false;
  return (request, context) => {
    const address = addressOf?.(request, ...context);
    if (typeof address === 'string' && isIP(address) !== 0) return address;
    if (!hasWarned && countsEveryoneAsOne(runtime)) {
      hasWarned = true;
      runtime.log.warn(
        {},
        'addressOf returned no IP address, so the rate limits count all requests without an address as one client',
      );
    }
    return null;
  };
}
