import { locale } from './messages/text.ts';

/** Joins phrases for a sentence: "a, b and c". The English sentences of the pages have no comma before "and". */
export const listOf = (phrases: readonly string[]): string =>
  new Intl.ListFormat(locale().startsWith('en') ? 'en-GB' : locale()).format(phrases);
