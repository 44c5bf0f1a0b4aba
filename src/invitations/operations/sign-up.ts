import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { SignUpInvitation } from '../../core/sign-up.ts';
import type { NamedUser, Role } from '../../core/user.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
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

/**
 * A usable invitation to the service, with its creator. The statement of the sign-up checks the creator again.
 */
export interface InvitationToSignUp extends SignUpInvitation {
  organization: null;
  /** Null: an operator. */
  creator: { id: string; role: Role } | null;
}

export type InvitationObstacle =
  | 'invitation_not_found'
  | 'invitation_unusable'
  | 'invitation_for_another_user';

/** Returns the invitation with this token, or why the user cannot sign up with it. */
export async function readInvitationToSignUp(
  runtime: Runtime,
  tokenHash: string,
  username: string,
): Promise<InvitationToSignUp | InvitationObstacle> {
  const [row] = await runtime.db.query<PresentedInvitationRow>(selectPresentedInvitation(tokenHash));
  if (!row) return 'invitation_not_found';
  const invitation = invitationFromRow(row);
  const creator = creatorFromRow(row);
  const obstacle = obstacleToSigningUpWith(runtime, { ...invitation, creator }, username);
  if (obstacle) return obstacle;
  return {
    id: invitation.id,
    role: invitation.role,
    username: invitation.username,
    createdBy: invitation.createdBy,
    organization: null,
    creator: creator && row.created_by !== null ? { id: row.created_by, role: creator.role } : null,
  };
}

/**
 * CTEs that lock a pending invitation. `pending_invitation` returns a row if the invitation is still pending, and its
 * creator still has the same role. So only one of several concurrent sign-ups gets the invitation.
 */
export const lockInvitation = ({ id, creator }: InvitationToSignUp): Sql =>
  creator === null
    ? sql`pending_invitation as (${lockPendingInvitation(id)})`
    : sql`creator as (${selectActiveInRole(creator.id, creator.role)}),
      pending_invitation as (${lockPendingInvitation(id, andExists('creator'))})`;

/**
 * CTEs that record that the new account used the invitation, also in the audit log. For a statement with the CTEs of
 * `lockInvitation`.
 */
export const acceptLockedInvitation = (
  actor: Actor,
  { id, username, role }: InvitationToSignUp,
  user: NamedUser,
): Sql => {
  const target = { type: 'invitation', id, name: username } as const;
  const entry = { event: 'invitation.accept', outcome: 'success', target, details: { role } } as const;
  return sql`
      accepted as (${acceptInvitation(id, user.id, andExists('pending_invitation'))}),
      acceptance as (${recordEvent(actor, entry, from('accepted'), user)})`;
};
