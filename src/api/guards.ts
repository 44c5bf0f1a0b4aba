import type { Context, Middleware } from 'koa';
import { assertCapability, assertRole } from '../authorization/access.ts';
import { assertKnownRole, assertResource } from '../authorization/access-arguments.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { CheckedSession, Session, UserWithFields } from '../core/session.ts';
import type { Role } from '../core/user.ts';
import type { UserFields } from '../core/user-fields.ts';
import { answerUncaught } from '../http/answer-uncaught.ts';
import { notSignedIn, presentedToken } from '../http/presented-session.ts';
import { factsOf } from '../http/request-source.ts';
import { assertSameOrigin, isCrossOrigin, receivedBy } from '../http/same-origin.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { Resource } from '../roles/principal.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';
import { exposedUser } from '../sessions/exposed-session.ts';
import { checkSession, readSession } from '../sessions/operations.ts';
import { obstacleToFresh, obstacleToFull, obstacleToOwn, requireNo } from '../sessions/rules.ts';
import { admitsImpersonated, assertPermission, type GuardOptions } from './guard-arguments.ts';

/**
 * The value of `ctx.state.auth` after a guard.
 *
 * @typeParam Auth the type of the service, which has the types of the own fields
 */
export interface AuthState<Auth extends AnyAuthService = AuthService> {
  user: UserWithFields<Auth['userFields']>;
  session: Session;
}

/**
 * The type of `ctx.state` after a guard. With the type of the service, `ctx.state.auth.user.fields` has the types of the
 * own fields (`userFields`).
 *
 * @example const router = new Router<GuardedState<typeof auth>>();
 */
export interface GuardedState<Auth extends AnyAuthService = AuthService> {
  auth: AuthState<Auth>;
}

/** A service with any own fields. */
type AnyAuthService = { readonly userFields: UserFields };

/**
 * Middleware that requires a full session. It puts the user and the session into `ctx.state.auth`. It rejects mutations
 * from other sites (cross-site request forgery, CSRF). A mutation is a request with a method other than GET, HEAD or
 * OPTIONS.
 *
 * The session can come from a cache that keeps sessions for at most five seconds, so most checks need no database
 * query. If a session ends or changes, the database notifies each process. The processes then remove the session from
 * their caches. `requireFresh`, `requireRole` and `requirePermission` always read the database.
 *
 * @throws AuthError `not_authenticated` (401) | `recovery_session` (403) | `cross_origin_request` (403) | `unavailable`
 *   (503). If no middleware of the application catches the error, the response has problem details, as those of
 *   `createAuthRouter`.
 * @throws AuthError `impersonating` (403) with `{ impersonated: false }`, if the session is impersonated
 * @throws TypeError for an unknown option, when the guard is created
 * @example router.get('/orders', requireSession(auth), (ctx) => { ctx.body = ordersOf(ctx.state.auth.user.id); });
 * @example router.post('/payments', requireSession(auth, { impersonated: false }), pay);
 */
export const requireSession = (
  auth: AuthService<string>,
  ...options: [options?: GuardOptions]
): Middleware => {
  const runtime = runtimeOf(auth, 'requireSession');
  const check = fullSessionCheck('requireSession', options);
  return guard(runtime, check, checkSession);
};

/** Checks the options of a guard. Returns the function that requires a full session, with these options. */
function fullSessionCheck(
  where: string,
  options: readonly [options?: GuardOptions],
): (read: CheckedSession) => void {
  const admits = admitsImpersonated(where, options);
  return (read) => requireNo(obstacleToFull(read) ?? (admits ? null : obstacleToOwn(read)));
}

/** The type of `ctx.state` after `optionalSession`. */
export interface OptionalSessionState<Auth extends AnyAuthService = AuthService> {
  auth?: AuthState<Auth> | undefined;
}

/**
 * Middleware for pages that signed-out users can also see. If the request has a full session, the middleware puts the
 * user and the session into `ctx.state.auth`. Otherwise, `ctx.state.auth` stays undefined.
 *
 * `ctx.state.auth` also stays undefined for mutations from other sites (CSRF). The session can come from the cache, as
 * in `requireSession`.
 *
 * @throws AuthError `unavailable` (503) if the database is unreachable, so that a signed-in user is not treated as
 *   signed out | `invalid_request` (400) if the request has a session cookie and asks for bearer tokens
 * @example
 * router.get('/', optionalSession(auth), (ctx) => { ctx.body = `Hello ${ctx.state.auth?.user.username ?? 'stranger'}`; });
 */
export const optionalSession = (auth: AuthService<string>): Middleware => {
  const runtime = runtimeOf(auth, 'optionalSession');
  return async (ctx, next) => {
    answerUncaught(ctx);
    const token = presentedToken(factsOf(ctx), runtime.config);
    if (token !== null && !isCrossOrigin(receivedBy(ctx, runtime), runtime)) {
      const read = await checkSession(runtime, token);
      if (read?.session.kind === 'full') ctx.state.auth = authStateOf(runtime, read);
    }
    await next();
  };
};

