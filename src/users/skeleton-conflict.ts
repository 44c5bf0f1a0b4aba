import { violatesUnique } from '../db/sql-states.ts';
import { versionConflict } from '../db/version-conflict.ts';

/**
 * Handles the error of a statement that gives a username to an account and allows look-alikes. The statement fails if a
 * concurrent statement gives the same skeleton to another account. The next attempt stores no skeleton.
 *
 * @throws every other error
 * @example retryVersionConflicts(() => createAccount().catch(retryIfSkeletonTaken))
 */
export function retryIfSkeletonTaken(error: unknown): typeof versionConflict {
  if (violatesUnique(error, 'skeleton')) return versionConflict;
  throw error;
}
