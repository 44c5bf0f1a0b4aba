/** Converts ASCII characters, except spaces, to the full-width forms of East Asian keyboards. */
export const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (symbol) => String.fromCodePoint(symbol.charCodeAt(0) + 0xfee0));
