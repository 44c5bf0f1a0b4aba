/** Why a password cannot be had. */
export type PasswordProblem = 'malformed' | 'too_short' | 'too_long' | 'common' | 'breached';

const fewestCharacters = 8;
// bcrypt looks at no more, and cuts the rest off in silence.
const mostBytes = 72;
// Of what fits, no form is longer than this: and normalizing longer texts takes long, with the square of their marks.
const longestConsidered = 256;

/** One form for a password however a keyboard composes it (ASVS 6.2, NIST SP 800-63B 3.1.1.2). Not trimmed: spaces count. */
export const normalizePassword = (given: string): string =>
  given.length > longestConsidered
    ? given.slice(0, longestConsidered).toWellFormed()
    : given.normalize('NFKC');

/**
 * Whether a normalized password can be told apart from every other by bcrypt, which stops at NUL and takes a lone
 * surrogate for U+FFFD.
 */
export function problemOfForm(password: string): 'malformed' | 'too_short' | 'too_long' | null {
  if (password.includes('\0') || !password.isWellFormed()) return 'malformed';
  if ([...password].length < fewestCharacters) return 'too_short';
  return Buffer.byteLength(password) > mostBytes ? 'too_long' : null;
}

/** Whether the password can go: not where it is the last way in. */
export const mayRemovePassword = ({ passkeys }: { passkeys: number }): boolean => passkeys > 0;
