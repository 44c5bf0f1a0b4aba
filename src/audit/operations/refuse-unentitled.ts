import type { Runtime } from '../../core/runtime.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type Attempt, refuse } from './refuse.ts';

/**
 * Refuses an operation because its statement found that the actor is no longer entitled. After the check in
 * `authorize`, the actor's session ended, or the actor's role or membership changed. Records the refusal in the audit
 * log.
 *
 * @throws AuthError `not_authenticated` | `forbidden`
 */
export async function refuseUnentitled(
  runtime: Runtime,
  { actor, stillSignedIn }: Pick<Entitled<Capability>, 'actor' | 'stillSignedIn'>,
  attempt: Attempt,
): Promise<never> {
  const isSignedIn = (await runtime.db.query(stillSignedIn)).length > 0;
  return refuse(runtime, actor, {
    ...attempt,
    ...(isSignedIn
      ? { code: 'forbidden', reason: 'role_too_low' }
      : { code: 'not_authenticated', reason: 'session_ended' }),
  });
}
