import stringWidth from 'string-width';

/**
 * Control and format characters (including bidirectional ones), line and paragraph separators, lone surrogates and
 * characters without a width. Excludes the variation selector after an emoji.
 */
const unprintable =
  /(?!(?<=\p{Emoji})\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Only some terminals join emoji, so the width of joined emoji is unknown. `printable` removes the joiner. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{fe0f}?)\u{200d}(?=\p{Extended_Pictographic})/gu;

/**
 * Escapes untrusted text for one line of a terminal. Escapes characters that could control the terminal, reorder or
 * break the line, or stay invisible.
 *
 * @example printable('ann\u202ea') // 'ann\\u202ea'
 */
export const printable = (text: string): string =>
  text.replaceAll(emojiJoiner, '').replaceAll(unprintable, escaped);

/** Like `printable`, for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** JSON in which the `unprintable` characters are escaped. Parsing the JSON returns an equal value. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(unprintable, (character) =>
    // Line breaks occur only between JSON tokens, because `JSON.stringify` escapes them in strings.
    character === '\n' ? character : codeUnits(character),
  );

/** The width of a text in terminal columns. */
export const widthOf = (text: string): number => stringWidth(text);

function escaped(character: string): string {
  return character.length === 1 ? codeUnits(character) : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Escapes a character in a form that JSON and JavaScript understand. */
const codeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
