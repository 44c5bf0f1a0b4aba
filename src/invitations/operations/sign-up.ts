import type { Runtime } from '../../core/runtime.ts';
import type { SignUpInvitation } from '../../core/sign-up.ts';
import type { Role } from '../../core/user.ts';
import { andExists, type Sql, sql } from '../../db/sql.ts';
import { selectActiveInRole } from '../../users/store.ts';
import { obstacleToSigningUpWith } from '../rules.ts';
import {
  acceptInvitation,
  creatorFromRow,
  invitationFromRow,
  lockPendingInvitation,
  type PresentedInvitationRow,
  selectPresentedInvitation,
} from '../store.ts';

/** A usable invitation, and what the statement of the sign-up checks again. */
export interface InvitationToSignUp extends SignUpInvitation {
  /** Null: an operator. */
  creator: { id: string; role: Role } | null;
}

export type InvitationObstacle =
  | 'invitation_not_found'
  | 'invitation_unusable'
  | 'invitation_for_another_user';

/** Returns the invitation with this token, or why the user cannot sign up with it. */
export async function readInvitationToSignUp(
  { db }: Runtime,
  tokenHash: string,
  username: string,
): Promise<InvitationToSignUp | InvitationObstacle> {
  const [row] = await db.query<PresentedInvitationRow>(selectPresentedInvitation(tokenHash));
  if (!row) return 'invitation_not_found';
  const invitation = invitationFromRow(row);
  const creator = creatorFromRow(row);
  const obstacle = obstacleToSigningUpWith({ ...invitation, creator }, username);
  if (obstacle) return obstacle;
  return {
    id: invitation.id,
    role: invitation.role,
    username: invitation.username,
    createdBy: invitation.createdBy,
    creator: creator && row.created_by !== null ? { id: row.created_by, role: creator.role } : null,
  };
}

/**
 * CTEs that lock a pending invitation. `pending_invitation` returns a row if the invitation is still pending, and its
 * creator still has the same role. So one of several concurrent sign-ups gets the invitation.
 */
export const lockInvitation = ({ id, creator }: InvitationToSignUp): Sql =>
  creator === null
    ? sql`pending_invitation as (${lockPendingInvitation(id)})`
    : sql`creator as (${selectActiveInRole(creator.id, creator.role)}),
      pending_invitation as (${lockPendingInvitation(id, andExists('creator'))})`;

/** Records that the new account used the invitation. For a statement with the CTE of `lockInvitation`. */
export const acceptLockedInvitation = ({ id }: InvitationToSignUp, userId: string): Sql =>
  acceptInvitation(id, userId, andExists('pending_invitation'));
