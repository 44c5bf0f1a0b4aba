/** The service refuses shorter and longer ones, too; said here so that nobody has to wait for it. */
const fewestCharacters = 8;
const mostBytes = 72;

interface Strength {
  /** 0 to 4. */
  level: number;
  words: string;
}

/** Why a password is refused before anybody is asked; null where it is not. */
export function passwordProblem(password: string, username: string): string | null {
  const normal = password.normalize('NFKC');
  if ([...normal].length < fewestCharacters) return `A password has ${fewestCharacters} characters at least.`;
  if (Buffer.byteLength(normal) > mostBytes) return `A password has ${mostBytes} bytes at most.`;
  return normal.toLowerCase() === username ? 'Not the username.' : null;
}

/**
 * How long guessing would take by length and variety alone. What repeats or counts on adds little; that words are
 * easier to guess than their letters is not known here, so nothing short is called strong.
 */
export function passwordStrength(password: string): Strength {
  const characters = [...password];
  const length = characters.length;
  if (length < fewestCharacters) {
    const missing = fewestCharacters - length;
    return { level: 0, words: `too short: ${missing} more` };
  }
  const fresh = characters.filter((character, index) => isFresh(characters[index - 1], character)).length;
  const distinct = new Set(characters).size;
  const bits = Math.min(fresh, distinct * 2) * Math.log2(alphabetOf(password));
  if (bits < 45 || length < 10) return { level: 1, words: 'weak: longer is better' };
  if (bits < 65) return { level: 2, words: 'fair, by length and variety' };
  return bits < 90
    ? { level: 3, words: 'good, by length and variety' }
    : { level: 4, words: 'strong, by length and variety' };
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
