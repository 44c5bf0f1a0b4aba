import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type {
  AcceptedInvitation,
  CreatedInvitation,
  Invitation,
  InvitationPreview,
  Page,
  PageRequest,
} from './types.ts';

export interface InvitationFilters extends PageRequest {
  status?: Invitation['status'] | undefined;
}

export interface InvitationPage extends Page {
  invitations: Invitation[];
}

/** Invitations to become an administrator: superadmins make them, whoever holds the link accepts. */
export interface InvitationsClient {
  /** A page of them, newest first. For superadmins. */
  list(filters?: InvitationFilters, options?: { signal?: AbortSignal }): Promise<InvitationPage>;
  /**
   * Makes an invitation; its link is shown this once. For superadmins. Needs fresh authentication.
   *
   * @param given.username whom alone it is for; absent: whoever has the link
   * @param given.expiresInHours 1 to 720, whole; 72 where absent
   * @throws AuthClientError `username_unacceptable` | `role_already_held` where that person is an administrator
   *   already | `account_disabled`
   */
  create(given?: {
    username?: string | undefined;
    expiresInHours?: number | undefined;
  }): Promise<CreatedInvitation>;
  /**
   * What the holder of a link is offered; without a session, too.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable`: used, revoked, expired, or made by
   *   somebody who may not invite any more
   */
  preview(token: string): Promise<InvitationPreview>;
  /**
   * Takes the role for whoever is signed in.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` | `invitation_for_another_user` |
   *   `role_already_held`: the invitation stays for somebody else
   */
  accept(token: string): Promise<AcceptedInvitation>;
  /**
   * Makes its link worthless. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `invitation_already_accepted`
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
