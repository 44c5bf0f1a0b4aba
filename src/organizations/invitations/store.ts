import { interval } from '../../core/duration.ts';
import type { Role, UserStatus } from '../../core/user.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import {
  type CreatorAndAcceptorRow,
  creatorAndAcceptorNames,
  fromUsers,
  isNotDeleted,
  leftJoinUserAs,
  namedUser,
  storedUsername,
  type UserRow,
  userColumns,
} from '../../users/store.ts';
import type { UsernameLookup } from '../../users/username-lookup.ts';
import { type OrganizationRow, organizationColumns } from '../store.ts';
import type {
  InvitationCreator,
  OrganizationInvitation,
  OrganizationInvitationStatus,
} from './organization-invitation.ts';

const isOpen = sql`
  organization_invitations.accepted_at is null and organization_invitations.revoked_at is null
    and organization_invitations.declined_at is null`;

/** The condition that an invitation is pending, so that it can still be accepted. */
export const isPending = sql`${isOpen} and organization_invitations.expires_at > latchkey.clock()`;

const statusColumn = sql`
  case
    when organization_invitations.accepted_at is not null then 'accepted'
    when organization_invitations.revoked_at is not null then 'revoked'
    when organization_invitations.declined_at is not null then 'declined'
    when organization_invitations.expires_at <= latchkey.clock() then 'expired'
    else 'pending'
  end`;

const ownColumns = sql`
  organization_invitations.id as invitation_id, organization_invitations.role as invited_role,
  ${statusColumn} as invitation_status, organization_invitations.created_at as invitation_created_at,
  organization_invitations.expires_at as invitation_expires_at, organization_invitations.accepted_at,
  organization_invitations.created_by, organization_invitations.accepted_by`;

/** The invitation's own columns. All are null if a left join found no invitation. */
export interface OwnRow {
  invitation_id: string;
  invited_role: OrganizationRole;
  invitation_status: OrganizationInvitationStatus;
  invitation_created_at: Timestamp;
  invitation_expires_at: Timestamp;
  created_by: string | null;
  accepted_by: string | null;
  accepted_at: Timestamp | null;
}

/** An invitation with its organization, and the names of the invited user, the creator and the user who accepted. */
export interface InvitationRow extends OwnRow, CreatorAndAcceptorRow, OrganizationRow {
  invited_username: string | null;
}

const columns = sql`
  ${ownColumns}, ${organizationColumns}, invitee.username as invited_username, ${creatorAndAcceptorNames}`;

const fromInvitations = sql`
  from latchkey.organization_invitations
  join latchkey.organizations on organizations.id = organization_invitations.organization_id
  ${leftJoinUserAs('invitee', sql`organization_invitations.user_id`)}
  ${leftJoinUserAs('creator', sql`organization_invitations.created_by`)}
  ${leftJoinUserAs('acceptor', sql`organization_invitations.accepted_by`)}`;

export const invitationFromRow = (
  row: OwnRow &
    CreatorAndAcceptorRow &
    Pick<InvitationRow, 'organization_id' | 'name' | 'slug' | 'invited_username'>,
): OrganizationInvitation => ({
  id: row.invitation_id,
  organization: { id: row.organization_id, name: row.name, slug: row.slug },
  role: row.invited_role,
  username: row.invited_username,
  status: row.invitation_status,
  createdBy: namedUser(row.created_by, row.creator_name),
  createdAt: rfc3339(row.invitation_created_at),
  expiresAt: rfc3339(row.invitation_expires_at),
  acceptedBy: namedUser(row.accepted_by, row.acceptor_name),
  acceptedAt: row.accepted_at && rfc3339(row.accepted_at),
});

export interface NewInvitation {
  id: string;
  organizationId: string;
  role: OrganizationRole;
  /** Null: the invitation is a link. */
  userId: string | null;
  /** Null: the invitation is for a named user. */
  tokenHash: string | null;
  /** Null: an operator. */
  createdBy: string | null;
  lifetimeSeconds: number;
}

