import type { CreatedInvitation, Invitation } from './invitation.ts';
import type { InvitationPage } from './invitations.ts';
import { expectParts, type Send, withQuery } from './requests.ts';
import type { PageRequest } from './types.ts';

/** Filters of the list of user invitations. */
export interface UserInvitationFilters extends PageRequest {
  status?: Invitation['status'] | undefined;
}

/** Invitations to sign up, which admins and superadmins create. A new user signs up with the link (`signUp`). */
export interface UserInvitationsClient {
  /**
   * Lists the user invitations of the signed-in user, newest first. For admins and superadmins.
   *
   * @throws AuthClientError `forbidden`
   */
  list(filters?: UserInvitationFilters, options?: { signal?: AbortSignal }): Promise<InvitationPage>;
  /**
   * Creates an invitation. Its link is shown only once. For admins and superadmins. Needs fresh authentication.
   *
   * @param given.username the only username that can sign up; default: every username
   * @param given.expiresInHours whole hours, 1 to 720; default: 72
   * @throws AuthClientError `forbidden` | `username_unacceptable` | `role_already_held` if a user has the username |
   *   `too_many_invitations` if 100 user invitations of the caller are pending | `sign_up_closed`
   * @example
   * const { url } = await auth.userInvitations.create({ username: 'grace' });
   */
  create(given?: {
    username?: string | undefined;
    expiresInHours?: number | undefined;
  }): Promise<CreatedInvitation>;
  /**
   * Revokes an invitation of the signed-in user, so that its link no longer works. For admins and superadmins. Needs
   * fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `invitation_already_accepted`
   */
  revoke(id: string): Promise<void>;
}

const path = '/admin/user-invitations';

export const userInvitationsClient = (send: Send): UserInvitationsClient => ({
  async list(filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(path, filters), { signal });
    return expectParts<InvitationPage>(answer, 'invitations', 'nextCursor');
  },
  async create({ username, expiresInHours } = {}) {
    const answer = await send('POST', path, { body: { username, expiresInHours } });
    return expectParts<CreatedInvitation>(answer, 'invitation', 'token', 'url');
  },
  async revoke(id) {
    await send('DELETE', `${path}/${encodeURIComponent(id)}`);
  },
});
