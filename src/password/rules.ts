/** Why a password is not acceptable. */
export type PasswordProblem = 'malformed' | 'too_short' | 'too_long' | 'common' | 'breached';

const minCharacters = 8;
// bcrypt ignores all bytes after the 72nd.
const maxBytes = 72;
// No acceptable password is longer before normalization. The time to normalize grows with the square of the number of
// combining marks.
const maxInputLength = 256;

/**
 * Normalizes a password, so that it does not depend on how a keyboard composes characters (ASVS 6.2, NIST SP 800-63B
 * 3.1.1.2). Keeps spaces.
 */
export const normalizePassword = (given: string): string =>
  given.length > maxInputLength ? given.slice(0, maxInputLength).toWellFormed() : given.normalize('NFKC');

/**
 * Why a normalized password has the wrong form, or null. It must not contain NUL, where bcrypt stops reading, or lone
 * surrogates, which all have the same UTF-8 encoding, that of U+FFFD.
 */
export function formatProblem(password: string): 'malformed' | 'too_short' | 'too_long' | null {
  if (password.includes('\0') || !password.isWellFormed()) return 'malformed';
  if ([...password].length < minCharacters) return 'too_short';
  return Buffer.byteLength(password) > maxBytes ? 'too_long' : null;
}

/** Whether the password can be removed: only if another sign-in method remains. */
export const mayRemovePassword = ({ passkeys }: { passkeys: number }): boolean => passkeys > 0;
