import { type Sql, sql } from '../../db/sql.ts';
import { fromUsers, isInRole } from '../../users/store.ts';

/** The ids of the organizations that a user is an admin of. */
export const selectOrganizationsManagedBy = (userId: string | null): Sql => sql`
  select mine.organization_id from latchkey.memberships as mine
  where mine.user_id = ${userId}::uuid and mine.role = 'admin'`;

/**
 * The ids of the members of all organizations that a user is an admin of.
 *
 * @param organizationId returns only members of this organization. Undefined: of all these organizations.
 */
export const selectMembersManagedBy = (userId: string, organizationId?: string): Sql => sql`
  select theirs.user_id from latchkey.memberships as mine
  join latchkey.memberships as theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ${userId}::uuid and mine.role = 'admin'
    ${organizationId === undefined ? sql`` : sql`and mine.organization_id = ${organizationId}::uuid`}`;

/** A condition: the user is a member of the organization now, and joined after `time`. */
export const hasJoinedAfter = (organizationId: Sql, userId: Sql, time: Sql): Sql => sql`
  exists (
    select 1 from latchkey.memberships as joined
    where joined.organization_id = ${organizationId} and joined.user_id = ${userId}
      and joined.joined_at > ${time})`;

/** A condition: the user is a member of the organization now. */
export const isMember = (organizationId: Sql, userId: Sql): Sql => sql`
  exists (
    select 1 from latchkey.memberships as present
    where present.organization_id = ${organizationId} and present.user_id = ${userId})`;

/**
 * One organization with the admin `userId` and the member `memberId`. Returns no row if no such organization exists.
 */
export const selectManagedOrganizationOf = (userId: string | null, memberId: string): Sql => sql`
  select theirs.organization_id from latchkey.memberships as mine
  join latchkey.memberships as theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ${userId}::uuid and mine.role = 'admin' and theirs.user_id = ${memberId}::uuid
  limit 1`;

/** The memberships of a user. `managed`: whether the helper is an admin of that organization. */
export const selectMembershipsForHelper = (userId: string, helperId: string): Sql => sql`
  select theirs.role as member_role, mine.user_id is not null as managed
  from latchkey.memberships as theirs
  left join latchkey.memberships as mine
    on mine.organization_id = theirs.organization_id and mine.user_id = ${helperId}::uuid and mine.role = 'admin'
  where theirs.user_id = ${userId}::uuid`;

/**
 * The rule of `obstacleToHelp` for admins, as a statement. Returns a row if every condition holds:
 *
 * - The user has the role `user`.
 * - The user is a member of at least one organization, and an admin of none.
 * - The helper is an admin of every organization of the user.
 */
export const selectHelpableBy = (helperId: string, userId: string): Sql => sql`
  select 1 as id ${fromUsers}
  where users.id = ${userId}::uuid and ${isInRole('user')}
    and exists (select 1 from latchkey.memberships where memberships.user_id = ${userId}::uuid)
    and not exists (
      select 1 from latchkey.memberships as theirs
      left join latchkey.memberships as mine
        on mine.organization_id = theirs.organization_id and mine.user_id = ${helperId}::uuid and mine.role = 'admin'
      where theirs.user_id = ${userId}::uuid and (theirs.role = 'admin' or mine.user_id is null))`;
