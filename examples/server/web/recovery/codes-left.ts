/** With this many codes left, or fewer, the pages suggest new ones. */
export const fewCodes = 2;

/** "1 code left", "9 codes left". */
export const codesLeft = (count: number): string => (count === 1 ? '1 code left' : `${count} codes left`);
