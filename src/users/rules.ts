/** Why a username is not allowed. */
export type UsernameProblem = 'invalid' | 'reserved';

export interface UsernameDecision {
  /** The canonical form. If the name is invalid: the input, trimmed and in lowercase. */
  username: string;
  /** Null if the username is allowed. It may still be taken. */
  problem: UsernameProblem | null;
}

/** Names with which a user could impersonate the service or its staff, and names that collide with paths. */
const reserved = new Set(
  `about abuse account accounts admin administrator anonymous api auth billing contact everyone guest
   help helpdesk hostmaster info latchkey login logout me moderator nobody noreply no-reply null official
   operator owner passkey password postmaster privacy recovery register root security self session
   settings signin signup staff status sudo superadmin superuser support sysadmin system team terms test
   undefined user username users webmaster www`.split(/\s+/),
);

const canonicalForm = /^[a-z0-9](?:[a-z0-9._-]{1,30})[a-z0-9]$/;
// Longer input is rejected unread: normalizing takes quadratic time and would block the process.
const maxInputLength = 256;

/**
 * Converts a username to its canonical form: NFKC, lowercase, trimmed. Allowed are 3 to 32 characters of `[a-z0-9]`, with
 * `.`, `_` and `-` inside. Only ASCII passes, so lookalike, zero-width and right-to-left characters are rejected.
 */
export function canonicalUsername(given: string): UsernameDecision {
  if (given.length > maxInputLength) return { username: given.trim().toLowerCase(), problem: 'invalid' };
  const username = fold(fold(given.normalize('NFKC')).normalize('NFKC'));
  if (!canonicalForm.test(username)) return { username: fold(given), problem: 'invalid' };
  return { username, problem: reserved.has(username) ? 'reserved' : null };
}

/** The username to look up an account by. An invalid name becomes the empty string, which no account has. */
export function usernameToFind(given: string): string {
  const { username, problem } = canonicalUsername(given);
  return problem === 'invalid' ? '' : username;
}

// JavaScript counts U+FEFF as white space, but it is a zero-width character. It is rejected like the others, not trimmed.
const outerSpace = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g;
const fold = (text: string) => text.replace(outerSpace, '').toLowerCase();
