import type { Context, Middleware } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReadSession, Session } from '../core/session.ts';
import type { Role, User } from '../core/user.ts';
import { presentedToken } from '../http/cookies.ts';
import { assertSameOrigin, isCrossOrigin, receivedBy } from '../http/same-origin.ts';
import { readMembership } from '../organizations/operations/memberships.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { Resource } from '../roles/principal.ts';
import { canBy, isAtLeast, isStranger } from '../roles/rules.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { checkSession, readSession } from '../sessions/operations.ts';
import { obstacleToFresh, obstacleToFull, requireNo } from '../sessions/rules.ts';

/** The value of `ctx.state.auth` behind a guard. */
export interface AuthState {
  user: User;
  session: Session;
}

/**
 * The type of `ctx.state` behind a guard.
 *
 * @example const router = new Router<GuardedState>();
 */
export interface GuardedState {
  auth: AuthState;
}

/**
 * Requires a live, full session, and puts its user and session into `ctx.state.auth`. Rejects mutations from other sites
 * (CSRF), because browsers attach the cookie to them.
 *
 * Uses a session that this process read in the last five seconds, unless the database has reported that it ended or
 * changed. Few checks need a round trip. The other guards always read the database.
 *
 * @throws AuthError `not_authenticated` (401) | `recovery_session` (403) | `cross_origin_request` (403) | `unavailable`
 *   (503). Koa answers with that status.
 * @example router.get('/orders', requireSession(auth), (ctx) => { ctx.body = ordersOf(ctx.state.auth.user.id); });
 */
export const requireSession = (auth: AuthService<string>): Middleware =>
  guard(runtimeOf(auth), (read) => requireNo(obstacleToFull(read)), checkSession);

/** The type of `ctx.state` behind `optionalSession`. */
export interface OptionalSessionState {
  auth?: AuthState | undefined;
}

/**
 * Puts the user and session into `ctx.state.auth` if the request has a live, full session, for pages that are not only
 * for signed-in users. Rejects no request.
 *
 * `ctx.state.auth` stays undefined for mutations from other sites, because browsers attach the cookie to them. The
 * session is checked as by `requireSession`.
 *
 * @throws AuthError `unavailable` (503) if the database is unreachable, so that a signed-in user never looks signed out
 * @example
 * router.get('/', optionalSession(auth), (ctx) => { ctx.body = `Hello ${ctx.state.auth?.user.username ?? 'stranger'}`; });
 */
export const optionalSession = (auth: AuthService<string>): Middleware => {
  const runtime = runtimeOf(auth);
  return async (ctx, next) => {
    const token = presentedToken(ctx, runtime.config);
    if (token !== null && !isCrossOrigin(receivedBy(ctx), runtime)) {
      const read = await checkSession(runtime, token);
      if (read?.session.kind === 'full')
        ctx.state.auth = { user: read.user, session: read.session } satisfies AuthState;
    }
    await next();
  };
};

/**
 * Requires a full session with fresh authentication, for sensitive actions (ASVS 5.0 7.5.1): the last sign-in, sign-up or
 * step-up is at most REAUTHENTICATION_WINDOW seconds ago.
 *
 * @throws AuthError as `requireSession`, and `reauthentication_required` (403): step up, then repeat the request
 * @example router.delete('/orders/:id', requireFresh(auth), deleteOrder);
 */
export const requireFresh = (auth: AuthService<string>): Middleware =>
  guard(runtimeOf(auth), (read) => requireNo(obstacleToFresh(read)));

/**
 * Requires a full session of a user with a role or a higher one. The role is read with every request, so a change takes
 * effect immediately.
 *
 * @throws AuthError as `requireSession`, and `forbidden` (403)
 * @example router.get('/figures', requireRole(auth, 'admin'), showFigures);
 */
export const requireRole = (auth: AuthService<string>, role: Role): Middleware =>
  guard(runtimeOf(auth), (read) => {
    requireNo(obstacleToFull(read));
    if (!isAtLeast(read.user.role, role)) throw new AuthError('forbidden');
  });

/** Finds the resource of a request. Null: it does not exist. */
export type ResourceOf = (ctx: Context) => Resource | null | Promise<Resource | null>;

/**
 * Requires a full session of a user who has a capability on the resource of the request. Role and membership are read
 * with every request.
 *
 * @param capability a capability of the service or of the application
 * @param resourceOf returns the owner and organization of the resource; absent: only the role decides
 * @throws AuthError as `requireSession`, and `not_found` (404) if the resource does not exist or the user has no relation
 *   to it | `forbidden` (403) otherwise
 * @example
 * router.put('/files/:id', requirePermission(auth, 'file:manage', (ctx) => findFile(ctx.params.id)), saveFile);
 */
export const requirePermission = <Extra extends string = never>(
  auth: AuthService<Extra>,
  capability: Capability | NoInfer<Extra>,
  resourceOf: ResourceOf = () => ({}),
): Middleware => {
  const runtime = runtimeOf(auth);
  return guard(runtime, async (read, ctx) => {
    requireNo(obstacleToFull(read));
    const resource = await resourceOf(ctx);
    if (resource == null) throw new AuthError('not_found');
    const { organizationId } = resource;
    const memberships =
      organizationId == null ? [] : await readMembership(runtime, read.user.id, organizationId);
    const principal = { ...read.user, memberships };
    if (canBy(runtime.capabilities, principal, capability, resource)) return;
    throw new AuthError(isStranger(principal, resource) ? 'not_found' : 'forbidden');
  });
};

function guard(
  runtime: Runtime,
  check: (read: ReadSession, ctx: Context) => void | Promise<void>,
  readFor = readSession,
): Middleware {
  return async (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    const read = await readFor(runtime, presentedToken(ctx, runtime.config));
    if (!read) throw new AuthError('not_authenticated');
    await check(read, ctx);
    ctx.state.auth = { user: read.user, session: read.session } satisfies AuthState;
    await next();
  };
}
