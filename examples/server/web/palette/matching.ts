import type { Entry } from './entry.ts';

/** Ignores case and accents, so that "zurich" finds "Zürich". */
const normalized = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** How well an entry matches: 2, its name starts with the text; 1, it contains all the words; 0, it does not match. */
function rankOf({ name, detail = '', keywords = '' }: Entry, query: string): 0 | 1 | 2 {
  if (normalized(name).startsWith(query)) return 2;
  const text = normalized(`${name} ${detail} ${keywords}`);
  return query.split(/\s+/).every((word) => text.includes(word)) ? 1 : 0;
}

/** The entries that match what the user typed. In each group, the best matches are first. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const query = normalized(typed.trim());
  if (query === '') return [...entries];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, query) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}
