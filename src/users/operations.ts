import type { Runtime } from '../core/runtime.ts';
import { canonicalUsername, type UsernameProblem } from './rules.ts';
import { selectLookAlikes, selectUsername } from './store.ts';

export interface UsernameAvailability {
  /** The canonical form of the requested username. */
  username: string;
  available: boolean;
  reason: 'taken' | 'look_alike' | UsernameProblem | null;
}

/** Checks whether a username is available now. Does not reserve the username, so sign-up must check it again. */
export async function checkUsernameAvailability(
  runtime: Runtime,
  given: string,
): Promise<UsernameAvailability> {
  const { username, problem } = canonicalUsername(given);
  if (problem) return { username, available: false, reason: problem };
  const conflict = await findUsernameConflict(runtime, username);
  return { username, available: conflict === null, reason: conflict };
}

/**
 * Finds an account with this canonical username or, with `lookAlikes: 'refuse'`, with a username that looks
 * like it.
 */
export async function findUsernameConflict(
  { config, db }: Runtime,
  username: string,
): Promise<'taken' | 'look_alike' | null> {
  const select = config.lookAlikes === 'refuse' ? selectLookAlikes : selectUsername;
  const found = await db.query<{ username: string }>(select(username));
  if (found.some((row) => row.username === username)) return 'taken';
  return found.length > 0 ? 'look_alike' : null;
}
