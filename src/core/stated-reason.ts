import { bounds } from './bounds.ts';

const most = bounds.statedReasonCharacters;

/** For the message about an invalid reason. */
export const reasonExpected = `expected 1 to ${most} characters without control characters`;

/**
 * Returns the reason for an impersonation, or for disabling a user, trimmed and normalized (NFC). Null if it is empty,
 * is too long, or contains control characters or text that PostgreSQL cannot store.
 */
export function statedReason(given: unknown): string | null {
  // Limits the length first, because normalizing many combining marks is slow.
  if (typeof given !== 'string' || given.length > 4 * most || !given.isWellFormed()) return null;
  const reason = given.normalize('NFC').trim();
  return reason !== '' && [...reason].length <= most && /^\P{Cc}*$/u.test(reason) ? reason : null;
}
