import { AuthError } from '../core/errors.ts';

/** The result of an attempt whose write failed, because the account changed after the attempt had read it. */
export const versionConflict = Symbol('version conflict');

// An attempt fails only if a concurrent change of the same account succeeds, and 100 of those at once do not happen.
const maxAttempts = 100;

/**
 * Repeats an attempt until it succeeds. An attempt reads an account (or an organization), decides, and writes if the
 * version has not changed.
 *
 * @throws AuthError `unavailable` if the version keeps changing
 */
export async function retryVersionConflicts<T>(
  attempt: () => Promise<T | typeof versionConflict>,
): Promise<T> {
  for (let count = 0; count < maxAttempts; count += 1) {
    const result = await attempt();
    if (result !== versionConflict) return result;
  }
  throw new AuthError('unavailable', { detail: `version conflict in ${maxAttempts} attempts` });
}
