import { interval } from '../core/duration.ts';
import type { Role, UserStatus } from '../core/user.ts';
import { join, type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import {
  type CreatorAndAcceptorRow,
  creatorAndAcceptorNames,
  leftJoinUserAs,
  namedUser,
} from '../users/store.ts';
import type { Invitation, InvitationStatus, InvitedRole } from './invitation.ts';

const statusColumn = sql`
  case
    when invitations.accepted_at is not null then 'accepted'
    when invitations.revoked_at is not null then 'revoked'
    when invitations.expires_at <= latchkey.clock() then 'expired'
    else 'pending'
  end`;

const invitationColumns = sql`
  invitations.id as invitation_id, invitations.role as invited_role, invitations.username as invited_username,
  ${statusColumn} as invitation_status, invitations.created_at as invitation_created_at,
  invitations.expires_at as invitation_expires_at, invitations.accepted_at, invitations.created_by,
  invitations.accepted_by`;

/** All columns are null if a left join found no invitation. */
export interface InvitationRow {
  invitation_id: string;
  invited_role: InvitedRole;
  invited_username: string | null;
  invitation_status: InvitationStatus;
  invitation_created_at: Timestamp;
  invitation_expires_at: Timestamp;
  created_by: string | null;
  accepted_by: string | null;
  accepted_at: Timestamp | null;
}

const fromInvitations = sql`
  from latchkey.invitations
  ${leftJoinUserAs('creator', sql`invitations.created_by`)}
  ${leftJoinUserAs('acceptor', sql`invitations.accepted_by`)}`;

export const invitationFromRow = (row: InvitationRow & CreatorAndAcceptorRow): Invitation => ({
  id: row.invitation_id,
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
  tokenHash: string;
  role: InvitedRole;
  username: string | null;
  /** Null: an operator. */
  createdBy: string | null;
  lifetimeSeconds: number;
}

/** @param source `from(cte)`: the invitation is created only if that CTE returns a row */
export const insertInvitation = (
  { id, tokenHash, role, username, createdBy, lifetimeSeconds }: NewInvitation,
  source: Sql,
): Sql => sql`
  insert into latchkey.invitations (id, token_hash, role, username, created_by, created_at, expires_at)
  select ${id}::uuid, ${tokenHash}::text, ${role}::text, ${username}::text, ${createdBy}::uuid, latchkey.clock(),
    latchkey.clock() + ${interval(lifetimeSeconds)}::interval
  ${source}
  returning ${invitationColumns}`;

/** An invitation that was found by its token, with the current role and status of its creator. */
export interface PresentedInvitationRow extends InvitationRow, CreatorAndAcceptorRow {
  creator_role: Role | null;
  creator_status: UserStatus | null;
}

/** Null: an operator created the invitation. */
export const creatorFromRow = ({ created_by, creator_role, creator_status }: PresentedInvitationRow) =>
  created_by !== null && creator_role !== null && creator_status !== null
    ? { role: creator_role, status: creator_status }
    : null;

export const selectPresentedInvitation = (tokenHash: string): Sql => sql`
  select ${invitationColumns}, ${creatorAndAcceptorNames}, creator.role as creator_role, creator.status as creator_status
  ${fromInvitations}
  where invitations.token_hash = ${tokenHash}::text`;

export interface InvitationFilter {
  status?: InvitationStatus | undefined;
  role?: InvitedRole | undefined;
  /** Only the invitations that this user created. */
  createdBy?: string | undefined;
  /** The last id of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** One page of invitations, newest first. The ids are UUIDs of version 7, which sort by time (RFC 9562). */
export function selectInvitations({ status, role, createdBy, after, limit }: InvitationFilter): Sql {
  const conditions = [sql`true`];
  if (status !== undefined) conditions.push(sql`${statusColumn} = ${status}::text`);
  if (role !== undefined) conditions.push(sql`invitations.role = ${role}::text`);
  if (createdBy !== undefined) conditions.push(sql`invitations.created_by = ${createdBy}::uuid`);
  if (after !== undefined) conditions.push(sql`invitations.id < ${after}::uuid`);
  return sql`
  select ${invitationColumns}, ${creatorAndAcceptorNames}
  ${fromInvitations}
  where ${join(conditions, ' and ')}
  order by invitations.id desc
  limit ${limit}::integer`;
}

/** How a user is involved in an invitation. */
export type Involved =
  | { creatorId: string }
  | { acceptorId: string }
  /** Leaves out what `exceptAcceptor` accepted. `since`: an SQL expression, after which no other user had the name. */
  | { username: string; since: Sql; exceptAcceptor: string };

/** One page of the invitations of a user, oldest first. @param after the last id of the previous page, or `firstId` */
export const selectInvolving = (
  involved: Involved,
  { after, limit }: { after: string; limit: number },
): Sql => sql`
  select ${invitationColumns} from latchkey.invitations
  where ${conditionOf(involved)} and invitations.id > ${after}::uuid
  order by invitations.id
  limit ${limit}::integer`;

function conditionOf(involved: Involved): Sql {
  if ('creatorId' in involved) return sql`invitations.created_by = ${involved.creatorId}::uuid`;
  if ('acceptorId' in involved) return sql`invitations.accepted_by = ${involved.acceptorId}::uuid`;
  const { username, since, exceptAcceptor } = involved;
  return sql`
    invitations.username = ${username}::text and invitations.created_at > ${since}
    and (invitations.accepted_by is null or invitations.accepted_by <> ${exceptAcceptor}::uuid)`;
}

export const selectInvitation = (id: string): Sql => sql`
  select ${invitationColumns} from latchkey.invitations where invitations.id = ${id}::uuid`;

const isPending = sql`accepted_at is null and revoked_at is null and expires_at > latchkey.clock()`;

export const countPendingCreatedBy = (creatorId: string, role: InvitedRole): Sql => sql`
  select count(*) as pending from latchkey.invitations
  where invitations.created_by = ${creatorId}::uuid and invitations.role = ${role}::text and ${isPending}`;

export const countPendingFor = (role: 'admin' | 'user'): Sql => sql`
  select count(*) from latchkey.invitations where invitations.role = ${role}::text and ${isPending}`;

export const countPendingInvitations = sql`
  select count(*) as invitations from latchkey.invitations where ${isPending}`;

/**
 * Locks a pending invitation, so that no concurrent statement can accept or revoke it.
 *
 * @param condition as in `acceptInvitation`
 */
export const lockPendingInvitation = (id: string, condition = sql``): Sql => sql`
  select invitations.id from latchkey.invitations
  where invitations.id = ${id}::uuid and ${isPending} ${condition}
  for update`;

/** @param condition a condition on an earlier CTE, such as `andExists('pending')` */
export const acceptInvitation = (id: string, userId: string, condition: Sql): Sql => sql`
  update latchkey.invitations set accepted_by = ${userId}::uuid, accepted_at = latchkey.clock()
  where id = ${id}::uuid ${condition}
  returning ${invitationColumns}`;

/** @param condition as in `acceptInvitation` */
export const revokeInvitation = (id: string, condition: Sql): Sql => sql`
  update latchkey.invitations set revoked_at = latchkey.clock()
  where id = ${id}::uuid and accepted_at is null and revoked_at is null ${condition}
  returning id`;

/** Revokes the unaccepted invitations for a username. @param condition as in `acceptInvitation` */
export const revokeInvitationsFor = (username: string, condition: Sql): Sql => sql`
  update latchkey.invitations set revoked_at = latchkey.clock()
  where username = ${username}::text and accepted_at is null and revoked_at is null ${condition}
  returning id`;

/**
 * Changes pending invitations for a user to the user's new username, if they were created since the user had the
 * earlier username. `revokeOldInvitations` revokes the other invitations, because they could be meant for another user.
 *
 * @param since an SQL expression: when the user got the earlier username
 * @param condition as in `acceptInvitation`
 */
export const moveInvitations = ({ from, to, since }: Renaming, condition: Sql): Sql => sql`
  update latchkey.invitations set username = ${to}::text
  where username = ${from}::text and created_at >= ${since}
    and ${isPending} ${condition}
  returning id`;

/** Revokes the pending invitations for both usernames that `moveInvitations` does not move. */
export const revokeOldInvitations = ({ from, to, since }: Renaming, condition: Sql): Sql => sql`
  update latchkey.invitations set revoked_at = latchkey.clock()
  where username in (${from}::text, ${to}::text) and (username = ${to}::text or created_at < ${since})
    and ${isPending} ${condition}
  returning id`;

/** A change of a username. `since` is an SQL expression. */
interface Renaming {
  from: string;
  to: string;
  since: Sql;
}

/** Revokes the unaccepted invitations that a user created. @param condition as in `acceptInvitation` */
export const revokeInvitationsCreatedBy = (creatorId: string, condition: Sql): Sql => sql`
  update latchkey.invitations set revoked_at = latchkey.clock()
  where created_by = ${creatorId}::uuid and accepted_at is null and revoked_at is null ${condition}
  returning id`;
