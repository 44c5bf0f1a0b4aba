import type { Runtime } from '../../core/runtime.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type Attempt, type Refusal, refuse } from './refuse.ts';

type Checks = Pick<Entitled<Capability>, 'actor' | 'stillSignedIn' | 'stillPrivileged'>;

/**
 * Refuses an operation because its statement found that the actor is no longer entitled. After the check in
 * `authorize`, the actor's session ended, the session lost its privilege, or the actor's role or membership changed.
 * Records the refusal in the audit log.
 *
 * @throws AuthError `not_authenticated` | `passkey_required` | `forbidden`
 */
export async function refuseUnentitled(runtime: Runtime, checks: Checks, attempt: Attempt): Promise<never> {
  return refuse(runtime, checks.actor, { ...attempt, ...(await findCause(runtime, checks)) });
}

async function findCause(
  { db }: Runtime,
  { stillSignedIn, stillPrivileged }: Checks,
): Promise<Pick<Refusal, 'code' | 'reason'>> {
  if ((await db.query(stillSignedIn)).length === 0)
    return { code: 'not_authenticated', reason: 'session_ended' };
  if ((await db.query(stillPrivileged)).length === 0)
    return { code: 'passkey_required', reason: 'passkey_required' };
  return { code: 'forbidden', reason: 'role_too_low' };
}
