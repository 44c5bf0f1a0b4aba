import { bounds } from '../core/bounds.ts';
import type { UserStatus } from '../core/user.ts';
import { join, raw, type Sql, sql, textArray } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { Membership, OrganizationRole } from '../roles/principal.ts';
import { fromUsers, isActive, isNotDeleted, joinUser } from '../users/store.ts';
import type { Member, Organization, OrganizationSortKey } from './organization.ts';

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
  display_name: string | null;
  status: UserStatus;
  member_role: OrganizationRole;
  joined_at: Timestamp;
}

export const memberFromRow = (row: Omit<MemberRow, 'status'>): Member => ({
  user: { id: row.member_id, username: row.username, displayName: row.display_name },
  role: row.member_role,
  joinedAt: rfc3339(row.joined_at),
});

export interface NewOrganization {
  id: string;
  name: string;
  slug: string;
  /** The user who creates it. Null: an operator. */
  createdBy: string | null;
  /** RFC 3339. Default: now. */
  createdAt?: string | undefined;
}

/** @param source `from(cte)`: the organization is created only if that CTE returns a row */
export const insertOrganization = (
  { id, name, slug, createdBy, createdAt }: NewOrganization,
  source: Sql,
): Sql => sql`
  insert into latchkey.organizations (id, name, slug, created_by, created_at)
  select ${id}::uuid, ${name}::text, ${slug}::text, ${createdBy}::uuid,
    coalesce(${createdAt ?? null}::timestamptz, latchkey.clock())
  ${source}
  returning ${organizationColumns}`;

/** Returns no row if the user is already a member. @param source as in `insertOrganization` */
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

/** An organization. `my_role` is the user's role in it: null if the user is not a member, or if `userId` is null. */
export const selectOrganizationFor = (organizationId: string, userId: string | null): Sql => sql`
  select ${organizationColumns}, organizations.version, memberships.role as my_role
  from latchkey.organizations
  left join latchkey.memberships
    on memberships.organization_id = organizations.id and memberships.user_id = ${userId}::uuid
  where organizations.id = ${organizationId}::uuid`;

export const selectOrganizationWithSlug = (slug: string): Sql => sql`
  select ${organizationColumns} from latchkey.organizations where organizations.slug = ${slug}::text`;

export const selectCreatorOf = (organizationId: string): Sql => sql`
  select users.id, users.username ${fromUsers}
  where users.id = (
    select organizations.created_by from latchkey.organizations where organizations.id = ${organizationId}::uuid
  ) and ${isNotDeleted}`;

export const countOrganizations = sql`select count(*) as organizations from latchkey.organizations`;

