import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { isBreached } from '../breached-passwords.ts';
import { isCommon } from '../common-passwords.ts';
import { hashPassword } from '../hashing.ts';
import { normalizePassword, type PasswordProblem, problemOfForm } from '../rules.ts';

/**
 * The digest to store of a password that somebody chooses.
 *
 * @throws AuthError `password_unacceptable` | `unavailable` where too many passwords are being hashed
 */
export async function hashNewPassword(runtime: Runtime, username: string, given: string): Promise<string> {
  const password = normalizePassword(given);
  const problem = await problemOf(runtime, username, password);
  if (problem) throw new AuthError('password_unacceptable', { reason: problem, message: words[problem] });
  return hashPassword(runtime, password);
}

/** The costliest question last. One's own name is as easily guessed as any on the list. */
async function problemOf(
  runtime: Runtime,
  username: string,
  password: string,
): Promise<PasswordProblem | null> {
  const problem = problemOfForm(password);
  if (problem) return problem;
  if (password.toLowerCase() === username || (await isCommon(password))) return 'common';
  return (await isBreached(runtime, password)) ? 'breached' : null;
}

const words: Record<PasswordProblem, string> = {
  malformed: 'The password holds characters that cannot be typed again.',
  too_short: 'A password has 8 characters at least.',
  too_long: 'A password has 72 bytes at most: 72 plain letters, fewer of others.',
  common: 'This is one of the passwords that are tried first.',
  breached: 'This password is known from a breach elsewhere.',
};
