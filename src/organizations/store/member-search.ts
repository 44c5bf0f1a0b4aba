import { raw, type Sql, sql } from '../../db/sql.ts';
import { userNameBegins, usersNamed } from '../../users/store/search.ts';
import { isNotDeleted, joinUser } from '../../users/store.ts';
import { memberColumns } from '../store.ts';

export interface MemberFilter {
  /** The first characters of a username or display name. */
  query?: string | undefined;
  /** The last username of the previous page, or the last user id if the page is sorted by id. */
  after?: string | undefined;
  limit: number;
}

/**
 * Selects one page of the members of an organization, sorted by the id of the user. `users.id` is compared too, so that
 * a merge join does not read all earlier users.
 */
export const selectMembersById = (
  organizationId: string,
  { after, limit }: Pick<MemberFilter, 'after' | 'limit'>,
): Sql => sql`
  select ${memberColumns}
  from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and ${isNotDeleted}
    ${after === undefined ? sql`` : sql`and memberships.user_id > ${after}::uuid and users.id > ${after}::uuid`}
  order by memberships.user_id
  limit ${limit}::integer`;

/** An organization with more members is large. */
const manyMembers = raw('5000');

/**
 * Selects one page of the members of an organization, sorted by username.
 *
 * In a large organization, the statement reads users in the order of their usernames, and looks up the membership of each,
 * until the page is full. In any other organization, it reads all members. Only one of these searches runs, because
 * PostgreSQL checks `large` before it reads a row. PostgreSQL cannot choose between the searches itself, because the plan
 * of a prepared statement is for an organization of average size.
 */
export const selectMembers = (organizationId: string, filter: MemberFilter): Sql => sql`
  with large as (
    select memberships.user_id from latchkey.memberships
    where memberships.organization_id = ${organizationId}::uuid
    offset ${manyMembers} limit 1
  ),
  found as (
    (${membersOfSmall(organizationId, filter)})
    union all
    (${membersOfLarge(organizationId, filter)})
  )
  select found.* from found
  order by found.username
  limit ${filter.limit}::integer`;

const membersOfSmall = (organizationId: string, { query, after, limit }: MemberFilter): Sql => sql`
  select ${memberColumns}
  from (
    select memberships.user_id, memberships.role, memberships.joined_at from latchkey.memberships
    where memberships.organization_id = ${organizationId}::uuid and not exists (select 1 from large)
    limit ${manyMembers}
  ) as memberships
  ${joinUser(sql`memberships.user_id`)}
  where ${isNotDeleted} and users.username > ${after ?? ''}::text
    ${query === undefined ? sql`` : sql`and ${userNameBegins(query)}`}
  order by users.username
  limit ${limit}::integer`;

const membersOfLarge = (organizationId: string, { query, after, limit }: MemberFilter): Sql => sql`
  select ${memberColumns}
  from (${usersNamed(query, {
    condition: sql`
      ${isNotDeleted} and users.username > ${after ?? ''}::text
      and exists (select 1 from large) and ${isMemberOf(organizationId)}`,
    limit,
  })}) as users
  join latchkey.memberships
    on memberships.organization_id = ${organizationId}::uuid and memberships.user_id = users.id`;

/**
 * A condition: the user is a member. With `offset`, PostgreSQL looks up each user. Without it, PostgreSQL could read
 * all members first. The in-memory database replaces this condition, because it does not support correlated subqueries.
 */
export const isMemberOf = (organizationId: string): Sql => sql`
  exists (
    select 1 from latchkey.memberships as held
    where held.organization_id = ${organizationId}::uuid and held.user_id = users.id offset 0)`;
