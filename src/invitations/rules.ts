import type { Role, User, UserStatus } from '../core/user.ts';
import { canAnywhere, isAtLeast } from '../roles/rules.ts';
import type { InvitationStatus, InvitedRole } from './invitation.ts';

/** What decides what an invitation is still worth. */
export interface InvitationStanding {
  status: InvitationStatus;
  role: InvitedRole;
  username: string | null;
  /** Null: an operator, who is trusted with everything. */
  creator: { role: Role; status: UserStatus } | null;
}

export type Obstacle = 'invitation_for_another_user' | 'invitation_unusable' | 'role_already_held';

/** Whether an invitation can still be used: pending, and its creator somebody who could make it today. */
export const isUsable = ({ status, creator }: Omit<InvitationStanding, 'role' | 'username'>): boolean =>
  status === 'pending' && (creator === null || canAnywhere(creator, 'invitation:manage'));

/** Why somebody cannot accept an invitation, or null: they can. */
export function obstacleTo(
  invitation: InvitationStanding,
  user: Pick<User, 'username' | 'role'>,
): Obstacle | null {
  if (invitation.username !== null && invitation.username !== user.username)
    return 'invitation_for_another_user';
  if (!isUsable(invitation)) return 'invitation_unusable';
  return isAtLeast(user.role, invitation.role) ? 'role_already_held' : null;
}
