import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { completeUrl, takeParsedBody } from '../http/mounted-request.ts';
import { sendProblem } from '../http/problem.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { createKoaApp, type HandlerOptions, type MountedRoutes, mountRoutes } from './mounted-routes.ts';

/** A handler for `http.createServer`, and a middleware for Express and Connect. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/**
 * Creates a handler with the endpoints of the HTTP API and the well-known paths, for Express and `node:http`.
 *
 * For an unknown path, the handler calls `next`. Without `next`, it returns 404. It works before and after a body parser
 * such as `express.json()`. `prefix` is the complete path, even if the handler is mounted at a path:
 *
 * | Express | Endpoints |
 * |---|---|
 * | `app.use(toNodeHandler(auth))` | `/auth/…` |
 * | `app.use('/api', toNodeHandler(auth, { prefix: '/api/auth' }))` | `/api/auth/…` |
 *
 * The well-known paths start at the root, so a handler that is mounted at a path does not serve them.
 *
 * The rate limits use the address of the connection, or X-Forwarded-For with `trustedProxies` of the service. They
 * ignore the Express setting `trust proxy`.
 *
 * @throws TypeError if `prefix` or `securityPage` is invalid, or if `auth` is not the result of `createAuthService`
 * @example app.use(toNodeHandler(auth)); // Express
 * @example createServer(toNodeHandler(auth)).listen(3000);
 */
export function toNodeHandler(auth: AuthService<string>, options: HandlerOptions = {}): NodeHandler {
  const runtime = runtimeOf(auth, 'toNodeHandler');
  const routes = mountRoutes(auth, options);
  const serve = serveWithKoa(runtime, routes);
  return async (request, response, next) => {
    const pass = next ?? (() => sendProblem(new AuthError('not_found'), response));
    try {
      const url = completeUrl(request, routes.prefix);
      if (routes.includes(url.split('?', 1)[0] ?? '') && (await serve(request, response, url))) return;
    } catch (error) {
      if (next) return next(error);
      runtime.log.error({ err: error }, 'toNodeHandler failed');
      sendProblem(new AuthError('internal_error'), response);
      return;
    }
    pass();
  };
}

type Serve = (request: IncomingMessage, response: ServerResponse, url: string) => Promise<boolean>;

/** Returns a function that lets Koa answer a request. The function returns false if the path is unknown. */
function serveWithKoa(runtime: Runtime, routes: MountedRoutes): Serve {
  const unknown = new WeakSet<IncomingMessage>();
  let starting: Promise<ReturnType<Koa['callback']>> | undefined;

  async function start() {
    const app = await createKoaApp(runtime, (ctx) => !unknown.has(ctx.req));
    app.use((ctx, next) => {
      takeParsedBody(ctx);
      return next();
    });
    app.use(routes.serve);
    app.use((ctx) => {
      unknown.add(ctx.req);
      ctx.respond = false;
    });
    return app.callback();
  }

  return async (request, response, url) => {
    starting ??= start();
    const answer = await starting;
    const { statusCode } = response;
    const mounted = request.url;
    request.url = url;
    try {
      await answer(request, response);
    } finally {
      // Other middleware of the application expects the URL that Express has given it.
      if (mounted !== undefined) request.url = mounted;
    }
    // Koa starts with 404.
    if (unknown.has(request)) response.statusCode = statusCode;
    return !unknown.has(request);
  };
}
