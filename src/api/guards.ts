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

/** What a guard leaves in `ctx.state.auth`. */
export interface AuthState {
  user: User;
  session: Session;
}

/** The type of `ctx.state` behind a guard: `new Router<GuardedState>()`. */
export interface GuardedState {
  auth: AuthState;
}

/**
 * Lets a request pass that presents a live, full session, and puts its user and session into `ctx.state.auth`. A
 * mutation that another site started is refused: the cookie alone would come along with it.
 *
 * What this process has read of the session in the last five seconds is enough, unless the database has told since
 * that it has ended or changed: a check seldom costs a round trip. The other guards read the row every time.
 *
 * @throws AuthError `not_authenticated` (401) | `recovery_session` | `cross_origin_request` (403), which Koa answers
 *   with that status
 * @example router.get('/orders', requireSession(auth), (ctx) => { ctx.body = ordersOf(ctx.state.auth.user.id); });
 */
export const requireSession = (auth: AuthService<string>): Middleware =>
  guard(runtimeOf(auth), (read) => requireNo(obstacleToFull(read)), checkSession);

/** The type of `ctx.state` behind `optionalSession`. */
export interface OptionalSessionState {
  auth?: AuthState | undefined;
}

/**
 * Puts the user and session into `ctx.state.auth` where the request presents a live, full session, and lets every
 * request go on: for pages that greet a signed-in user and serve everybody.
 *
 * `ctx.state.auth` stays undefined for a mutation that another site started, even with a session: the cookie came along
 * by itself. The session is checked as by `requireSession`.
 *
 * @throws AuthError `unavailable` (503) while the database cannot be reached, so that a
 *   signed-in user never looks signed out
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
 * As `requireSession`, for what only somebody who has just proven to be there may do: the last login, signup or
 * step-up is at most REAUTHENTICATION_WINDOW seconds old.
 *
 * @throws AuthError also `reauthentication_required` (403): do a step-up, then repeat the request
 */
export const requireFresh = (auth: AuthService<string>): Middleware =>
  guard(runtimeOf(auth), (read) => requireNo(obstacleToFresh(read)));

/**
 * As `requireSession`, for people of a role or a higher one. The role is read from the account with every request, so
 * that it holds, and ceases to hold, from the next request on.
 *
 * @throws AuthError also `forbidden` (403)
 * @example router.get('/figures', requireRole(auth, 'admin'), showFigures);
 */
export const requireRole = (auth: AuthService<string>, role: Role): Middleware =>
  guard(runtimeOf(auth), (read) => {
    requireNo(obstacleToFull(read));
    if (!isAtLeast(read.user.role, role)) throw new AuthError('forbidden');
  });

/** Says what a request is about, or null: nothing is there. */
export type ResourceOf = (ctx: Context) => Resource | null | Promise<Resource | null>;

/**
 * As `requireSession`, for people who may do something to what the request is about. Role and membership are read with
 * every request. To whom a resource is no business of, it is not there.
 *
 * @param capability one of the service's, or of those that `createAuthService` was given
 * @param resourceOf whose it is and of which organization; absent: the role alone decides
 * @throws AuthError also `forbidden` (403) | `not_found` (404)
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
  may: (read: ReadSession, ctx: Context) => void | Promise<void>,
  readFor = readSession,
): Middleware {
  return async (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    const read = await readFor(runtime, presentedToken(ctx, runtime.config));
    if (!read) throw new AuthError('not_authenticated');
    await may(read, ctx);
    ctx.state.auth = { user: read.user, session: read.session } satisfies AuthState;
    await next();
  };
}
