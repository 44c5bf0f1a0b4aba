import stringWidth from 'string-width';

/**
 * Controls, formats (bidirectional ones too), line and paragraph separators, lone surrogates and characters without a
 * width. The selector that follows an emoji stays.
 */
const unprintable =
  /(?!(?<=\p{Emoji})\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Joins emoji into one on some terminals and not on others: a row would have no certain width. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{fe0f}?)\u{200d}(?=\p{Extended_Pictographic})/gu;

/**
 * Text that somebody else wrote, for one line of a terminal: what would steer the terminal, reorder or break the line,
 * or stay invisible shows as an escape.
 *
 * @example printable('ann\u202ea') // 'ann\\u202ea'
 */
export const printable = (text: string): string =>
  text.replaceAll(emojiJoiner, '').replaceAll(unprintable, escaped);

/** As `printable`, for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** JSON with escapes for the same characters: it parses to the same value. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(unprintable, (character) =>
    // Outside strings JSON has no other control than the line break; inside them it is escaped already.
    character === '\n' ? character : codeUnits(character),
  );

/** Columns that a text takes in a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

function escaped(character: string): string {
  return character.length === 1 ? codeUnits(character) : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** As JSON and JavaScript both write them. */
const codeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
