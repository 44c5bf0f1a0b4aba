import type { UserStatus } from '../core/user.ts';
import { join, type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { Membership, OrganizationRole } from '../roles/principal.ts';
import { fromUsers, isActive, isInRole, isNotDeleted, joinUser } from '../users/store.ts';
import type { Member, Organization } from './organization.ts';

export const organizationColumns = sql`
  organizations.id as organization_id, organizations.name, organizations.slug,
  organizations.created_at as organization_created_at`;

export interface OrganizationRow {
  organization_id: string;
  name: string;
  slug: string;
  organization_created_at: Timestamp;
}

export const organizationFromRow = (row: OrganizationRow, myRole: OrganizationRole | null): Organization => ({
  id: row.organization_id,
  name: row.name,
  slug: row.slug,
  createdAt: rfc3339(row.organization_created_at),
  myRole,
});

export interface MemberRow {
  member_id: string;
  username: string;
  status: UserStatus;
  member_role: OrganizationRole;
  joined_at: Timestamp;
}

export const memberFromRow = (row: Omit<MemberRow, 'status'>): Member => ({
  user: { id: row.member_id, username: row.username },
  role: row.member_role,
  joinedAt: rfc3339(row.joined_at),
});

export interface NewOrganization {
  id: string;
  name: string;
  slug: string;
}

/** @param source `from(cte)`: the organization is founded only where that part gave a row */
export const insertOrganization = ({ id, name, slug }: NewOrganization, source: Sql): Sql => sql`
  insert into latchkey.organizations (id, name, slug, created_at)
  select ${id}::uuid, ${name}::text, ${slug}::text, latchkey.clock()
  ${source}
  returning ${organizationColumns}`;

/** No row comes back where the user belongs to it already. @param source as in `insertOrganization` */
export const insertMembership = (
  { organizationId, role }: Membership,
  userId: string,
  source: Sql,
): Sql => sql`
  insert into latchkey.memberships (organization_id, user_id, role, joined_at)
  select ${organizationId}::uuid, ${userId}::uuid, ${role}::text, latchkey.clock()
  ${source}
  on conflict do nothing
  returning user_id as member_id, role as member_role, joined_at`;

/** An organization with the role that a user has in it: null where they are not a member, or no user is given. */
export const selectOrganizationFor = (organizationId: string, userId: string | null): Sql => sql`
  select ${organizationColumns}, organizations.version, memberships.role as my_role
  from latchkey.organizations
  left join latchkey.memberships
    on memberships.organization_id = organizations.id and memberships.user_id = ${userId}::uuid
  where organizations.id = ${organizationId}::uuid`;

/** An organization by its slug. */
export const selectOrganizationWithSlug = (slug: string): Sql => sql`
  select ${organizationColumns} from latchkey.organizations where organizations.slug = ${slug}::text`;

export const countOrganizations = sql`select count(*) as organizations from latchkey.organizations`;

export interface OrganizationFilter {
  /** Null: no user's role is read. */
  userId: string | null;
  /** Also those that the user does not belong to. */
  all: boolean;
  /** The slug that the page before ended with. */
  after?: string | undefined;
  limit: number;
}

/** One page of organizations by slug, each with the role that the user has in it. */
export function selectOrganizations({ userId, all, after, limit }: OrganizationFilter): Sql {
  const conditions = [all ? sql`true` : sql`memberships.user_id is not null`];
  if (after !== undefined) conditions.push(sql`organizations.slug > ${after}::text`);
  return sql`
  select ${organizationColumns}, memberships.role as my_role
  from latchkey.organizations
  left join latchkey.memberships
    on memberships.organization_id = organizations.id and memberships.user_id = ${userId}::uuid
  where ${join(conditions, ' and ')}
  order by organizations.slug
  limit ${limit}::integer`;
}

/** Changes what is given, and leaves the rest as it is by then. @param condition on an earlier part of the statement, starting with `and` */
export const updateOrganizationRow = (
  { id, name, slug }: { id: string; name?: string | undefined; slug?: string | undefined },
  condition: Sql,
): Sql => sql`
  update latchkey.organizations
  set name = coalesce(${name ?? null}::text, name), slug = coalesce(${slug ?? null}::text, slug)
  where id = ${id}::uuid ${condition}
  returning ${organizationColumns}`;

/** @param condition as in `updateOrganization` */
export const deleteOrganizationRow = (organizationId: string, condition: Sql): Sql => sql`
  delete from latchkey.organizations where id = ${organizationId}::uuid ${condition} returning id`;

/** Keeps the organization from being deleted until the statement is done. @param condition as in `updateOrganization` */
export const lockOrganization = (organizationId: string, condition: Sql): Sql => sql`
  select organizations.id from latchkey.organizations
  where organizations.id = ${organizationId}::uuid ${condition}
  for key share`;

/**
 * Moves the organization's version on, if nobody else has since it was read: the guard of the rule that it keeps an
 * admin.
 *
 * @param condition as in `updateOrganization`
 */
export const claimOrganizationVersion = (organizationId: string, version: number, condition: Sql): Sql => sql`
  update latchkey.organizations set version = version + 1
  where id = ${organizationId}::uuid and version = ${version}::integer ${condition}
  returning id`;

export const selectMember = (organizationId: string, userId: string): Sql => sql`
  select memberships.user_id as member_id, memberships.role as member_role, memberships.joined_at,
    users.username, users.status
  from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and memberships.user_id = ${userId}::uuid
    and ${isNotDeleted}`;

export const selectMembers = (
  organizationId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Sql => sql`
  select memberships.user_id as member_id, memberships.role as member_role, memberships.joined_at,
    users.username, users.status
  from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and users.username > ${after ?? ''}::text
    and ${isNotDeleted}
  order by users.username
  limit ${limit}::integer`;

export const countActiveAdmins = (organizationId: string): Sql => sql`
  select count(*) as admins from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and memberships.role = 'admin' and ${isActive}`;

/** @param condition as in `updateOrganization` */
export const updateMembership = (
  { organizationId, role }: Membership,
  userId: string,
  condition: Sql,
): Sql => sql`
  update latchkey.memberships set role = ${role}::text
  where organization_id = ${organizationId}::uuid and user_id = ${userId}::uuid ${condition}
  returning user_id as member_id, role as member_role, joined_at`;

/** @param condition as in `updateOrganization` */
export const deleteMembership = (organizationId: string, userId: string, condition: Sql): Sql => sql`
  delete from latchkey.memberships
  where organization_id = ${organizationId}::uuid and user_id = ${userId}::uuid ${condition}
  returning user_id`;

/** @param condition as in `updateOrganization` */
export const deleteMembershipsOf = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.memberships where user_id = ${userId}::uuid ${condition} returning user_id`;

export const selectMembershipsOf = (userId: string): Sql => sql`
  select memberships.organization_id, memberships.role as member_role
  from latchkey.memberships where memberships.user_id = ${userId}::uuid`;

/** Holds where the user is an admin of that organization; for a `where` clause. */
export const isManagedBy = (organizationId: string, userId: string): Sql => sql`
  exists (
    select 1 from latchkey.memberships
    where memberships.organization_id = ${organizationId}::uuid and memberships.user_id = ${userId}::uuid
      and memberships.role = 'admin')`;

/** The organizations whose admin a user is. */
export const selectOrganizationsManagedBy = (userId: string | null): Sql => sql`
  select mine.organization_id from latchkey.memberships as mine
  where mine.user_id = ${userId}::uuid and mine.role = 'admin'`;

/** Everybody who belongs to one of the organizations whose admin a user is. */
export const selectMembersManagedBy = (userId: string): Sql => sql`
  select theirs.user_id from latchkey.memberships as mine
  join latchkey.memberships as theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ${userId}::uuid and mine.role = 'admin'`;

/** Holds where a user is now a member of an organization and joined it after a time; for a `where` clause. */
export const hasJoinedAfter = (organizationId: Sql, userId: Sql, time: Sql): Sql => sql`
  exists (
    select 1 from latchkey.memberships as joined
    where joined.organization_id = ${organizationId} and joined.user_id = ${userId}
      and joined.joined_at > ${time})`;

/** Holds where a user is now a member of an organization; for a `where` clause. */
export const isMember = (organizationId: Sql, userId: Sql): Sql => sql`
  exists (
    select 1 from latchkey.memberships as present
    where present.organization_id = ${organizationId} and present.user_id = ${userId})`;

/** An organization that one user is an admin of and another belongs to: a row if there is any. */
export const selectManagedOrganizationOf = (userId: string | null, memberId: string): Sql => sql`
  select theirs.organization_id from latchkey.memberships as mine
  join latchkey.memberships as theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ${userId}::uuid and mine.role = 'admin' and theirs.user_id = ${memberId}::uuid
  limit 1`;

/** Every membership of a user, with whether another user is an admin of that organization. */
export const selectMembershipsForHelper = (userId: string, helperId: string): Sql => sql`
  select theirs.role as member_role, mine.user_id is not null as managed
  from latchkey.memberships as theirs
  left join latchkey.memberships as mine
    on mine.organization_id = theirs.organization_id and mine.user_id = ${helperId}::uuid and mine.role = 'admin'
  where theirs.user_id = ${userId}::uuid`;

/**
 * The rule for admins of `obstacleToHelp` inside a statement: a row if the user is a plain one and the helper is an
 * admin of every organization they belong to, of one at least.
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
