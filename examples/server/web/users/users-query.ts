import type { Role, User, UserFilters, UserSort } from 'latchkey/client';

export const usersPath = '/admin/users';
export const usersOnPage = 25;

/** What the list of users shows. The URL contains it, so that links and the back button restore it. */
export interface UsersQuery {
  search: string;
  role: Role | null;
  status: User['status'] | null;
  hasPasskey: boolean | null;
  /** Only users who have not signed in for `inactiveDays` days. */
  isInactive: boolean;
  /** The id of an organization. Only users who are its members. */
  organization: string | null;
  sort: UserSort;
  order: 'asc' | 'desc';
  /** Starts at 1. */
  page: number;
  /** The cursor of the page. Null: the first page. */
  cursor: string | null;
}

export const inactiveDays = 90;
const dayMs = 86_400_000;

const oneOf = <Value extends string>(values: readonly Value[], given: string | undefined): Value | null =>
  values.find((value) => value === given) ?? null;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const passkeyValues = { yes: true, no: false } as const;

/** Reads the query of the URL. Ignores invalid values. */
export function readUsersQuery(given: Record<string, string | undefined>): UsersQuery {
  const page = Number(given.page);
  const isLater = Number.isInteger(page) && page > 1 && given.cursor !== undefined;
  const passkey = oneOf(['yes', 'no'], given.passkey);
  return {
    search: given.search?.trim() ?? '',
    role: oneOf(['user', 'admin', 'superadmin'], given.role),
    status: oneOf(['active', 'disabled'], given.status),
    hasPasskey: passkey === null ? null : passkeyValues[passkey],
    isInactive: given.inactive === 'yes',
    organization: uuid.test(given.organization ?? '') ? (given.organization ?? null) : null,
    sort: oneOf(['username', 'createdAt', 'lastSignIn'], given.sort) ?? 'username',
    order: oneOf(['asc', 'desc'], given.order) ?? 'asc',
    page: isLater ? page : 1,
    cursor: isLater ? (given.cursor ?? null) : null,
  };
}

/** The URL of a list. Omits default values. */
export function usersUrl(query: UsersQuery): string {
  const { search, role, status, hasPasskey, isInactive, organization, sort, order, page, cursor } = query;
  const parts = new URLSearchParams();
  const add = (name: string, value: string | null) => value && parts.set(name, value);
  add('search', search);
  add('role', role);
  add('status', status);
  add('passkey', hasPasskey === null ? null : hasPasskey ? 'yes' : 'no');
  add('inactive', isInactive ? 'yes' : null);
  add('organization', organization);
  add('sort', sort === 'username' ? null : sort);
  add('order', order === 'asc' ? null : order);
  if (cursor !== null && page > 1) {
    parts.set('page', `${page}`);
    parts.set('cursor', cursor);
  }
  const text = parts.toString();
  return text ? `${usersPath}?${text}` : usersPath;
}

/** The start of the day (UTC) `inactiveDays` days ago. Cursors require that it is the same for all pages of a list. */
const inactiveSince = (now: number): string =>
  new Date((Math.floor(now / dayMs) - inactiveDays) * dayMs).toISOString();

/** The filters and the order of a list, without the page. */
export function filtersOf(query: UsersQuery, now = Date.now()): UserFilters {
  const { search, role, status, hasPasskey, isInactive, organization, sort, order } = query;
  return {
    search: search || undefined,
    role: role ?? undefined,
    status: status ?? undefined,
    hasPasskey: hasPasskey ?? undefined,
    signedInBefore: isInactive ? inactiveSince(now) : undefined,
    organizationId: organization ?? undefined,
    sort,
    order,
  };
}

/** Whether the list shows only some of the users. */
export const isFiltered = ({ search, ...query }: UsersQuery): boolean => search !== '' || isNarrowed(query);

/** Whether a filter other than the search is on. */
export const isNarrowed = (query: Omit<UsersQuery, 'search'>): boolean =>
  query.organization !== null || hasChips(query);

/** Whether a filter other than the search and the organization is on. The counts on the chips apply these two. */
export const hasChips = (query: Omit<UsersQuery, 'search' | 'organization'>): boolean =>
  query.role !== null || query.status !== null || query.hasPasskey !== null || query.isInactive;

export const withoutChips = { role: null, status: null, hasPasskey: null, isInactive: false } as const;
