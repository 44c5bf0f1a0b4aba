import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { rememberUsersUrl } from './page-cursors.ts';
import { readUsersQuery, type UsersQuery, usersPath, usersUrl } from './users-query.ts';

export interface UsersNavigation {
  query: UsersQuery;
  /** Shows another list or page. Without `page` and `cursor`, shows the first page. */
  change: (change: Partial<UsersQuery>, options?: { replace?: boolean }) => void;
}

/** Reads the search, the filters and the page from the URL, and changes them. */
export function useUsersQuery(): UsersNavigation {
  const { url, path, query: given, route } = useLocation();
  // While another page loads, the URL is already that of the other page. This page then keeps its last query.
  const last = useRef(given);
  if (path === usersPath) last.current = given;
  const shown = last.current;
  const query = useMemo(() => readUsersQuery(shown), [shown]);
  const latest = useRef(query);
  latest.current = query;

  useEffect(() => {
    if (path === usersPath) rememberUsersUrl(url);
  }, [path, url]);

  const change: UsersNavigation['change'] = (changed, { replace = false } = {}) =>
    route(usersUrl({ ...latest.current, page: 1, cursor: null, ...changed }), replace);

  return { query, change };
}
