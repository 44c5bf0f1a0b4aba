/** Returns the beginning of a text that is too long, followed by an ellipsis. Never cuts a surrogate pair. */
export const shortened = (text: string, mostCharacters: number): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '')}…` : text;
