import { distance } from 'fastest-levenshtein';

/**
 * Returns the known name that a misspelled name most likely means, or null. Ignores case and punctuation.
 *
 * @example closestName('rpID', ['rpId', 'rpName']) // 'rpId'
 */
export function closestName(given: string, known: readonly string[]): string | null {
  const wanted = bare(given);
  if (wanted.length < 2 || wanted.length > 64) return null;
  const [best] = known
    .map((name) => ({ name, edits: editsBetween(wanted, bare(name)) }))
    .sort((one, other) => one.edits - other.edits);
  return best && best.edits <= Math.max(1, Math.floor(wanted.length / 2.5)) ? best.name : null;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** A name that begins with the other name counts as one edit: `databaseUrl` means `database`. */
function editsBetween(wanted: string, name: string): number {
  const isPrefix =
    wanted.length > 2 && name.length > 2 && (wanted.startsWith(name) || name.startsWith(wanted));
  return Math.min(distance(wanted, name), isPrefix ? 1 : Number.POSITIVE_INFINITY);
}

/** Returns a question to append to an error about an unknown name. Empty: no known name is similar. */
export function suggestion(given: string, known: readonly string[]): string {
  const closest = closestName(given, known);
  return closest === null ? '' : ` Did you mean ${JSON.stringify(closest)}?`;
}
