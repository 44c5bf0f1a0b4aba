const fewestCharacters = 8;
const mostBytes = 72;

/** Whether the service would find a new password's length right; the rest it alone can tell. */
export function lengthOf(password: string): 'short' | 'long' | 'good' {
  // One form, however a keyboard composes it: so the service counts.
  const normalized = password.normalize('NFKC');
  if ([...normalized].length < fewestCharacters) return 'short';
  return new TextEncoder().encode(normalized).length > mostBytes ? 'long' : 'good';
}
