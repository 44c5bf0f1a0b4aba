import type { AcceptedInvitation, CreatedInvitation, Invitation, InvitationPreview } from './invitation.ts';
import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { Page, PageRequest } from './types.ts';

/** Filters of the list of invitations. */
export interface InvitationFilters extends PageRequest {
  status?: Invitation['status'] | undefined;
  role?: Invitation['role'] | undefined;
}

/** One page of invitations. */
export type InvitationPage = Page<'invitations', Invitation>;

/**
 * Invitations to become an admin. Superadmins create them. A signed-in user accepts with the link, and a new user signs
 * up with the link (`signUp`). Superadmins also see and revoke the user invitations of all users.
 */
export interface InvitationsClient {
  /**
   * Lists invitations, newest first. For superadmins.
   *
   * @throws AuthClientError `forbidden`
   */
  list(filters?: InvitationFilters, options?: { signal?: AbortSignal }): Promise<InvitationPage>;
  /**
   * Creates an invitation. Its link is shown only once. For superadmins. Needs fresh authentication.
   *
   * @param given.username the only user who can accept; default: any user with the link, until one user has accepted
   * @param given.expiresInHours whole hours, 1 to 720; default: 72
   * @throws AuthClientError `forbidden` | `username_unacceptable` | `role_already_held` if the user is already an admin
   *   or a superadmin | `account_disabled` | `too_many_invitations` if 100 invitations of the caller are pending
   * @example
   * const { url } = await auth.invitations.create({ username: 'grace', expiresInHours: 24 });
   */
  create(given?: {
    username?: string | undefined;
    expiresInHours?: number | undefined;
  }): Promise<CreatedInvitation>;
  /**
   * Returns what an invitation offers and who created it. Also for user invitations. Needs no session.
   *
   * @param token from the fragment of the link
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` if the invitation was accepted or revoked,
   *   if it has expired, or if its creator can no longer create it
   */
  preview(token: string): Promise<InvitationPreview>;
  /**
   * Accepts an invitation. The signed-in user becomes an admin.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` | `invitation_for_another_user` |
   *   `role_already_held`. After `role_already_held`, the invitation stays pending.
   */
  accept(token: string): Promise<AcceptedInvitation>;
  /**
   * Revokes an invitation, so that its link no longer works. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `invitation_already_accepted`
   */
  revoke(id: string): Promise<void>;
}

const path = '/admin/invitations';

export const invitationsClient = (send: Send): InvitationsClient => ({
  async list(filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(path, filters), { signal });
    return expectParts<InvitationPage>(answer, 'invitations', 'nextCursor');
  },
  async create({ username, expiresInHours } = {}) {
    const answer = await send('POST', path, { body: { username, expiresInHours } });
    return expectParts<CreatedInvitation>(answer, 'invitation', 'token', 'url');
  },
  async preview(token) {
    return unwrap(await send('POST', `${path}/preview`, { body: { token } }), 'invitation');
  },
  async accept(token) {
    const answer = await send('POST', `${path}/accept`, { body: { token } });
    return expectParts<AcceptedInvitation>(answer, 'user', 'invitation');
  },
  async revoke(id) {
    await send('DELETE', `${path}/${encodeURIComponent(id)}`);
  },
});