/** @param source `from(cte)`: the invitation is created only if that CTE returns a row */
export const insertInvitation = (
  { id, organizationId, role, userId, tokenHash, createdBy, lifetimeSeconds }: NewInvitation,
  source: Sql,
): Sql => sql`
  insert into latchkey.organization_invitations
    (id, organization_id, user_id, token_hash, role, created_by, created_at, expires_at)
  select ${id}::uuid, ${organizationId}::uuid, ${userId}::uuid, ${tokenHash}::text, ${role}::text,
    ${createdBy}::uuid, latchkey.clock(), latchkey.clock() + ${interval(lifetimeSeconds)}::interval
  ${source}
  returning ${ownColumns}`;

/**
 * A user to invite. `member_role` is null if the user is not a member. `pending_id` is null if the user has no pending
 * invitation.
 */
export interface InviteeRow extends UserRow {
  version: number;
  member_role: OrganizationRole | null;
  pending_id: string | null;
}

/** @param lookup null: the statement returns no row */
export const selectInvitee = (organizationId: string, lookup: UsernameLookup | null): Sql => sql`
  select ${userColumns}, users.version, memberships.role as member_role, organization_invitations.id as pending_id
  ${fromUsers}
  left join latchkey.memberships
    on memberships.organization_id = ${organizationId}::uuid and memberships.user_id = users.id
  left join latchkey.organization_invitations
    on organization_invitations.organization_id = ${organizationId}::uuid
    and organization_invitations.user_id = users.id and ${isPending}
  where users.username = ${lookup === null ? sql`null::text` : storedUsername(lookup)} and ${isNotDeleted}`;

export const countAllPending = sql`
  select count(*) from latchkey.organization_invitations where ${isPending}`;

export const countPendingIn = (organizationId: string): Sql => sql`
  select count(*) as pending from latchkey.organization_invitations
  where organization_invitations.organization_id = ${organizationId}::uuid and ${isPending}`;

/** @param users a `select` of one column: the ids of the users */
export const countReceivedBy = (users: Sql): Sql => sql`
  select count(*) as received from latchkey.organization_invitations
  where organization_invitations.user_id in (${users}) and ${isPending}`;

/**
 * An invitation that was found by its token or id. `creator_*`: the current rights of the creator. `my_role`: the
 * organization role of the user `userId` (see `selectPresented`).
 */
export interface PresentedRow extends InvitationRow {
  creator_role: Role | null;
  creator_status: UserStatus | null;
  creator_membership: OrganizationRole | null;
  my_role: OrganizationRole | null;
}

/** Null: an operator created the invitation. */
export const creatorFromRow = ({
  created_by: id,
  organization_id: organizationId,
  creator_role: role,
  creator_status: status,
  creator_membership: membershipRole,
}: PresentedRow): InvitationCreator | null => {
  if (id === null || role === null || status === null) return null;
  const memberships = membershipRole === null ? [] : [{ organizationId, role: membershipRole }];
  return { id, role, status, memberships, organizationId };
};

/** How to find an invitation: by the token of a link, or by its id among the invitations that the user received. */
export type Presented = { tokenHash: string } | { id: string; userId: string };

/** @param userId the user whose role in the organization is read; null: read no role */
export const selectPresented = (presented: Presented, userId: string | null): Sql => sql`
  select ${columns}, creator.role as creator_role, creator.status as creator_status,
    authority.role as creator_membership, mine.role as my_role
  ${fromInvitations}
  left join latchkey.memberships as authority
    on authority.organization_id = organization_invitations.organization_id
    and authority.user_id = organization_invitations.created_by
  left join latchkey.memberships as mine
    on mine.organization_id = organization_invitations.organization_id and mine.user_id = ${userId}::uuid
  where ${isPresented(presented)}`;

