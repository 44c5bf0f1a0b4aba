import { bounds } from '../core/bounds.ts';

/** Why a password is not acceptable. */
export type PasswordProblem = 'malformed' | 'too_short' | 'too_long' | 'common' | 'breached';

/** The lowest allowed `passwordMinLength`. Passwords never had fewer characters. */
const minCharacters = 8;
// Longer input is not normalized. Normalization could take long: its time grows with the square of the number of
// combining marks. No character of a script in use is decomposed into more than four code units.
const maxInputLength = 4 * bounds.passwordCharacters;

/**
 * Normalizes a password, so that the result does not depend on how a keyboard composes characters (ASVS 6.2, NIST SP
 * 800-63B 3.1.1.2). Keeps spaces.
 */
export const normalizePassword = (given: string): string =>
  given.length > maxInputLength ? given.slice(0, maxInputLength).toWellFormed() : given.normalize('NFKC');

/**
 * Returns why a normalized password has the wrong form. Null: the form is valid.
 *
 * A password must not contain NUL, because bcrypt stopped reading at NUL in hashes of the earlier form. It must not
 * contain lone surrogates, because UTF-8 encodes all of them as the same character, U+FFFD.
 *
 * @param min `passwordMinLength` for a new password. Without it, also accepts passwords that were set when
 *   `passwordMinLength` was lower.
 */
export function formatProblem(
  password: string,
  min: number = minCharacters,
): 'malformed' | 'too_short' | 'too_long' | null {
  if (password.includes('\0') || !password.isWellFormed()) return 'malformed';
  // A character is a Unicode code point (NIST SP 800-63B-4, 3.1.1.2).
  const { length } = [...password];
  if (length < min) return 'too_short';
  return length > bounds.passwordCharacters ? 'too_long' : null;
}

/** Whether the password can be removed: only if a passkey remains as a sign-in method. */
export const mayRemovePassword = ({ passkeys }: { passkeys: number }): boolean => passkeys > 0;
