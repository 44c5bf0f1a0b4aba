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

/**
 * Finds users whose username or display name begins with `query`. Runs two searches, because a single search with `or`
 * would scan all users. Each search uses its own index and returns one page, sorted by username. The statement merges
 * both pages into one.
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
    ${first(sql`${displayNamePrefixMatches(query)} and ${displayNameBegins(query)}`)}
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

const byUsername = ({ limit }: UserFilter): Sql => sql`
  order by users.username
  limit ${limit}::integer`;

/** Selects usernames in order, after a given one. */
export const selectUsernames = (after: string, limit: number): Sql => sql`
  select users.username from latchkey.users
  where users.username > ${after}::text and ${isNotDeleted}
  order by users.username
  limit ${limit}::integer`;
