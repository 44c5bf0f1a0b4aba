import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { AuthError } from '../core/errors.ts';
import { sessionCookieName } from '../http/cookies.ts';
import { requestIdOf } from '../http/current-actor.ts';
import { handleErrors, runNext } from '../http/handle-errors.ts';
import { rejectCrossOrigin } from '../http/same-origin.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { ceremonyRoutes } from './ceremonies.ts';
import { documentRoutes } from './documents.ts';
import { invitationRoutes } from './invitations.ts';
import { organizationInvitationRoutes } from './organization-invitations.ts';
import { organizationRoutes } from './organizations.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './password.ts';
import { recoveryRoutes } from './recovery.ts';
import { serveOn } from './serve.ts';
import { sessionRoutes } from './sessions.ts';
import { userRoutes } from './users.ts';

export interface AuthRouterOptions {
  /** The path that all endpoints start with. Default: `/auth`. */
  prefix?: string;
}

/**
 * Creates a router with the endpoints of the HTTP API, for any Koa app.
 *
 * The router reads bodies and answers errors itself, and affects no request outside of its prefix. It passes unknown
 * paths under the prefix to the application's next middleware, and answers 404 if that does not answer.
 *
 * @throws TypeError for a prefix that is not a path such as `/auth`
 * @example app.use(createAuthRouter(auth).routes());
 */
export function createAuthRouter(
  auth: AuthService<string>,
  { prefix = '/auth' }: AuthRouterOptions = {},
): Router {
  if (!/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw new TypeError(`prefix: expected a path such as /auth, not ${prefix}`);
  const runtime = runtimeOf(auth);
  const router = new PrefixedRouter({ prefix, strict: true, sensitive: true });
  router.use(identifyRequest, handleErrors(runtime.log), rejectCrossOrigin(runtime));

  const serve = serveOn(router, runtime);
  userRoutes(serve, runtime);
  ceremonyRoutes(serve, runtime);
  passkeyRoutes(serve, runtime);
  passwordRoutes(serve, runtime);
  recoveryRoutes(serve, runtime);
  sessionRoutes(serve, runtime);
  invitationRoutes(serve, runtime);
  accountRoutes(serve, runtime);
  organizationRoutes(serve, runtime);
  organizationInvitationRoutes(serve, runtime);
  auditRoutes(serve, runtime);
  documentRoutes(serve, () => writeDocument({ prefix, cookieName: sessionCookieName(runtime.config) }));

  router.all('{/{*rest}}', answerUnknown(router));
  return router;
}

/** Loads the code that describes the endpoints with the first request for the document. */
async function writeDocument(as: { prefix: string; cookieName: string }): Promise<string> {
  const { openApiDocument } = await import('./openapi/document.ts');
  return JSON.stringify(openApiDocument(as));
}

/** Skips the route matching for the application's other requests, which also pass through the router. */
class PrefixedRouter extends Router {
  override match(path: string, method: string): ReturnType<Router['match']> {
    return path.startsWith(this.opts.prefix ?? '')
      ? super.match(path, method)
      : { path: [], pathAndMethod: [], route: false };
  }
}

function identifyRequest(ctx: Context, next: Next): Promise<void> {
  ctx.set('X-Request-Id', requestIdOf(ctx));
  return next();
}

/** Answers unknown methods of known paths, and unknown paths under the prefix. */
function answerUnknown(router: Router): Middleware {
  return async (ctx, next) => {
    const layers = router.stack.filter(({ methods, regexp }) => methods.length > 0 && regexp.test(ctx.path));
    // The last layer is this route itself.
    const allowed = [...new Set(layers.slice(0, -1).flatMap(({ methods }) => methods))].sort().join(', ');
    if (allowed === '') {
      await runNext(next);
      if (ctx.body == null && ctx.status === 404 && ctx.respond !== false) throw new AuthError('not_found');
      return;
    }
    if (ctx.method !== 'OPTIONS') throw new AuthError('method_not_allowed', { headers: { Allow: allowed } });
    ctx.set('Allow', allowed);
    ctx.status = 204;
  };
}
