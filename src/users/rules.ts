import { skeletonOf } from './look-alikes.ts';

/** Why a username is not allowed. */
export type UsernameProblem = 'invalid' | 'reserved';

export interface UsernameDecision {
  /** The canonical form. For an invalid username, this is the input, trimmed and in lowercase. */
  username: string;
  /** Null: the username is allowed, but another account can already have it. */
  problem: UsernameProblem | null;
}

/** Usernames that name the service or its staff, and usernames that are parts of the service's URLs. */
const reserved = new Set(
  `about abuse account accounts admin administrator anonymous api auth billing contact everyone guest
   help helpdesk hostmaster info latchkey login logout me moderator nobody noreply no-reply null official
   operator owner passkey password postmaster privacy recovery register root security self session
   settings signin signup staff status sudo superadmin superuser support sysadmin system team terms test
   undefined user username users webmaster www`
    .split(/\s+/)
    .map(skeletonOf),
);

/**
 * Whether a username is reserved, looks like a reserved username (`adm1n`), or is the encoded form of a name in another
 * alphabet (`xn--…`, RFC 5890), which some programs show decoded.
 */
const isReserved = (username: string): boolean =>
  username.startsWith('xn--') || reserved.has(skeletonOf(username));

const canonicalForm = /^[a-z0-9](?:[a-z0-9._-]{1,30})[a-z0-9]$/;
// Limits the length before normalizing, because normalizing takes quadratic time and would block the process.
const maxInputLength = 256;

/**
 * Converts a username to the canonical form: NFKC, lowercase, trimmed. A username has 3 to 32 characters: `a` to `z`,
 * `0` to `9`, `.`, `_` and `-`. The first and the last character must be a letter or a digit. Other characters are
 * rejected, because some look like ASCII letters or are invisible.
 */
export function canonicalUsername(given: string): UsernameDecision {
  if (given.length > maxInputLength) return { username: given.trim().toLowerCase(), problem: 'invalid' };
  const username = fold(fold(given.normalize('NFKC')).normalize('NFKC'));
  if (!canonicalForm.test(username)) return { username: fold(given), problem: 'invalid' };
  return { username, problem: isReserved(username) ? 'reserved' : null };
}

/** Returns the canonical username, for finding an account. Returns an empty text if the username is invalid. */
export function usernameToFind(given: string): string {
  const { username, problem } = canonicalUsername(given);
  return problem === 'invalid' ? '' : username;
}

// White space without U+FEFF, which is a zero-width character. Usernames with zero-width characters must be rejected.
const outerSpace = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g;
const fold = (text: string) => text.replace(outerSpace, '').toLowerCase();
