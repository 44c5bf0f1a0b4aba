import type { CappedCount, ListedUser, UserFilters } from 'latchkey/client';
import { useCallback, useEffect } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { type ItemPage, useList } from '../use-list.ts';
import { rememberCursor } from './page-cursors.ts';
import type { UsersNavigation } from './use-users-query.ts';
import { filtersOf, type UsersQuery, usersOnPage } from './users-query.ts';

export type CountedUsers = ItemPage<ListedUser> & {
  total: CappedCount | null;
  /** The page that these users are on. */
  page: number;
};

/** Loads the users of the page in the URL. */
export function useUserList({ query, change }: UsersNavigation) {
  const { page, cursor } = query;
  const wanted = JSON.stringify(filtersOf(query));

  const load = useCallback(
    async (_next: string | null, signal: AbortSignal): Promise<CountedUsers> => {
      const filters = JSON.parse(wanted) as UserFilters;
      const { users, nextCursor, total } = await auth.users.list(
        { ...filters, limit: usersOnPage, cursor, include: ['details', 'total'] },
        { signal },
      );
      return { items: users, nextCursor, total: total ?? null, page };
    },
    [wanted, cursor, page],
  );
  const list = useList<ListedUser, CountedUsers>(load);
  const { resource } = list;

  // In an old link, the cursor can be invalid, or its page can be empty now. The list then shows the first page.
  const isGone =
    resource.status === 'failed'
      ? codeOf(resource.error) === 'invalid_request'
      : resource.status === 'ready' && resource.value.page === page && resource.value.items.length === 0;
  useEffect(() => {
    if (isGone && cursor !== null) change({}, { replace: true });
  });

  const next = resource.status === 'ready' && resource.value.page === page ? resource.value.nextCursor : null;
  useEffect(() => {
    if (next !== null) rememberCursor(query, page + 1, next);
  });

  return list;
}

/** The next page of the list. Null: this is the last page. */
export const nextPage = ({ page, nextCursor }: CountedUsers): Pick<UsersQuery, 'page' | 'cursor'> | null =>
  nextCursor === null ? null : { page: page + 1, cursor: nextCursor };
