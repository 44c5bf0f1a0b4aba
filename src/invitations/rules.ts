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

/** Whether an invitation is pending and its creator still has the right to create it. */
export const isUsable = ({ status, creator }: Omit<InvitationState, 'role' | 'username'>): boolean =>
  status === 'pending' && (creator === null || canAnywhere(creator, 'invitation:manage'));

/** Returns why a user cannot accept an invitation. Null: the user can accept it. */
export function obstacleToAccepting(
  invitation: InvitationState,
  user: Pick<User, 'username' | 'role'>,
): AcceptanceObstacle | null {
  if (invitation.username !== null && invitation.username !== user.username)
    return 'invitation_for_another_user';
  if (!isUsable(invitation)) return 'invitation_unusable';
  return isAtLeast(user.role, invitation.role) ? 'role_already_held' : null;
}
