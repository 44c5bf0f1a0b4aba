const fewestCharacters = 8;
const mostBytes = 72;

/** Checks the length of a new password. Only the service can check the other rules. */
export function lengthOf(password: string): 'short' | 'long' | 'good' {
  // The service also counts the normalized form, because keyboards produce different code points for the same letter.
  const normalized = password.normalize('NFKC');
  if ([...normalized].length < fewestCharacters) return 'short';
  return new TextEncoder().encode(normalized).length > mostBytes ? 'long' : 'good';
}
