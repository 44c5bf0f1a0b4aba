import { bounds } from '../../core/bounds.ts';
import type { UserStatus } from '../../core/user.ts';
import { can, canAnywhere } from '../../roles/rules.ts';
import { canJoinAnother } from '../rules.ts';
import type { InvitationCreator, OrganizationInvitationStatus } from './organization-invitation.ts';

/** Whether a creator has the right to invite users to the organization. Null: an operator, who always has the right. */
export const canInvite = (creator: InvitationCreator | null): boolean =>
  creator === null || can(creator, 'organization:members:invite', { organizationId: creator.organizationId });

/** Whether a creator has the right to invite users to every organization, even without a membership. */
export const canInviteAnywhere = (creator: InvitationCreator): boolean =>
  canAnywhere(creator, 'organization:members:invite');

/** The facts about an invited user that decide whether an invitation can be created. */
export interface InviteeState {
  status: UserStatus;
  isMember: boolean;
  isInvited: boolean;
  /** The number of pending invitations that the user received from all organizations. */
  received: number;
}

/** The facts that decide whether an invitation can be created. */
export interface InvitingState {
  /** The user to invite. Null: the invitation is a link. Undefined: no user has the username. */
  invitee: InviteeState | null | undefined;
  /** The number of pending invitations of the organization. */
  pending: number;
}

export type InvitingObstacle =
  | 'not_found'
  | 'account_disabled'
  | 'already_a_member'
  | 'already_invited'
  | 'too_many_invitations';

/** Returns why an invitation cannot be created. Null: it can be created. */
export function obstacleToInviting({ invitee, pending }: InvitingState): InvitingObstacle | null {
  if (invitee === undefined) return 'not_found';
  if (invitee !== null) {
    if (invitee.status !== 'active') return 'account_disabled';
    if (invitee.isMember) return 'already_a_member';
    if (invitee.isInvited) return 'already_invited';
    if (invitee.received >= bounds.receivedInvitations) return 'too_many_invitations';
  }
  return pending >= bounds.organizationInvitations ? 'too_many_invitations' : null;
}

/** The facts that decide whether an invitation can be accepted. */
export interface InvitationState {
  status: OrganizationInvitationStatus;
  creator: InvitationCreator | null;
}

/** Whether an invitation is pending and its creator still has the right to invite. */
export const isUsable = ({ status, creator }: InvitationState): boolean =>
  status === 'pending' && canInvite(creator);

export type AcceptanceObstacle = 'invitation_unusable' | 'already_a_member' | 'too_many_organizations';

/** Returns why a user cannot accept an invitation. Null: the user can accept it. */
export function obstacleToAccepting(
  invitation: InvitationState & { isMember: boolean; organizations: number },
): AcceptanceObstacle | null {
  if (!isUsable(invitation)) return 'invitation_unusable';
  if (invitation.isMember) return 'already_a_member';
  return canJoinAnother(invitation.organizations) ? null : 'too_many_organizations';
}

export type DeclineObstacle = 'invitation_already_accepted' | 'invitation_unusable';

/** Returns why an invitation cannot be declined. Null: it can be declined. */
export function obstacleToDeclining(
  status: Exclude<OrganizationInvitationStatus, 'declined'>,
): DeclineObstacle | null {
  if (status === 'pending') return null;
  return status === 'accepted' ? 'invitation_already_accepted' : 'invitation_unusable';
}
