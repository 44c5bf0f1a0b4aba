import type { Actor } from '../../core/actor.ts';
import type { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Attempt, refuse } from './refuse.ts';

/**
 * Records the refusal of an attempt in the audit log, then throws the given error. Records no fault of the service
 * (`unavailable`), because nothing was decided about the attempt.
 *
 * @throws the given error | AuthError `unavailable` if the refusal cannot be recorded
 */
export async function recordRefusal(
  runtime: Runtime,
  actor: Actor,
  attempt: Attempt,
  error: AuthError,
): Promise<never> {
  const { code, status, reason = error.detail ?? code } = error;
  if (status < 500)
    await refuse(runtime, actor, { ...attempt, code, reason, cause: error }).catch((refused) => {
      if (refused?.cause !== error) throw refused;
    });
  throw error;
}
