/** A text, of plain ASCII, in the full-width forms of East Asian keyboards; spaces stay. */
export const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (symbol) => String.fromCodePoint(symbol.charCodeAt(0) + 0xfee0));
