import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { UsernameRule } from '../core/username-rule.ts';
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
  const { username, problem } = canonicalUsername(given, runtime.config.usernames);
  if (problem) return { username, available: false, reason: problem };
  const conflict = await findUsernameConflict(runtime, username);
  return { username, available: conflict === null, reason: conflict };
}

/**
 * Finds an account with this canonical username or, with `lookAlikes: 'refuse'`, with a username that looks
 * like it. Also finds earlier usernames of accounts.
 *
 * @param ownId the account whose current and earlier usernames are no conflict; null: none
 */
export async function findUsernameConflict(
  { config, db }: Runtime,
  username: string,
  ownId: string | null = null,
): Promise<'taken' | 'look_alike' | null> {
  const select = config.lookAlikes === 'refuse' ? selectLookAlikes : selectUsername;
  const found = await db.query<{ username: string }>(select(username, ownId));
  if (found.some((row) => row.username === username)) return 'taken';
  return found.length > 0 ? 'look_alike' : null;
}

/**
 * Checks that an account can get a username: at a sign-up, or when the username changes. Returns the canonical form.
 *
 * @param ownId the account that gets the username, and that can go back to an earlier username of its own; null: a new
 *   account
 * @throws AuthError `username_unacceptable` | `username_taken`
 */
export async function assertUsernameAllowed(
  runtime: Runtime,
  given: string,
  ownId: string | null,
): Promise<string> {
  const rule = runtime.config.usernames;
  const { username, problem } = canonicalUsername(given, rule);
  if (problem) throw unacceptable(rule, problem);
  const conflict = await findUsernameConflict(runtime, username, ownId);
  if (conflict === 'taken') throw new AuthError('username_taken');
  if (conflict === 'look_alike') throw unacceptable(rule, conflict);
  return username;
}

/** The default text of `username_unacceptable` describes handles. */
const unacceptable = ({ format, min, max }: UsernameRule, reason: string): AuthError =>
  new AuthError('username_unacceptable', {
    reason,
    ...(format === 'email' && { nextStep: 'Enter an e-mail address.' }),
    ...(format === 'custom' && { nextStep: `Choose another username, with ${min} to ${max} characters.` }),
  });
