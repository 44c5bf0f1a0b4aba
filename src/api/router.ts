import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { fixedSessionCookieName, hasFixedCookieName } from '../http/cookie-names.ts';
import { allowOrigins } from '../http/cors.ts';
import { requestIdOf } from '../http/current-actor.ts';
import { handleErrors, runNext } from '../http/handle-errors.ts';
import { rejectCrossOrigin } from '../http/same-origin.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { managementRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { auditFeedRoutes } from './audit-feed.ts';
import { auditLogRoutes } from './audit-log.ts';
import { auditWitnessRoutes } from './audit-witness.ts';
import { ceremonyRoutes } from './ceremonies.ts';
import { documentRoutes } from './documents.ts';
import { impersonationRoutes } from './impersonation.ts';
import { invitationRoutes } from './invitations.ts';
import type { DocumentSettings } from './openapi/document.ts';
import { organizationInvitationRoutes } from './organization-invitations.ts';
import { organizationRoutes } from './organizations.ts';
import { overviewRoutes } from './overview.ts';
import { accountRoutes } from './own-account.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './password.ts';
import { recoveryRoutes } from './recovery.ts';
import { serveScripts } from './scripts.ts';
import { serveOn } from './serve.ts';
import { sessionRoutes } from './sessions.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';

export interface AuthRouterOptions {
  /** The path that all endpoints start with. Default: `/auth`. */
  prefix?: string;
  /**
   * Whether pages of the configured `origins` can call the endpoints from another origin than the service (CORS).
   * Default: `false`. For the application's own routes, use `createCors`.
   */
  cors?: boolean;
}

/**
 * Creates a Koa router with the endpoints of the HTTP API.
 *
 * The router also serves the scripts of the package, so that a page without a bundler can load them:
 * `/auth/elements/index.js` (`latchkey/elements`) and `/auth/client/index.js` (`latchkey/client`).
 *
 * The router parses request bodies and sends error responses itself. It affects no request outside of its prefix. For
 * an unknown path under the prefix, it calls the application's next middleware, and returns 404 if no middleware
 * responds.
 *
 * @throws TypeError if the prefix is not a path such as `/auth`, or if `cors` is not a boolean
 * @example app.use(createAuthRouter(auth).routes());
 */
export function createAuthRouter(
  auth: AuthService<string>,
  { prefix = '/auth', cors = false }: AuthRouterOptions = {},
): Router {
  const runtime = runtimeOf(auth, 'createAuthRouter');
  if (!/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw new TypeError(`prefix: expected a path such as /auth, not ${prefix}`);
  if (typeof cors !== 'boolean') throw new TypeError(`cors: expected true or false, not ${cors}`);
  const router = new PrefixedRouter({ prefix, strict: true, sensitive: true });
  if (runtime.telemetry) router.use(observeRequest(runtime.telemetry));
  if (cors) router.use(allowOrigins(runtime.config));
  router.use(
    warnIfTwice(prefix, runtime.log),
    identifyRequest,
    handleErrors(runtime.log),
    serveScripts(prefix),
    rejectCrossOrigin(runtime),
  );

  // Only for matching paths and methods. It serves no requests.
  const absent = new Router({ prefix, strict: true, sensitive: true });
  const serve = serveOn(router, absent, runtime);
  userRoutes(serve, runtime);
  ceremonyRoutes(serve, runtime);
  passkeyRoutes(serve, runtime);
  passwordRoutes(serve, runtime);
  recoveryRoutes(serve, runtime);
  sessionRoutes(serve, runtime);
  invitationRoutes(serve, runtime);
  managementRoutes(serve, runtime);
  accountRoutes(serve, runtime);
  impersonationRoutes(serve, runtime);
  organizationRoutes(serve, runtime);
  organizationInvitationRoutes(serve, runtime);
  auditRoutes(serve, runtime);
  webhookRoutes(serve, runtime);
  auditFeedRoutes(serve, runtime);
  auditLogRoutes(serve, runtime);
  auditWitnessRoutes(serve, runtime);
  overviewRoutes(serve, runtime);
  documentRoutes(serve, () => writeDocument(documentSettings(prefix, runtime)));

  router.all('{/{*rest}}', answerUnknown(router, absent));
  return router;
}

/** If the name of the cookie differs between requests, the document contains the default name without a prefix. */
const documentSettings = (prefix: string, { config, fields, grants }: Runtime): DocumentSettings => ({
  prefix,
  cookieName: hasFixedCookieName(config) ? fixedSessionCookieName(config) : 'latchkey',
  bearerTokens: config.bearerTokens,
  fields,
  features: config,
  grants,
});

/** Creates the document. Imports the code for this on the first request, so that the service starts faster. */
async function writeDocument(as: DocumentSettings): Promise<string> {
  const { openApiDocument } = await import('./openapi/document.ts');
  return JSON.stringify(openApiDocument(as));
}

/**
 * All requests of the application pass through the router, so paths outside of the prefix skip the slow route matching.
 */
class PrefixedRouter extends Router {
  override match(path: string, method: string): ReturnType<Router['match']> {
    return path.startsWith(this.opts.prefix ?? '')
      ? super.match(path, method)
      : { path: [], pathAndMethod: [], route: false };
  }
}

/** The prefixes of the routers that a request has passed. */
const passed = new WeakMap<Context, Set<string>>();

/**
 * Warns if two routers have the same prefix, because the second router never serves a request. Only a request for an
 * unknown path passes both routers.
 */
function warnIfTwice(prefix: string, log: Logger): Middleware {
  let warned = false;
  return (ctx, next) => {
    const prefixes = passed.get(ctx) ?? new Set();
    if (prefixes.has(prefix) && !warned) {
      warned = true;
      log.warn(
        { prefix },
        `createAuthRouter is mounted twice with the prefix ${prefix}, and the second router serves no request. Remove one of the two app.use(…) calls, or pass another prefix`,
      );
    }
    passed.set(ctx, prefixes.add(prefix));
    return next();
  };
}

/** Reports the request with the status of its response. */
const observeRequest =
  (telemetry: Telemetry): Middleware =>
  (ctx, next) =>
    telemetry.request({ method: ctx.method, headers: ctx.headers, status: () => ctx.status }, next);

function identifyRequest(ctx: Context, next: Next): Promise<void> {
  ctx.set('X-Request-Id', requestIdOf(ctx));
  return next();
}

/**
 * Responds to unknown methods of known paths, and to unknown paths under the prefix. A request for an endpoint that the
 * service does not have gets the response for unknown paths, even if the path has other endpoints.
 */
function answerUnknown(router: Router, absent: Router): Middleware {
  return async (ctx, next) => {
    const layers = router.stack.filter(({ methods, regexp }) => methods.length > 0 && regexp.test(ctx.path));
    // The last layer is the catch-all route of this handler.
    const allowed = [...new Set(layers.slice(0, -1).flatMap(({ methods }) => methods))].sort().join(', ');
    if (allowed === '' || absent.match(ctx.path, ctx.method).route) {
      await runNext(next);
      if (ctx.body == null && ctx.status === 404 && ctx.respond !== false) throw new AuthError('not_found');
      return;
    }
    if (ctx.method !== 'OPTIONS') throw new AuthError('method_not_allowed', { headers: { Allow: allowed } });
    ctx.set('Allow', allowed);
    ctx.status = 204;
  };
}
