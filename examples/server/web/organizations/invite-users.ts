import type { OrganizationInvitation, OrganizationRole } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';

/** What all invitations of one form have in common. */
export interface InvitationTerms {
  role: OrganizationRole;
  expiresInHours: number;
}

/** Why a user was not invited. */
export interface FailedInvitation {
  username: string;
  error: unknown;
}

/** Errors about one invited user. After any other error, more requests would fail as well. */
const codesAboutUser = new Set(['not_found', 'account_disabled', 'already_a_member', 'already_invited']);

/**
 * Invites users one after another. Continues with the next user after an error about one user.
 *
 * @param onCreated called after each invitation, so that a later error does not hide it
 * @throws the first error that is not about one user
 */
export async function inviteUsers(
  organizationId: string,
  usernames: readonly string[],
  terms: InvitationTerms,
  onCreated: (username: string, invitation: OrganizationInvitation) => void,
): Promise<FailedInvitation[]> {
  const failed: FailedInvitation[] = [];
  for (const username of usernames) {
    try {
      const given = { ...terms, username };
      onCreated(username, (await auth.organizations.invitations.create(organizationId, given)).invitation);
    } catch (error) {
      if (!codesAboutUser.has(codeOf(error))) throw error;
      failed.push({ username, error });
    }
  }
  return failed;
}
