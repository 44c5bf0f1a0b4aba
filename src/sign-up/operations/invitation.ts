import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { NamedUser } from '../../core/user.ts';
import type { Sql } from '../../db/sql.ts';
import {
  acceptLockedInvitation,
  type InvitationObstacle,
  type InvitationToSignUp as InvitationToService,
  lockInvitation as lockInvitationToService,
  readInvitationToSignUp,
} from '../../invitations/operations/sign-up.ts';
import {
  acceptLockedOrganizationInvitation,
  lockOrganizationInvitation,
  type OrganizationInvitationToSignUp,
  readOrganizationInvitationToSignUp,
} from '../../organizations/invitations/operations/sign-up.ts';

/** A usable invitation: to the service, or the link of an organization invitation. */
export type InvitationToSignUp = InvitationToService | OrganizationInvitationToSignUp;

/**
 * Returns the invitation with this token, or why the user cannot sign up with it. Without
 * `signUp.organizationInvitations`, the token of an organization invitation is unknown.
 */
export async function readInvitation(
  runtime: Runtime,
  tokenHash: string,
  username: string,
): Promise<InvitationToSignUp | InvitationObstacle> {
  const found = await readInvitationToSignUp(runtime, tokenHash, username);
  if (found !== 'invitation_not_found' || !runtime.config.signUpOrganizationInvitations) return found;
  return readOrganizationInvitationToSignUp(runtime, tokenHash);
}

/** CTEs that lock the invitation. `pending_invitation` returns a row if the invitation is still usable. */
export const lockInvitation = (runtime: Runtime, invitation: InvitationToSignUp): Sql =>
  invitation.organization === null
    ? lockInvitationToService(invitation)
    : lockOrganizationInvitation(runtime, invitation);

/** CTEs that record that the new account used the invitation. For a statement with the CTEs of `lockInvitation`. */
export const acceptInvitation = (actor: Actor, invitation: InvitationToSignUp, user: NamedUser): Sql =>
  invitation.organization === null
    ? acceptLockedInvitation(actor, invitation, user)
    : acceptLockedOrganizationInvitation(actor, invitation, user);
