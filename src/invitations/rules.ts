import type { Role, User, UserStatus } from '../core/user.ts';
import { canAnywhere, isAtLeast } from '../roles/rules.ts';
import type { InvitationStatus, InvitedRole } from './invitation.ts';

/** The facts that decide whether an invitation can be accepted. */
export interface InvitationState {
  status: InvitationStatus;
  role: InvitedRole;
  username: string | null;
  /** Null: an operator. */
  creator: { role: Role; status: UserStatus } | null;
}

export type AcceptanceObstacle = 'invitation_for_another_user' | 'invitation_unusable' | 'role_already_held';

/** The capability that the creator of an invitation needs. */
const capabilityToInvite = { user: 'user:invite', admin: 'invitation:manage' } as const;

/** Whether an invitation is pending and its creator still has the right to create it. */
export const isUsable = ({ status, role, creator }: Omit<InvitationState, 'username'>): boolean =>
  status === 'pending' && (creator === null || canAnywhere(creator, capabilityToInvite[role]));

/** Returns why a new account with this username cannot use an invitation. Null: it can. */
export function obstacleToSigningUpWith(
  invitation: InvitationState,
  username: string,
): Exclude<AcceptanceObstacle, 'role_already_held'> | null {
  if (invitation.username !== null && invitation.username !== username) return 'invitation_for_another_user';
  return isUsable(invitation) ? null : 'invitation_unusable';
}

/** Returns why a user cannot accept an invitation. Null: the user can accept it. */
export function obstacleToAccepting(
  invitation: InvitationState,
  user: Pick<User, 'username' | 'role'>,
): AcceptanceObstacle | null {
  const obstacle = obstacleToSigningUpWith(invitation, user.username);
  return obstacle ?? (isAtLeast(user.role, invitation.role) ? 'role_already_held' : null);
}
