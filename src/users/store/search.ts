import type { Role, UserStatus } from '../../core/user.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { isNotDeleted, userColumns } from '../store.ts';

export interface UserFilter {
  /** The beginning of a username or display name. */
  query?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  /** Only accounts with these ids: a `select` of one column. */
  among?: Sql | undefined;
  /** The username that the page before ended with. */
  after?: string | undefined;
  limit: number;
}

/** One page of users by username. */
export const selectUsers = (filter: UserFilter): Sql =>
  filter.query !== undefined && filter.among === undefined
    ? selectUsersNamed(filter.query, filter)
    : sql`
  select ${userColumns} from latchkey.users
  where ${join(conditionsOf(filter), ' and ')}
  ${byUsername(filter)}`;

/**
 * Those by username and those by display name are looked up by an index of their own, each in the order of usernames, and
 * the first of both are the page. Asked for together, they would be looked for among all people.
 */
function selectUsersNamed(query: string, { query: _, ...filter }: UserFilter): Sql {
  const first = (condition: Sql) => sql`
    (select ${userColumns} from latchkey.users
    where ${join([...conditionsOf(filter), condition], ' and ')}
    ${byUsername(filter)})`;
  return sql`
  with users as (
    ${first(usernameBegins(query))}
    union
    ${first(sql`${displayNameBeginsAlike(query)} and ${displayNameBegins(query)}`)}
  )
  select users.* from users
  ${byUsername(filter)}`;
}

function conditionsOf({ query, role, status, among, after }: UserFilter): Sql[] {
  const conditions = [isNotDeleted];
  if (query !== undefined) conditions.push(sql`(${usernameBegins(query)} or ${displayNameBegins(query)})`);
  if (role !== undefined) conditions.push(sql`users.role = ${role}::text`);
  if (status !== undefined) conditions.push(sql`users.status = ${status}::text`);
  if (among !== undefined) conditions.push(sql`users.id in (${among})`);
  if (after !== undefined) conditions.push(sql`users.username > ${after}::text`);
  return conditions;
}

/** Nothing in a username comes after `~`. */
function usernameBegins(query: string): Sql {
  const beginning = query.normalize('NFC');
  return sql`
    (users.username >= lower(${beginning}::text) and users.username < lower(${beginning}::text) || '~')`;
}

function displayNameBegins(query: string): Sql {
  const pattern = `${query.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
  return sql`lower(users.display_name) like lower(${pattern}::text)`;
}

/** Follows from `displayNameBegins`. There is an index for each number of characters. */
function displayNameBeginsAlike(query: string): Sql {
  const beginning = query.normalize('NFC');
  const count = raw(`${Math.min([...beginning].length, 3)}`);
  return sql`left(lower(users.display_name), ${count}) = left(lower(${beginning}::text), ${count})`;
}

const byUsername = ({ limit }: UserFilter): Sql => sql`
  order by users.username
  limit ${limit}::integer`;
