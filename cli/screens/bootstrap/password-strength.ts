/** The service has the same limit. Checking it here saves a request. */
const maxCharacters = 128;

interface Strength {
  /** 0 to 4. */
  level: number;
  text: string;
}

/** Checks a password without the service. Returns why it is rejected, or null. */
export function passwordProblem(password: string, username: string, minCharacters: number): string | null {
  const normal = password.normalize('NFKC');
  const { length } = [...normal];
  if (length < minCharacters) return `Use at least ${minCharacters} characters.`;
  if (length > maxCharacters) return `Use at most ${maxCharacters} characters.`;
  return normal.toLowerCase() === username ? 'The password must differ from the username.' : null;
}

/**
 * Estimates the strength from the length and the variety of characters. The second character of `aa` or `ab` does not
 * count, because it repeats or continues the first one. The estimate does not recognize words, so a password with fewer
 * than ten characters is always "weak".
 */
export function passwordStrength(password: string, minCharacters: number): Strength {
  const characters = [...password];
  const length = characters.length;
  if (length < minCharacters) {
    const missing = minCharacters - length;
    return { level: 0, text: `too short: ${missing} more` };
  }
  const fresh = characters.filter((character, index) => isFresh(characters[index - 1], character)).length;
  const distinct = new Set(characters).size;
  const bits = Math.min(fresh, distinct * 2) * Math.log2(alphabetOf(password));
  if (bits < 45 || length < 10) return { level: 1, text: 'weak: make it longer' };
  if (bits < 65) return { level: 2, text: 'estimate: fair' };
  return bits < 90 ? { level: 3, text: 'estimate: good' } : { level: 4, text: 'estimate: strong' };
}

function isFresh(before: string | undefined, character: string): boolean {
  if (before === undefined) return true;
  return Math.abs((character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)) > 1;
}

function alphabetOf(password: string): number {
  const classes: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\w]|_/, 33],
  ];
  return classes.reduce((sum, [found, size]) => sum + (found.test(password) ? size : 0), 0);
}
