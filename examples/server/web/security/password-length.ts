const mostCharacters = 128;

/** Checks the length of a new password. Only the service can check the other rules. */
export function lengthOf(password: string, fewestCharacters: number): 'short' | 'long' | 'good' {
  // The service also counts the normalized form, because keyboards produce different code points for the same letter.
  const { length } = [...password.normalize('NFKC')];
  if (length < fewestCharacters) return 'short';
  return length > mostCharacters ? 'long' : 'good';
}
