import type { Role, UserStatus } from '../../core/user.ts';
import type { SortOrder, UserSort } from '../../core/user-list.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { hasPasskey, isNotDeleted, userColumns } from '../store.ts';
import { hasNameGrams, nameContains } from './name-grams.ts';

export interface DirectoryFilter {
  /** A part of a username or display name. */
  search?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  hasPasskey?: boolean | undefined;
  /** RFC 3339. Selects the users who have not signed in since then. */
  signedInBefore?: string | undefined;
  /** A `select` of one column: the ids of the users to search. Absent: all users. */
  among?: Sql | undefined;
  /** Only the members of an organization. */
  organization?: OrganizationMembers | undefined;
}

/** Two forms of one condition. PostgreSQL cannot choose the faster one, because it does not know how many members match. */
export interface OrganizationMembers {
  /** A `select` of one column: the ids of the members. */
  ids: Sql;
  /** A condition that looks up the membership of each user. */
  isMember: Sql;
}

/** Selects a part of the list. */
export interface DirectoryPage {
  sort: UserSort;
  order: SortOrder;
  /** The last user of the previous page. `key` is the `sort_key` of the row. */
  after?: { key: string; id: string } | undefined;
  limit: number;
}

/** A row also has the value by which the list is sorted. A time is in RFC 3339 with microseconds. */
export interface SortedRow {
  sort_key: string;
}

/** Selects one page of users. With a search, PostgreSQL reads users in the order of the list until the page is full. */
export const selectDirectory = (filter: DirectoryFilter, page: DirectoryPage): Sql => sql`
  select ${userColumns}, ${sortKey(page.sort)} as sort_key from (
    ${usersOf(filter, page)} and ${matches(filter)}
    ${inOrder(page.sort, page, page.limit)}
  ) as users
  ${sorted(page, page.limit)}`;

/** Like `selectDirectory`, but reads and sorts all members of the organization, up to `most`. */
export const selectDirectoryOfMembers = (
  { organization, ...filter }: DirectoryFilter & { organization: OrganizationMembers },
  page: DirectoryPage,
  most: number,
): Sql => sql`
  with member as materialized (
    select members.user_id from (${organization.ids}) as members limit ${most}::integer
  )
  select ${userColumns}, ${sortKey(page.sort)} as sort_key from (
    ${usersOf(filter, page)} and ${matches(filter)} and users.id in (select member.user_id from member)
  ) as users
  ${sorted(page, page.limit)}`;

/**
 * Like `selectDirectory`, but searches only among the next `most` users. If the page is not full, other users can
 * match, too.
 */
export const selectDirectoryNearby = (
  { organization, ...filter }: DirectoryFilter,
  page: DirectoryPage,
  most: number,
): Sql => sql`
  select ${userColumns}, ${sortKey(page.sort)} as sort_key from (
    ${usersOf(filter, page)}
    ${inOrder(page.sort, page, most)}
  ) as users
  where ${matches(filter)} ${organization ? sql`and ${organization.isMember}` : sql``}
  ${sorted(page, page.limit)}`;

/**
 * Like `selectDirectory`, but finds the users with the index on the parts of names. Finds at most `most` users, in any
 * order. If `found` is `most`, other users can match, too, and the rows are not a page of the list.
 */
export const selectDirectoryByGrams = (
  filter: DirectoryFilter,
  page: DirectoryPage,
  most: number,
): Sql => sql`
  with found as (
    ${usersOf(filter, page)} and ${matches(filter)} and ${hasNameGrams(filter.search ?? '')}
    limit ${most}::integer
  ),
  -- Materialized, because PostgreSQL would count again for each row.
  counted as materialized (select count(*) as found from found)
  select ${userColumns}, ${sortKey(page.sort)} as sort_key, counted.found
  from found as users
  join counted on true
  ${sorted(page, page.limit)}`;

/** An SQL expression: the number of users, or `most` if it is higher. */
export const countDirectory = ({ organization, ...filter }: DirectoryFilter, most: number): Sql => sql`
  (select count(*) from (
    select 1 as one from latchkey.users
    where ${join(conditionsOf(filter), ' and ')} and ${matches(filter)}
      ${organization ? sql`and users.id in (${organization.ids})` : sql``}
      ${filter.search === undefined || filter.among ? sql`` : sql`and ${hasNameGrams(filter.search)}`}
    limit ${most}::integer
  ) as counted)`;