const isPresented = (presented: Presented): Sql =>
  'tokenHash' in presented
    ? sql`organization_invitations.token_hash = ${presented.tokenHash}::text`
    : sql`organization_invitations.id = ${presented.id}::uuid
    and organization_invitations.user_id = ${presented.userId}::uuid`;

interface PageFilter {
  /** The last id of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface InvitationFilter extends PageFilter {
  organizationId: string;
  status?: OrganizationInvitationStatus | undefined;
}

const selectPage = (conditions: Sql[], { after, limit }: PageFilter): Sql => {
  const all =
    after === undefined ? conditions : [...conditions, sql`organization_invitations.id < ${after}::uuid`];
  return sql`
  select ${columns}
  ${fromInvitations}
  where ${join(all, ' and ')}
  order by organization_invitations.id desc
  limit ${limit}::integer`;
};

/** One page of an organization's invitations, newest first. The ids are UUIDs of version 7, which sort by time. */
export const selectInvitations = ({ organizationId, status, ...page }: InvitationFilter): Sql =>
  selectPage(
    [
      sql`organization_invitations.organization_id = ${organizationId}::uuid`,
      ...(status === undefined ? [] : [sql`${statusColumn} = ${status}::text`]),
    ],
    page,
  );

/** One page of the pending invitations for a user, newest first. */
export const selectReceived = (userId: string, page: PageFilter): Sql =>
  selectPage([sql`organization_invitations.user_id = ${userId}::uuid`, isPending], page);

const isClosed = sql`
  (organization_invitations.accepted_at is not null or organization_invitations.revoked_at is not null
    or organization_invitations.declined_at is not null)`;

/** Conditions for the invitations of a user. `invitee` excludes accepted invitations. Each condition has an index. */
export const involvedAs = (userId: string) => ({
  creator: [sql`organization_invitations.created_by = ${userId}::uuid`],
  invitee: [
    sql`organization_invitations.user_id = ${userId}::uuid and ${isOpen}`,
    sql`organization_invitations.user_id = ${userId}::uuid and organization_invitations.accepted_by is null
      and ${isClosed}`,
  ],
  acceptor: [sql`organization_invitations.accepted_by = ${userId}::uuid`],
});

/** One page of the invitations for which a condition from `involvedAs` is true, oldest first. */
export const selectInvolving = (
  condition: Sql,
  { after, limit }: { after: string; limit: number },
): Sql => sql`
  select ${ownColumns}, ${organizationColumns}
  from latchkey.organization_invitations
  join latchkey.organizations on organizations.id = organization_invitations.organization_id
  where ${condition} and organization_invitations.id > ${after}::uuid
  order by organization_invitations.id
  limit ${limit}::integer`;

export const selectInvitation = (organizationId: string, id: string): Sql => sql`
  select ${columns}
  ${fromInvitations}
  where organization_invitations.id = ${id}::uuid
    and organization_invitations.organization_id = ${organizationId}::uuid`;

/** Locks a pending invitation until the statement ends. @param condition such as the result of `andExists` */
export const lockPendingInvitation = (id: string, condition: Sql): Sql => sql`
  select organization_invitations.id from latchkey.organization_invitations
  where organization_invitations.id = ${id}::uuid and ${isPending} ${condition}
  for update`;

/** @param condition such as the result of `andExists` */
export const recordAcceptance = (id: string, userId: string, condition: Sql): Sql => sql`
  update latchkey.organization_invitations set accepted_by = ${userId}::uuid, accepted_at = latchkey.clock()
  where id = ${id}::uuid ${condition}
  returning id as invitation_id, accepted_at`;

/** @param condition such as the result of `andExists` */
export const recordDecline = (id: string, condition: Sql): Sql => sql`
  update latchkey.organization_invitations set declined_at = latchkey.clock()
  where id = ${id}::uuid and ${isPending} ${condition}
  returning id`;
