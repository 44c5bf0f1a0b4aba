/** Converts ASCII text to the full-width forms of East Asian keyboards. Keeps spaces. */
export const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (symbol) => String.fromCodePoint(symbol.charCodeAt(0) + 0xfee0));