const columns = sql`users.id, users.username, users.display_name, users.role, users.status, users.created_at`;

function usersOf(filter: DirectoryFilter, { sort, order, after }: DirectoryPage): Sql {
  const conditions = conditionsOf(filter);
  if (after) conditions.push(isAfter(sort, order, after));
  return sql`
    select ${columns} ${sort === 'lastSignIn' ? sql`, user_sign_ins.last_sign_in_at` : sql``}
    from ${sort === 'lastSignIn' ? sql`latchkey.user_sign_ins join latchkey.users on users.id = user_sign_ins.user_id` : sql`latchkey.users`}
    where ${join(conditions, ' and ')}`;
}

/** Roles and statuses are literals, not parameters, so that PostgreSQL can use the partial indexes on them. */
function conditionsOf(filter: DirectoryFilter): Sql[] {
  const conditions = [isNotDeleted];
  if (filter.role !== undefined) conditions.push(roles[filter.role]);
  if (filter.status !== undefined) conditions.push(statuses[filter.status]);
  if (filter.hasPasskey !== undefined)
    conditions.push(filter.hasPasskey ? hasPasskey : sql`not ${hasPasskey}`);
  if (filter.signedInBefore !== undefined)
    conditions.push(sql`users.id in (
      select inactive.user_id from latchkey.user_sign_ins as inactive
      where inactive.last_sign_in_at < ${filter.signedInBefore}::text::timestamptz)`);
  if (filter.among !== undefined) conditions.push(sql`users.id in (${filter.among})`);
  if (filter.organization !== undefined) conditions.push(filter.organization.isMember);
  return conditions;
}

const roles = {
  user: sql`users.role = 'user'`,
  admin: sql`users.role = 'admin'`,
  superadmin: sql`users.role = 'superadmin'`,
} as const satisfies Record<Role, Sql>;

const statuses = {
  active: sql`users.status = 'active'`,
  disabled: sql`users.status = 'disabled'`,
} as const satisfies Record<UserStatus, Sql>;

const matches = ({ search }: DirectoryFilter): Sql =>
  search === undefined ? sql`true` : nameContains(search);

/** The columns by which a list is sorted: in the tables, and in the rows of a subquery with the alias `users`. */
const keys = {
  username: { inTables: raw('users.username'), inRows: raw('users.username') },
  createdAt: { inTables: raw('users.created_at'), inRows: raw('users.created_at') },
  lastSignIn: { inTables: raw('user_sign_ins.last_sign_in_at'), inRows: raw('users.last_sign_in_at') },
} as const satisfies Record<UserSort, { inTables: Sql; inRows: Sql }>;

const directions = { asc: raw('asc'), desc: raw('desc') } as const satisfies Record<SortOrder, Sql>;

/** Keeps the microseconds, which the type `Date` of some drivers does not have. */
const sortKey = (sort: UserSort): Sql =>
  sort === 'username'
    ? keys.username.inRows
    : sql`to_char(${keys[sort].inRows} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

function isAfter(sort: UserSort, order: SortOrder, { key, id }: { key: string; id: string }): Sql {
  const follows = order === 'asc' ? raw('>') : raw('<');
  if (sort === 'username') return sql`users.username ${follows} ${key}::text`;
  const userId = sort === 'lastSignIn' ? raw('user_sign_ins.user_id') : raw('users.id');
  return sql`(${keys[sort].inTables}, ${userId}) ${follows} (${key}::text::timestamptz, ${id}::uuid)`;
}

const inOrder = (sort: UserSort, { order }: Pick<DirectoryPage, 'order'>, limit: number): Sql => {
  const direction = directions[order];
  const userId = sort === 'lastSignIn' ? raw('user_sign_ins.user_id') : raw('users.id');
  return sql`
    order by ${keys[sort].inTables} ${direction} ${sort === 'username' ? sql`` : sql`, ${userId} ${direction}`}
    limit ${limit}::integer`;
};

const sorted = ({ sort, order }: Pick<DirectoryPage, 'sort' | 'order'>, limit: number): Sql => {
  const direction = directions[order];
  return sql`
  order by ${keys[sort].inRows} ${direction} ${sort === 'username' ? sql`` : sql`, users.id ${direction}`}
  limit ${limit}::integer`;
};
