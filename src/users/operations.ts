import type { Runtime } from '../core/runtime.ts';
import { canonicalUsername, type UsernameProblem } from './rules.ts';
import { selectUsername } from './store.ts';

export interface UsernameAvailability {
  /** The canonical form of the requested username. */
  username: string;
  available: boolean;
  reason: 'taken' | UsernameProblem | null;
}

/** Checks whether a username is available now. Does not reserve the username, so sign-up must check it again. */
export async function checkUsernameAvailability(
  runtime: Runtime,
  given: string,
): Promise<UsernameAvailability> {
  const { username, problem } = canonicalUsername(given);
  if (problem) return { username, available: false, reason: problem };
  const taken = (await runtime.db.query(selectUsername(username))).length > 0;
  return { username, available: !taken, reason: taken ? 'taken' : null };
}
