import type { Runtime } from '../../core/runtime.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type Attempt, refuse } from './refuse.ts';

/**
 * Refuses an operation whose statement found the actor no longer entitled: after the request was authorized, the session
 * ended, or the role or membership changed. The audit log records the refusal.
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