/**
 * Middleware for sensitive actions (ASVS 5.0, 7.5.1). It requires a full session with fresh authentication: the last
 * sign-in, sign-up, step-up or completed recovery is at most REAUTHENTICATION_WINDOW seconds ago. If the user has a
 * passkey, this authentication must be with a passkey. An impersonated session never has fresh authentication.
 *
 * @throws AuthError the codes of `requireSession` | `impersonating` (403)
 * @throws AuthError `reauthentication_required` (403) | `passkey_required` (403): step up, then repeat the request
 * @example router.delete('/orders/:id', requireFresh(auth), deleteOrder);
 */
export const requireFresh = (auth: AuthService<string>): Middleware =>
  guard(runtimeOf(auth, 'requireFresh'), (read) => requireNo(obstacleToFresh(read)));

/**
 * Middleware that requires a full session of a user with the given role or a higher role. It reads the role from the
 * database for every request, so a change of role applies to the user's next request. For a role above `user`, a user
 * who has a passkey must have authenticated with a passkey, and an impersonator gets `impersonating`.
 *
 * @throws TypeError for an unknown role or option, when the guard is created
 * @throws AuthError the codes of `requireSession` | `forbidden` (403) | `passkey_required` (403): step up with a passkey,
 *   then repeat the request
 * @example router.get('/figures', requireRole(auth, 'admin'), showFigures);
 */
export const requireRole = (
  auth: AuthService<string>,
  role: Role,
  ...options: [options?: GuardOptions]
): Middleware => {
  const runtime = runtimeOf(auth, 'requireRole');
  assertKnownRole('requireRole', role);
  const requireFullSession = fullSessionCheck('requireRole', options);
  return guard(runtime, (read) => {
    requireFullSession(read);
    assertRole(read, role);
  });
};

/**
 * Finds the resource that a request is about. Returns null if the resource does not exist. The user and the session are
 * in `ctx.state.auth`.
 */
export type ResourceOf = (
  ctx: Context & { state: GuardedState },
) => Resource | null | Promise<Resource | null>;

/**
 * Middleware that requires a full session of a user who has a capability for the resource of the request. It reads the
 * role and the membership from the database for every request. If the user has the capability only as an admin, a
 * superadmin or an organization admin, and has a passkey, the user must have authenticated with a passkey.
 *
 * @param capability a capability of the service or of the application
 * @param resourceOf returns the owner and the organization of the resource; without `resourceOf`, only the role decides
 * @param options `impersonated`: whether to admit impersonated sessions
 * @throws TypeError when the guard is created: for an unknown capability or option, or if the capability depends on the
 *   resource and `resourceOf` is missing
 * @throws TypeError for a request: if the resource does not have the id that the capability needs, or if an id is
 *   undefined. Set `ownerId` or `organizationId` to null for a resource without an owner or an organization.
 * @throws AuthError the codes of `requireSession` | `not_found` (404) if the resource does not exist | `forbidden`
 *   (403) if the user does not have the capability. The error is `not_found` instead of `forbidden` if the user neither
 *   owns the resource nor is a member of its organization.
 * @throws AuthError `passkey_required` (403): step up with a passkey, then repeat the request
 * @example
 * router.put('/files/:id', requirePermission(auth, 'file:manage', (ctx) => findFile(ctx.params.id)), saveFile);
 */
export const requirePermission = <Extra extends string = never>(
  auth: AuthService<Extra>,
  capability: Capability | NoInfer<Extra>,
  resourceOf?: ResourceOf,
  ...options: [options?: GuardOptions]
): Middleware => {
  const runtime = runtimeOf(auth, 'requirePermission');
  assertPermission(runtime.grants, capability, resourceOf);
  const requireFullSession = fullSessionCheck('requirePermission', options);
  return guard(runtime, async (read, ctx) => {
    requireFullSession(read);
    const resource = resourceOf === undefined ? {} : await findResource(runtime, ctx, read, resourceOf);
    if (resource == null) throw new AuthError('not_found');
    assertResource('requirePermission: resource', capability, runtime.grants, resource);
    await assertCapability(runtime, read, capability, resource);
  });
};

/**
 * Calls `resourceOf` with the user and the session in `ctx.state.auth`. Then restores the earlier value, because the
 * user may lack the capability. If the guard admits the request, it sets the user and the session again.
 */
async function findResource(
  runtime: Runtime,
  ctx: Context,
  read: CheckedSession,
  resourceOf: ResourceOf,
): Promise<Resource | null> {
  const before: unknown = ctx.state.auth;
  ctx.state.auth = authStateOf(runtime, read);
  try {
    return await resourceOf(ctx as Parameters<ResourceOf>[0]);
  } finally {
    ctx.state.auth = before;
  }
}

const authStateOf = (runtime: Runtime, read: CheckedSession): AuthState => ({
  user: exposedUser(runtime, read),
  session: read.session,
});

function guard(
  runtime: Runtime,
  check: (read: CheckedSession, ctx: Context) => void | Promise<void>,
  readFor = readSession,
): Middleware {
  return async (ctx, next) => {
    answerUncaught(ctx);
    assertSameOrigin(ctx, runtime);
    const read = await readFor(runtime, presentedToken(factsOf(ctx), runtime.config));
    if (!read) throw notSignedIn(factsOf(ctx), runtime.config);
    await check(read, ctx);
    ctx.state.auth = authStateOf(runtime, read);
    await next();
  };
}
