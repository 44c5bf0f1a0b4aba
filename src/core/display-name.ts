const mostCharacters = 64;

/**
 * Returns a display name trimmed and normalized (NFC). Null if it is empty, has more than 64 characters, or contains
 * control characters or text that PostgreSQL cannot store.
 */
export function displayName(given: string): string | null {
  // Limits the length first, because normalizing many combining marks is slow.
  if (typeof given !== 'string' || given.length > 1000 || !given.isWellFormed()) return null;
  const name = given.normalize('NFC').trim();
  return name !== '' && [...name].length <= mostCharacters && /^\P{Cc}*$/u.test(name) ? name : null;
}
