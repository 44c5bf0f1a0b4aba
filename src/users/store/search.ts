import type { Role, UserStatus } from '../../core/user.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { isNotDeleted, userColumns } from '../store.ts';

export interface UserFilter {
  /** The first characters of a username or display name. */
  query?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  /** A `select` of one column: the ids of the users to search. Absent: all users. */
  among?: Sql | undefined;
  /** The last username of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** Selects one page of users, sorted by username. */
export const selectUsers = (filter: UserFilter): Sql =>
  filter.query !== undefined && filter.among === undefined
    ? selectUsersNamed(filter.query, filter)
    : sql`
  select ${userColumns} from latchkey.users
  where ${join(conditionsOf(filter), ' and ')}
  ${byUsername(filter)}`;

/** Merges the rows of both searches into one page. */
const selectUsersNamed = (query: string, { query: _, ...filter }: UserFilter): Sql => sql`
  with users as (
    ${usersByEitherName(query, { columns: userColumns, condition: join(conditionsOf(filter), ' and '), limit: filter.limit })}
  )
  select users.* from users
  ${byUsername(filter)}`;

interface NameSearch {
  columns: Sql;
  condition: Sql;
  limit: number;
}

/**
 * Finds users whose username or display name begins with `query`. Runs two searches, because a single search with `or`
 * would scan all users. Each search uses its own index and returns one page, sorted by username.
 */
function usersByEitherName(query: string, { columns, condition, limit }: NameSearch): Sql {
  const first = (name: Sql) => sql`
    (select ${columns} from latchkey.users
    where ${condition} and ${name}
    ${byUsername({ limit })})`;
  return sql`
    ${first(usernameBegins(query))}
    union
    ${first(sql`${displayNamePrefixMatches(query)} and ${displayNameBegins(query)}`)}`;
}

const nameColumns = sql`users.id, users.username, users.display_name, users.status`;

/**
 * For statements of other features: selects the first users who meet a condition, in the order of their usernames. With
 * a query, returns up to twice `limit` rows in any order, which contain these users.
 *
 * @param query the first characters of a username or display name; undefined: all users
 */
export const usersNamed = (query: string | undefined, search: { condition: Sql; limit: number }): Sql =>
  query === undefined
    ? sql`
    select ${nameColumns} from latchkey.users
    where ${search.condition}
    ${byUsername(search)}`
    : usersByEitherName(query, { ...search, columns: nameColumns });

/** A condition: the username or the display name of the user begins with `query`. */
export const userNameBegins = (query: string): Sql => sql`
  (${usernameBegins(query)} or ${displayNameBegins(query)})`;

function conditionsOf({ query, role, status, among, after }: UserFilter): Sql[] {
  const conditions = [isNotDeleted];
  if (query !== undefined) conditions.push(userNameBegins(query));
  if (role !== undefined) conditions.push(sql`users.role = ${role}::text`);
  if (status !== undefined) conditions.push(sql`users.status = ${status}::text`);
  if (among !== undefined) conditions.push(sql`users.id in (${among})`);
  if (after !== undefined) conditions.push(sql`users.username > ${after}::text`);
  return conditions;
}

/** The range ends with `~`, which sorts after every character of a username. */
function usernameBegins(query: string): Sql {
  const beginning = query.normalize('NFC');
  return sql`
    (users.username >= lower(${beginning}::text) and users.username < lower(${beginning}::text) || '~')`;
}

function displayNameBegins(query: string): Sql {
  const pattern = `${query.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
  return sql`lower(users.display_name) like lower(${pattern}::text)`;
}

/**
 * A condition that is weaker than `displayNameBegins`. A statement contains both conditions: PostgreSQL can use the
 * index on the first 1 to 3 characters for this condition, but not for `displayNameBegins`.
 */
function displayNamePrefixMatches(query: string): Sql {
  const beginning = query.normalize('NFC');
  const count = raw(`${Math.min([...beginning].length, 3)}`);
  return sql`left(lower(users.display_name), ${count}) = left(lower(${beginning}::text), ${count})`;
}

const byUsername = ({ limit }: Pick<UserFilter, 'limit'>): Sql => sql`
  order by users.username
  limit ${limit}::integer`;

/** Selects usernames in order, after a given one. */
export const selectUsernames = (after: string, limit: number): Sql => sql`
  select users.username from latchkey.users
  where users.username > ${after}::text and ${isNotDeleted}
  order by users.username
  limit ${limit}::integer`;
