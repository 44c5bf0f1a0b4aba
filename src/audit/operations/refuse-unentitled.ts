import type { Runtime } from '../../core/runtime.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type Attempt, refuse } from './refuse.ts';

/**
 * Refuses when a statement found its actor no longer entitled: the session ended, or the role or membership changed,
 * after the request was admitted. The refusal is recorded.
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