export interface OrganizationFilter {
  /** The user whose role is read. Null: no role is read. */
  userId: string | null;
  /** Whether to include organizations that the user is not a member of. */
  all: boolean;
  /** Among the user's organizations, only those in which the user has one of these roles. Null: every role. */
  memberRoles: readonly OrganizationRole[] | null;
  sortBy: OrganizationSortKey;
  /** The last sort key of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** One page of organizations. `my_role` is the user's role in each organization. */
export function selectOrganizations({
  userId,
  all,
  memberRoles,
  sortBy,
  after,
  limit,
}: OrganizationFilter): Sql {
  const conditions = [all ? sql`true` : sql`memberships.user_id is not null`];
  if (!all && memberRoles) conditions.push(sql`memberships.role = any(${textArray(memberRoles)})`);
  const isAfter =
    sortBy === 'id' ? sql`organizations.id > ${after}::uuid` : sql`organizations.slug > ${after}::text`;
  if (after !== undefined) conditions.push(isAfter);
  return sql`
  select ${organizationColumns}, memberships.role as my_role
  from latchkey.organizations
  left join latchkey.memberships
    on memberships.organization_id = organizations.id and memberships.user_id = ${userId}::uuid
  where ${join(conditions, ' and ')}
  order by ${sortBy === 'id' ? sql`organizations.id` : sql`organizations.slug`}
  limit ${limit}::integer`;
}

/** The organizations of a user, sorted by name. A user belongs to at most `bounds.organizations`. */
export const selectOrganizationsOf = (userId: string): Sql => sql`
  select ${organizationColumns}, memberships.role as member_role
  from latchkey.memberships
  join latchkey.organizations on organizations.id = memberships.organization_id
  where memberships.user_id = ${userId}::uuid
  order by lower(organizations.name), organizations.slug
  limit ${bounds.organizations}::integer`;

/** Changes only the given columns. @param condition a condition on an earlier CTE, such as `andExists('entitled')` */
export const updateOrganizationRow = (
  { id, name, slug }: { id: string; name?: string | undefined; slug?: string | undefined },
  condition: Sql,
): Sql => sql`
  update latchkey.organizations
  set name = coalesce(${name ?? null}::text, name), slug = coalesce(${slug ?? null}::text, slug)
  where id = ${id}::uuid ${condition}
  returning ${organizationColumns}`;

/** @param condition as in `updateOrganizationRow` */
export const deleteOrganizationRow = (organizationId: string, condition: Sql): Sql => sql`
  delete from latchkey.organizations where id = ${organizationId}::uuid ${condition} returning id`;

/** Prevents deletion of the organization until the statement ends. @param condition as in `updateOrganizationRow` */
export const lockOrganization = (organizationId: string, condition: Sql): Sql => sql`
  select organizations.id from latchkey.organizations
  where organizations.id = ${organizationId}::uuid ${condition}
  for key share`;

/**
 * Increments the organization's version if it still equals `version`. So concurrent requests cannot demote or remove
 * the last active organization admin, and cannot exceed the limits of invitations.
 *
 * @param condition as in `updateOrganizationRow`
 */
export const claimOrganizationVersion = (organizationId: string, version: number, condition: Sql): Sql => sql`
  update latchkey.organizations set version = version + 1
  where id = ${organizationId}::uuid and version = ${version}::integer ${condition}
  returning id`;

/**
 * Increments the version of each organization in which the user is an organization admin. So a concurrent operation that
 * has counted the active organization admins counts them again.
 *
 * @param condition as in `updateOrganizationRow`
 */
export const moveOrganizationsOfAdmin = (userId: string, condition: Sql): Sql => sql`
  update latchkey.organizations set version = version + 1
  where id in (
    select memberships.organization_id from latchkey.memberships
    where memberships.user_id = ${userId}::uuid and memberships.role = 'admin'
  ) ${condition}
  returning id`;

/** The columns of a member, for a statement that joins `latchkey.memberships` and `latchkey.users`. */
export const memberColumns = sql`
  memberships.user_id as member_id, memberships.role as member_role, memberships.joined_at,
  users.username, users.display_name, users.status`;

export const selectMember = (organizationId: string, userId: string): Sql => sql`
  select ${memberColumns}
  from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and memberships.user_id = ${userId}::uuid
    and ${isNotDeleted}`;

export const countActiveAdmins = (organizationId: string): Sql => sql`
  select count(*) as admins from latchkey.memberships
  ${joinUser(sql`memberships.user_id`)}
  where memberships.organization_id = ${organizationId}::uuid and memberships.role = 'admin' and ${isActive}`;

/** @param condition as in `updateOrganizationRow` */
export const updateMembership = (
  { organizationId, role }: Membership,
  userId: string,
  condition: Sql,
): Sql => sql`
  update latchkey.memberships set role = ${role}::text
  where organization_id = ${organizationId}::uuid and user_id = ${userId}::uuid ${condition}
  returning user_id as member_id, role as member_role, joined_at`;

/** @param condition as in `updateOrganizationRow` */
export const deleteMembership = (organizationId: string, userId: string, condition: Sql): Sql => sql`
  delete from latchkey.memberships
  where organization_id = ${organizationId}::uuid and user_id = ${userId}::uuid ${condition}
  returning user_id`;

/** @param condition as in `updateOrganizationRow` */
export const deleteMembershipsOf = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.memberships where user_id = ${userId}::uuid ${condition} returning user_id`;

/** @param users a `select` of one column: the ids of the users */
export const countMembershipsOf = (users: Sql): Sql => sql`
  select count(*) as organizations from latchkey.memberships where memberships.user_id in (${users})`;

export const selectMembershipsOf = (userId: string): Sql => sql`
  select memberships.organization_id, memberships.role as member_role
  from latchkey.memberships where memberships.user_id = ${userId}::uuid`;

/** A condition: the user is a member of the organization with one of these roles. */
export const hasRoleIn = (
  organizationId: string,
  userId: string,
  roles: readonly OrganizationRole[],
): Sql => sql`
  exists (
    select 1 from latchkey.memberships
    where memberships.organization_id = ${organizationId}::uuid and memberships.user_id = ${userId}::uuid
      and memberships.role in (${join(roles.map((role) => sql`${role}::text`))}))`;

export const countOrganizationsCreatedBy = (userId: string | null): Sql => sql`
  select count(*) as created from latchkey.organizations where organizations.created_by = ${userId}::uuid`;

/** The organization roles that members have, with the number of members. Reads every membership. */
export const countMembersByRole = sql`
  select memberships.role as member_role, count(*) as members from latchkey.memberships
  group by memberships.role order by memberships.role limit 1000`;

/** The ids of the members of an organization. */
export const selectMemberIds = (organizationId: string): Sql => sql`
  select memberships.user_id from latchkey.memberships
  where memberships.organization_id = ${organizationId}::uuid`;

/**
 * Counts the members of each organization, up to `most`. The in-memory database replaces this statement, because it does
 * not support correlated subqueries. There, it returns no row for an organization without members.
 */
export const countMembersOf = (organizationIds: readonly string[], most: number): Sql => sql`
  select listed.id as organization_id, (
    select count(*) from (
      select 1 as one from latchkey.memberships where memberships.organization_id = listed.id limit ${raw(`${most}`)}
    ) as counted
  ) as members
  from unnest(string_to_array(${organizationIds.join()}::text, ',')::uuid[]) as listed(id)`;

/** Counts the members of an organization, up to `most`. */
export const countMembersUpTo = (organizationId: string, most: number): Sql => sql`
  select count(*) as members from (
    ${selectMemberIds(organizationId)} limit ${most}::integer
  ) as counted`;

/** Counts the organizations of each user. Returns no row for a user without organizations. */
export const countOrganizationsOf = (userIds: readonly string[]): Sql => sql`
  select memberships.user_id, count(*) as memberships from latchkey.memberships
  where memberships.user_id = any(string_to_array(${userIds.join()}::text, ',')::uuid[])
  group by memberships.user_id`;
