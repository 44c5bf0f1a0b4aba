import { bounds } from '../../core/bounds.ts';
import type { Grants } from '../../core/capability-table.ts';
import type { UserStatus } from '../../core/user.ts';
import { canGive, isConfigured } from '../../roles/organization-roles.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { can, canAnywhere, organizationRolesWith } from '../../roles/rules.ts';
import { canJoinAnother } from '../rules.ts';
import type { InvitationCreator, OrganizationInvitationStatus } from './organization-invitation.ts';

const capability = 'organization:members:invite';

/**
 * Whether a creator has the right to invite users with this role. A member needs all capabilities of the role. Null: an
 * operator. Operators and superadmins can invite with every configured role.
 */
export function canInvite(
  grants: Grants,
  creator: InvitationCreator | null,
  role: OrganizationRole,
): boolean {
  if (creator === null || canAnywhere(grants, creator, capability)) return isConfigured(grants, role);
  const { organizationId, memberships = [] } = creator;
  const own = memberships.find((membership) => membership.organizationId === organizationId)?.role;
  return (
    own !== undefined && can(grants, creator, capability, { organizationId }) && canGive(grants, own, role)
  );
}

/** The organization roles with which a creator can invite users with this role. Null: a creator needs no membership. */
export const rolesToInvite = (
  grants: Grants,
  creator: InvitationCreator,
  role: OrganizationRole,
): readonly OrganizationRole[] | null =>
  organizationRolesWith(grants, creator, capability)?.filter((own) => canGive(grants, own, role)) ?? null;

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
  role: OrganizationRole;
  creator: InvitationCreator | null;
}

/** Whether an invitation is pending, its role is configured, and its creator still has the right to invite with it. */
export const isUsable = (grants: Grants, { status, role, creator }: InvitationState): boolean =>
  status === 'pending' && canInvite(grants, creator, role);

export type AcceptanceObstacle = 'invitation_unusable' | 'already_a_member' | 'too_many_organizations';

/** Returns why a user cannot accept an invitation. Null: the user can accept it. */
export function obstacleToAccepting(
  grants: Grants,
  invitation: InvitationState & { isMember: boolean; organizations: number },
): AcceptanceObstacle | null {
  if (!isUsable(grants, invitation)) return 'invitation_unusable';
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
