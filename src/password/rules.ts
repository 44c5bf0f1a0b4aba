/** Why a password is not acceptable. */
export type PasswordProblem = 'malformed' | 'too_short' | 'too_long' | 'common' | 'breached';

const minCharacters = 8;
// bcrypt ignores all bytes after the 72nd.
const maxBytes = 72;
// Longer input is never an acceptable password, so it is not normalized. Normalization could take long: its time grows
// with the square of the number of combining marks.
const maxInputLength = 256;

/**
 * Normalizes a password, so that the result does not depend on how a keyboard composes characters (ASVS 6.2, NIST SP
 * 800-63B 3.1.1.2). Keeps spaces.
 */
export const normalizePassword = (given: string): string =>
  given.length > maxInputLength ? given.slice(0, maxInputLength).toWellFormed() : given.normalize('NFKC');

/**
 * Returns why a normalized password has the wrong form. Null: the form is valid.
 *
 * A password must not contain NUL, because bcrypt stops reading at NUL. It must not contain lone surrogates, because
 * UTF-8 encodes all of them as the same character, U+FFFD.
 */
export function formatProblem(password: string): 'malformed' | 'too_short' | 'too_long' | null {
  if (password.includes('\0') || !password.isWellFormed()) return 'malformed';
  if ([...password].length < minCharacters) return 'too_short';
  return Buffer.byteLength(password) > maxBytes ? 'too_long' : null;
}

/** Whether the password can be removed: only if a passkey remains as a sign-in method. */
export const mayRemovePassword = ({ passkeys }: { passkeys: number }): boolean => passkeys > 0;
