import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { isBreached } from '../breached-passwords.ts';
import { isCommon } from '../common-passwords.ts';
import { hashPassword } from '../hashing.ts';
import { formatProblem, normalizePassword, type PasswordProblem } from '../rules.ts';

/**
 * Checks and hashes a new password.
 *
 * @throws AuthError `password_unacceptable` | `unavailable` if too many passwords wait
 */
export async function hashNewPassword(runtime: Runtime, username: string, given: string): Promise<string> {
  const password = normalizePassword(given);
  const problem = await problemOf(runtime, username, password);
  if (problem) throw new AuthError('password_unacceptable', { reason: problem, message: messages[problem] });
  return hashPassword(runtime, password);
}

/** Runs the most expensive check last. Treats the username as a common password. */
async function problemOf(
  runtime: Runtime,
  username: string,
  password: string,
): Promise<PasswordProblem | null> {
  const problem = formatProblem(password);
  if (problem) return problem;
  if (password.toLowerCase() === username || (await isCommon(password))) return 'common';
  return (await isBreached(runtime, password)) ? 'breached' : null;
}

const messages: Record<PasswordProblem, string> = {
  malformed: 'The password contains a character that is not allowed.',
  too_short: 'The password must have at least 8 characters.',
  too_long:
    'The password must have at most 72 bytes. An ASCII character has one byte, other characters have more.',
  common: 'This password is too common.',
  breached: 'This password is known from a data breach.',
};
