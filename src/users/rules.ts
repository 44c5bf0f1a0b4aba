/** Why a username cannot be had; null where it can, as far as its form goes. */
export type UsernameProblem = 'invalid' | 'reserved';

export interface UsernameDecision {
  /** The canonical form; of an impossible name, its trimmed and case-folded text. */
  username: string;
  problem: UsernameProblem | null;
}

/** Names that would let their owner pass for the service or its staff, or collide with paths. */
const reserved = new Set(
  `about abuse account accounts admin administrator anonymous api auth billing contact everyone guest
   help helpdesk hostmaster info latchkey login logout me moderator nobody noreply no-reply null official
   operator owner passkey password postmaster privacy recovery register root security self session
   settings signin signup staff status sudo superadmin superuser support sysadmin system team terms test
   undefined user username users webmaster www`.split(/\s+/),
);

const canonicalForm = /^[a-z0-9](?:[a-z0-9._-]{1,30})[a-z0-9]$/;
// Longer input cannot become a username, and normalizing it would hold everybody up: the work grows with the square.
const longestConsidered = 256;

/**
 * One canonical form for each username: NFKC, case-folded, then `[a-z0-9]` with inner `.`, `_` and `-`, 3 to 32
 * characters. Only ASCII is left, so lookalikes, zero-width and right-to-left characters cannot be in it.
 */
export function canonicalUsername(given: string): UsernameDecision {
  if (given.length > longestConsidered) return { username: given.trim().toLowerCase(), problem: 'invalid' };
  const username = fold(fold(given.normalize('NFKC')).normalize('NFKC'));
  if (!canonicalForm.test(username)) return { username: fold(given), problem: 'invalid' };
  return { username, problem: reserved.has(username) ? 'reserved' : null };
}

/** The name to look an account up by; nobody has the empty one that an impossible name becomes. */
export function accountName(given: string): string {
  const { username, problem } = canonicalUsername(given);
  return problem === 'invalid' ? '' : username;
}

// U+FEFF is white space to JavaScript but zero-width to a reader: it is refused like its kind, not trimmed.
const outerSpace = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g;
const fold = (text: string) => text.replace(outerSpace, '').toLowerCase();
