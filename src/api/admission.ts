import type { Context } from 'koa';
import { refuse } from '../audit/operations/refuse.ts';
import { authorize, type EntitledTo } from '../authorization/authorize.ts';
import type { Actor, SignedInActor } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { Reservation } from '../core/guess-limit.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReadSession } from '../core/session.ts';
import { callerOf } from '../http/current-actor.ts';
import { countUser } from '../http/rate-limit.ts';
import { type Capability, isOrganizationCapability } from '../roles/capabilities.ts';
import { checkSession, readSession } from '../sessions/operations.ts';
import {
  obstacleToFresh,
  obstacleToFreshOrRecovering,
  obstacleToFull,
  obstacleToOwn,
  type SessionObstacle,
} from '../sessions/rules.ts';
import { isPublic } from './availability.ts';
import { type Access, allowsImpersonation, type Endpoint } from './endpoint.ts';

/**
 * What a handler passes to its operation. If the endpoint needs no session: the caller. If the endpoint requires a
 * capability: the return value of `authorize`. Otherwise: the signed-in user. Null: an option opens the endpoint to
 * everyone.
 */
export type AdmittedBy<E extends Endpoint> =
  | (E['publicWith'] extends string ? null : never)
  | AdmittedActor<E>;

type AdmittedActor<E extends Endpoint> = E['access'] extends 'none' | 'any_session_or_none'
  ? Actor
  : E['requires'] extends Capability
    ? EntitledTo<E['requires']>
    : SignedInActor;

/** The session of the request. Null: the endpoint needs no session. */
export type AdmittedWith<E extends Endpoint> =
  | (E['publicWith'] extends string ? null : never)
  | AdmittedSession<E>;

type AdmittedSession<E extends Endpoint> = E['access'] extends 'none'
  ? null
  : E['access'] extends 'any_session_or_none'
    ? ReadSession | null
    : ReadSession;

const obstacles: Record<Exclude<Access, 'none'>, (read: ReadSession) => SessionObstacle | null> = {
  any_session_or_none: () => null,
  any_session: () => null,
  full_session: obstacleToFull,
  fresh: obstacleToFresh,
  fresh_or_recovering: obstacleToFreshOrRecovering,
};

interface Admission {
  by: Actor | EntitledTo<Capability> | null;
  read: ReadSession | null;
  /** What to give back to the rate limit of the account if the request succeeds. Null: nothing. */
  counted: Reservation | null;
}

/**
 * Checks a request against the declaration of its endpoint, in this order: the session, its kind and freshness, the
 * rate limit of the account, the capability. Refuses the request if the kind, the freshness or the capability is not
 * sufficient. If the endpoint declares an `event`, such a refusal is recorded in the audit log as a failure of this
 * event.
 *
 * @throws AuthError `not_authenticated` | `impersonating` | `recovery_session` | `passkey_required` |
 *   `reauthentication_required`
 * @throws AuthError `rate_limited` | `forbidden` | `not_found`
 */
export async function admit(ctx: Context, runtime: Runtime, endpoint: Endpoint): Promise<Admission> {
  const { access, requires, everywhere, event, target, cachedSession, budget } = endpoint;
  // Before the session, so that a request with a cookie gets the same response as one without.
  if (isPublic(endpoint, runtime.config)) return { by: null, read: null, counted: null };
  const caller = callerOf(ctx, runtime);
  if (access === 'none') return { by: caller, read: null, counted: null };

  const readFor = cachedSession ? checkSession : readSession;
  const read = await readFor(runtime, caller.sessionToken);
  if (!read && access === 'any_session_or_none') return { by: caller, read, counted: null };
  if (!read) throw new AuthError('not_authenticated');
  const actor: SignedInActor = {
    ...caller,
    user: read.user,
    session: read.session,
    privileged: read.privileged,
  };
  const attempt = { event, target: target && targetOf(ctx, target) };

  const code = (allowsImpersonation(endpoint) ? null : obstacleToOwn(read)) ?? obstacles[access](read);
  if (code) {
    if (event === undefined) throw new AuthError(code);
    return refuse(runtime, actor, { ...attempt, event, code, reason: code });
  }
  const counted = await countUser(ctx, runtime, budget, actor.user.id);
  if (requires === undefined) return { by: actor, read, counted };
  const organizationId = isOrganizationCapability(requires) ? `${ctx.params.id}` : undefined;
  const by = await authorize(runtime, actor, {
    ...attempt,
    capability: requires,
    everywhere,
    organizationId,
  });
  return { by, read, counted };
}

function targetOf(ctx: Context, type: NonNullable<Endpoint['target']>) {
  const id = `${ctx.params.id}`;
  return { type, id: isUuid(id) ? id : null, name: null };
}
