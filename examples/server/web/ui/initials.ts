const tints = 6;

/**
 * One or two letters that stand for a name: "Ada Lovelace" becomes "AL", "ben.smith" becomes "BS". Splits by what users
 * see as one character, so that an emoji or a letter with an accent stays whole.
 */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== '');
  const first = firstCharacter(words[0] ?? '');
  const last = words.length > 1 ? firstCharacter(words.at(-1) ?? '') : '';
  return `${first}${last}`.toLocaleUpperCase('en');
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const firstCharacter = (word: string): string =>
  segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** A number from 1 to 6 for a name. The same name always has the same number. */
export function tintOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % tints) + 1;
}
