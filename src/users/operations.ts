import type { Runtime } from '../core/runtime.ts';
import { canonicalUsername, type UsernameProblem } from './rules.ts';
import { selectUsername } from './store.ts';

export interface UsernameAvailability {
  /** The canonical form of what was asked for. */
  username: string;
  available: boolean;
  reason: 'taken' | UsernameProblem | null;
}

/** Whether a username could be signed up with just now. Advice only: signup decides. */
export async function checkUsernameAvailability(
  runtime: Runtime,
  given: string,
): Promise<UsernameAvailability> {
  const { username, problem } = canonicalUsername(given);
  if (problem) return { username, available: false, reason: problem };
  const taken = (await runtime.db.query(selectUsername(username))).length > 0;
  return { username, available: !taken, reason: taken ? 'taken' : null };
}
