import { type Refusal, refuse } from '../audit/operations/refuse.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Capability } from '../roles/capabilities.ts';
import { can, reachOf } from '../roles/rules.ts';
import { selectLiveSession } from '../sessions/store.ts';

/** How far a list reaches: over everything, or over the organizations that one user is an admin of. */
export type Reach = 'any' | { managedBy: string };

/** What somebody tried to do: how the audit log calls it. */
export type Attempt = Pick<Refusal, 'event' | 'target' | 'organizationId'>;

/**
 * Lets go on who may do something whatever it is done to: the role alone decides. A refusal is written down.
 *
 * @throws AuthError `forbidden`
 */
export async function requireCapability(
  runtime: Runtime,
  actor: SignedInActor,
  capability: Capability,
  attempt: Attempt,
): Promise<void> {
  if (can(actor.user, capability)) return;
  await refuse(runtime, actor, { ...attempt, code: 'forbidden', reason: 'role_too_low' });
}

/**
 * Lets go on who may see a list, of everything or of what they manage. A refusal is written down.
 *
 * @throws AuthError `forbidden`
 */
export async function requireReach(
  runtime: Runtime,
  actor: SignedInActor,
  capability: Capability,
  attempt: Attempt,
): Promise<Reach> {
  const reach = reachOf(actor.user, capability);
  if (reach === null)
    return refuse(runtime, actor, { ...attempt, code: 'forbidden', reason: 'role_too_low' });
  return reach === 'any' ? 'any' : { managedBy: actor.user.id };
}

/**
 * Answers where a statement found its actor no longer entitled: while the request was under way their session has ended,
 * or their role has changed.
 *
 * @throws AuthError `not_authenticated` | `forbidden`
 */
export async function refuseUnentitled(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  attempt: Attempt,
): Promise<never> {
  const live = isSignedIn(actor) ? await runtime.db.query(selectLiveSession(actor.session.id)) : [];
  if (live.length === 0) throw new AuthError('not_authenticated');
  return refuse(runtime, actor, { ...attempt, code: 'forbidden', reason: 'role_too_low' });
}
