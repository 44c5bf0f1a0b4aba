import type { Middleware } from 'koa';
import { runtimeOf } from '../auth-service.ts';
import type { Runtime } from '../core/runtime.ts';
import type { AuthService } from '../service-types.ts';
import { requireFreshFull, requireFull } from '../sessions/rules.ts';
import type { ReadSession, Session } from '../sessions/session.ts';
import type { User } from '../users/user.ts';
import { signedInActor } from './current-actor.ts';
import { assertSameOrigin } from './same-origin.ts';

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
 * @throws AuthError `not_authenticated` (401) | `recovery_session` | `cross_origin_request` (403), which Koa answers
 *   with that status
 * @example router.get('/orders', requireSession(auth), (ctx) => { ctx.body = ordersOf(ctx.state.auth.user.id); });
 */
export const requireSession = (auth: AuthService): Middleware => guard(runtimeOf(auth), requireFull);

/**
 * As `requireSession`, for what only somebody who has just proven to be there may do: the last login, signup or
 * step-up is at most REAUTHENTICATION_WINDOW seconds old.
 *
 * @throws AuthError also `reauthentication_required` (403): do a step-up, then repeat the request
 */
export const requireFresh = (auth: AuthService): Middleware => guard(runtimeOf(auth), requireFreshFull);

function guard(runtime: Runtime, may: (read: ReadSession) => void): Middleware {
  return async (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    const { read } = await signedInActor(ctx, runtime);
    may(read);
    ctx.state.auth = { user: read.user, session: read.session } satisfies AuthState;
    await next();
  };
}
