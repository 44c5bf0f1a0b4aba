import { bounds } from '../../core/bounds.ts';
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
  if (problem) {
    const message = messagesFor(runtime.config)[problem];
    throw new AuthError('password_unacceptable', { reason: problem, message });
  }
  return hashPassword(runtime, password);
}

/** Runs the most expensive check last. Treats the username as a common password. */
async function problemOf(
  runtime: Runtime,
  username: string,
  password: string,
): Promise<PasswordProblem | null> {
  const problem = formatProblem(password, runtime.config.passwordMinLength);
  if (problem) return problem;
  if (password.toLowerCase() === username || (await isCommon(password))) return 'common';
  return (await isBreached(runtime, password)) ? 'breached' : null;
}

const messagesFor = ({ passwordMinLength }: Runtime['config']): Record<PasswordProblem, string> => ({
  malformed: 'The password contains a character that is not allowed.',
  too_short: `The password must have at least ${passwordMinLength} characters.`,
  too_long: `The password must have at most ${bounds.passwordCharacters} characters.`,
  common: 'This password is too common.',
  breached: 'This password is known from a data breach.',
});
