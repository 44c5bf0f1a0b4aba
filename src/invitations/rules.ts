import type { Grants } from '../core/capability-table.ts';
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

/** What decides whether the service has invitations with a role. */
export interface InvitationRules {
  readonly grants: Grants;
  readonly config: { readonly adminInvitations: boolean };
}

/** Whether an invitation is pending, the service has such invitations, and its creator still has the right to create it. */
export const isUsable = (
  { grants, config }: InvitationRules,
  { status, role, creator }: Omit<InvitationState, 'username'>,
): boolean =>
  status === 'pending' &&
  (role !== 'admin' || config.adminInvitations) &&
  (creator === null || canAnywhere(grants, creator, capabilityToInvite[role]));

/** Returns why a new account with this username cannot use an invitation. Null: it can. */
export function obstacleToSigningUpWith(
  rules: InvitationRules,
  invitation: InvitationState,
  username: string,
): Exclude<AcceptanceObstacle, 'role_already_held'> | null {
  if (invitation.username !== null && invitation.username !== username) return 'invitation_for_another_user';
  return isUsable(rules, invitation) ? null : 'invitation_unusable';
}

/** Returns why a user cannot accept an invitation. Null: the user can accept it. */
export function obstacleToAccepting(
  rules: InvitationRules,
  invitation: InvitationState,
  user: Pick<User, 'username' | 'role'>,
): AcceptanceObstacle | null {
  const obstacle = obstacleToSigningUpWith(rules, invitation, user.username);
  return obstacle ?? (isAtLeast(user.role, invitation.role) ? 'role_already_held' : null);
}
