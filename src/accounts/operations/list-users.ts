import { refuse } from '../../audit/operations/refuse.ts';
import { AuthError } from '../../core/errors.ts';
import { invalidCursor, keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Role, User, UserStatus } from '../../core/user.ts';
import type { SortOrder, UserList, UserListPart, UserSort } from '../../core/user-list.ts';
import { selectMembersManagedBy } from '../../organizations/store/managed.ts';
import { isMemberOf } from '../../organizations/store/member-search.ts';
import { countMembersUpTo, selectMemberIds } from '../../organizations/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { isStorable } from '../../users/rules.ts';
import {
  type DirectoryFilter,
  type DirectoryPage,
  type OrganizationMembers,
  type SortedRow,
  selectDirectory,
  selectDirectoryByGrams,
  selectDirectoryNearby,
  selectDirectoryOfMembers,
} from '../../users/store/directory.ts';
import { selectUsers } from '../../users/store/search.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { positionFrom, textOfPosition, type UserOrder } from '../list-position.ts';
import { readListDetails } from './list-details.ts';
import { countListed } from './list-numbers.ts';

/** Which users a list contains, in which order, and what it shows of them. */
export interface UserSearch extends PageRequest {
  /** The beginning of a username or display name. Only for lists by username. */
  query?: string | undefined;
  /** A part of a username or display name. */
  search?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  /** Whether the users have a passkey. */
  hasPasskey?: boolean | undefined;
  /** RFC 3339. Only users who have not signed in since this time. */
  signedInBefore?: string | undefined;
  /** Only members of this organization. An admin gets only members of organizations that the admin manages. */
  organizationId?: string | undefined;
  /** Default: `username`. */
  sort?: UserSort | undefined;
  /** Default: `asc`. */
  order?: SortOrder | undefined;
  include?: readonly UserListPart[] | undefined;
}

/** How many users a search reads in the order of the list before it uses the index on the parts of names. */
const nearby = 2000;
/**
 * The largest number of users that a search sorts. In an organization with more members, a search first looks among
 * this many users of the list.
 */
const sortable = 20_000;

/**
 * Returns one page of users. An admin sees only members of the organizations that the admin manages. The admin sees
 * neither their sign-ins nor their passkeys, because these belong to no organization.
 *
 * @throws AuthError `invalid_request` for an invalid cursor, and for `query` together with a newer parameter
 * @throws AuthError `forbidden` if an admin sorts or filters by sign-ins or passkeys
 */
export async function listUsers(
  runtime: Runtime,
  by: Entitled<'user:read'>,
  {
    query,
    search,
    organizationId,
    sort = 'username',
    order = 'asc',
    include = [],
    limit,
    cursor,
    ...rest
  }: UserSearch,
): Promise<UserList> {
  const { reach } = by;
  const isAboutCredentials =
    sort === 'lastSignIn' || rest.hasPasskey !== undefined || rest.signedInBefore !== undefined;
  if (reach !== 'any' && isAboutCredentials)
    return refuse(runtime, by.actor, { event: 'user.list', code: 'forbidden', reason: 'not_all_users' });
  const among = reach === 'any' ? undefined : selectMembersManagedBy(reach.managedBy, organizationId);
  const organization =
    organizationId === undefined || among
      ? undefined
      : { id: organizationId, ids: selectMemberIds(organizationId), isMember: isMemberOf(organizationId) };
  const page = { limit, cursor };
  const filter = { ...rest, search: search || undefined, among, organization };
  if (query) {
    const isOrdered = sort !== 'username' || order !== 'asc' || include.length > 0;
    const hasOtherFilter = filter.search !== undefined || organizationId !== undefined;
    if (hasOtherFilter || isAboutCredentials || isOrdered) throw notWithQuery();
    return listByPrefix(runtime, { ...filter, query }, page);
  }
  const list = { search: filter.search, sort, order };
  const [users, numbers] = await Promise.all([
    readPage(runtime, filter, list, page),
    countListed(runtime, filter, include),
  ]);
  const isDetailed = include.includes('details') && reach === 'any';
  return { ...(isDetailed ? await readListDetails(runtime, users) : users), ...numbers };
}

async function listByPrefix(
  runtime: Runtime,
  filter: DirectoryFilter & { query: string },
  page: PageRequest,
): Promise<Page<'users', User>> {
  const after = keyOfCursor(page, isStorable);
  const rows = await runtime.db.query<UserRow>(selectUsers({ ...filter, after, limit: page.limit + 1 }));
  return toPage('users', rows, page, userFromRow, ({ username }) => username);
}

type Row = UserRow & SortedRow;

type ListFilter = DirectoryFilter & { organization?: (OrganizationMembers & { id: string }) | undefined };

async function readPage(
  runtime: Runtime,
  filter: ListFilter,
  list: UserOrder,
  page: PageRequest,
): Promise<Page<'users', User>> {
  const text = keyOfCursor(page, () => true);
  const after = text === undefined ? undefined : positionFrom(list, text);
  if (text !== undefined && after === undefined) throw invalidCursor();
  const rows = await readRows(runtime, filter, { ...list, after, limit: page.limit + 1 });
  return toPage('users', rows, page, userFromRow, (row) =>
    textOfPosition(list, { key: row.sort_key, id: row.user_id }),
  );
}

/**
 * A search for a common text finds a page among the next users of the list. A search for a rare text needs the index,
 * which does not have the order of the list. If the text is common, but not among the next users, the search reads the
 * list until the page is full. PostgreSQL cannot choose, because it does not know how common a text is.
 *
 * With the filter for an organization, this reads and sorts all members. If there are more than `sortable`, it reads the
 * list of all users until the page is full.
 */
async function readRows({ db }: Runtime, filter: ListFilter, page: DirectoryPage): Promise<Row[]> {
  const { organization } = filter;
  if (organization) {
    const [counted] = await db.query<{ members: string | number }>(
      countMembersUpTo(organization.id, sortable + 1),
    );
    if (Number(counted?.members ?? 0) <= sortable)
      return db.query<Row>(selectDirectoryOfMembers({ ...filter, organization }, page, sortable));
  }
  if (filter.search === undefined || filter.among) return db.query<Row>(selectDirectory(filter, page));
  const near = await db.query<Row>(selectDirectoryNearby(filter, page, organization ? sortable : nearby));
  if (near.length === page.limit) return near;
  const found = await db.query<Row & { found: string | number }>(
    selectDirectoryByGrams(filter, page, sortable),
  );
  return Number(found[0]?.found ?? 0) < sortable ? found : db.query<Row>(selectDirectory(filter, page));
}

const notWithQuery = (): AuthError =>
  new AuthError('invalid_request', {
    errors: [
      {
        path: 'query',
        message:
          'expected `search` instead, because `query` works only with `role`, `status`, `limit` and `cursor`',
      },
    ],
  });
