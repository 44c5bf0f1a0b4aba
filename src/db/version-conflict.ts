import { AuthError } from '../core/errors.ts';

/** The result of an attempt that wrote nothing because the version of the row had changed. */
export const versionConflict = Symbol('version conflict');

// An attempt fails only if a concurrent change of the same row succeeds. 100 such changes, one after another, are not
// expected.
const maxAttempts = 100;

/**
 * Repeats an attempt until it succeeds. Each account and each organization has a version, a number that increments with
 * every guarded change. An attempt reads the row and its version, decides, and writes only if the version is still the
 * same.
 *
 * @throws AuthError `unavailable` if 100 attempts find a changed version
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
