import { filtersOf, type UsersQuery, usersPath } from './users-query.ts';

const key = 'latchkey-users-cursors';

interface Known {
  list: string;
  /** The cursors of the pages from page 2 on, by page number. */
  cursors: Record<number, string>;
}

const listOf = (query: UsersQuery): string => JSON.stringify(filtersOf(query));

/** A cursor leads only to the next page, so the tab stores the cursors of earlier pages of the list. */
function known(query: UsersQuery): Known {
  const list = listOf(query);
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '') as Known;
    if (stored.list === list) return stored;
  } catch {
    // The tab has not stored cursors yet, or the browser blocks the storage.
  }
  return { list, cursors: {} };
}

export function rememberCursor(query: UsersQuery, page: number, cursor: string): void {
  const { list, cursors } = known(query);
  if (cursors[page] === cursor) return;
  try {
    sessionStorage.setItem(key, JSON.stringify({ list, cursors: { ...cursors, [page]: cursor } }));
  } catch {
    // Without storage, "Previous page" leads to the first page.
  }
}

/** The previous page, or the first page if the cursor is unknown, for example after opening a shared link. */
export function previousPage(query: UsersQuery): Pick<UsersQuery, 'page' | 'cursor'> {
  const page = query.page - 1;
  const cursor = known(query).cursors[page];
  return page > 1 && cursor ? { page, cursor } : { page: 1, cursor: null };
}

let lastUrl = usersPath;

export const rememberUsersUrl = (url: string): void => {
  lastUrl = url;
};

/** The URL of the last list that this tab showed. */
export const lastUsersUrl = (): string => lastUrl;
