import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type {
  CreatedOrganizationInvitation,
  JoinedOrganization,
  OrganizationInvitation,
  OrganizationInvitationPreview,
  OrganizationRole,
  Page,
  PageRequest,
} from './types.ts';

/** Filters of the list of an organization's invitations. */
export interface OrganizationInvitationFilters extends PageRequest {
  status?: OrganizationInvitation['status'] | undefined;
}

/** One page of invitations to organizations. */
export type OrganizationInvitationPage = Page<'invitations', OrganizationInvitation>;

/** Invitations to organizations. Organization admins create them; the invited user accepts or declines. */
export interface OrganizationInvitationsClient {
  /**
   * Lists an organization's invitations, newest first. For its admins.
   *
   * @param filters.status `pending`, `accepted`, `declined`, `revoked` or `expired`; default: all
   * @throws AuthClientError `forbidden` | `not_found`
   */
  list(
    organizationId: string,
    filters?: OrganizationInvitationFilters,
    options?: { signal?: AbortSignal },
  ): Promise<OrganizationInvitationPage>;
  /**
   * Invites a user, or creates a single-use link that any user can accept. For the organization's admins. Needs fresh
   * authentication.
   *
   * @param given.username the user to invite; default: creates a link, whose `token` and `url` are shown only once
   * @param given.role default: `user`
   * @param given.expiresInHours whole hours, 1 to 720; default: 72
   * @throws AuthClientError `forbidden` | `not_found` if no user has the username | `account_disabled` |
   *   `already_a_member` | `already_invited` | `too_many_invitations`: an organization can have 100 pending invitations
   * @example
   * const { url } = await auth.organizations.invitations.create(organization.id, { role: 'admin' });
   */
  create(
    organizationId: string,
    given?: {
      username?: string | undefined;
      role?: OrganizationRole | undefined;
      expiresInHours?: number | undefined;
    },
  ): Promise<CreatedOrganizationInvitation>;
  /**
   * Revokes an invitation. Does nothing if it is already revoked, declined or expired. For the organization's admins.
   * Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` | `invitation_already_accepted` | `forbidden`
   */
  revoke(organizationId: string, invitationId: string): Promise<void>;
  /** Lists the pending invitations for the signed-in user, newest first. */
  received(page?: PageRequest, options?: { signal?: AbortSignal }): Promise<OrganizationInvitationPage>;
  /**
   * Accepts an invitation for the signed-in user, who becomes a member.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable`: accepted, declined, revoked, expired, or
   *   its creator can no longer invite | `already_a_member`
   */
  accept(id: string): Promise<JoinedOrganization>;
  /**
   * Declines an invitation for the signed-in user. Does nothing if it is already declined.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_already_accepted` | `invitation_unusable`: revoked or
   *   expired
   */
  decline(id: string): Promise<void>;
  /**
   * Shows what an invitation link offers. Needs no session.
   *
   * @param token from the fragment of the link
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable`
   */
  preview(token: string): Promise<OrganizationInvitationPreview>;
  /**
   * Accepts an invitation link: the signed-in user becomes a member. The link is single-use.
   *
   * @param token from the fragment of the link
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` | `already_a_member`
   */
  acceptLink(token: string): Promise<JoinedOrganization>;
}

const of = (organizationId: string) => `/organizations/${encodeURIComponent(organizationId)}/invitations`;
const received = '/invitations';
const one = (id: string) => `${received}/${encodeURIComponent(id)}`;

export const organizationInvitationsClient = (send: Send): OrganizationInvitationsClient => ({
  async list(organizationId, filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(of(organizationId), filters), { signal });
    return expectParts<OrganizationInvitationPage>(answer, 'invitations', 'nextCursor');
  },
  async create(organizationId, { username, role, expiresInHours } = {}) {
    const answer = await send('POST', of(organizationId), { body: { username, role, expiresInHours } });
    return expectParts<CreatedOrganizationInvitation>(answer, 'invitation', 'token', 'url');
  },
  async revoke(organizationId, invitationId) {
    await send('DELETE', `${of(organizationId)}/${encodeURIComponent(invitationId)}`);
  },
  async received(page = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(received, page), { signal });
    return expectParts<OrganizationInvitationPage>(answer, 'invitations', 'nextCursor');
  },
  async accept(id) {
    const answer = await send('POST', `${one(id)}/accept`);
    return expectParts<JoinedOrganization>(answer, 'organization', 'invitation');
  },
  async decline(id) {
    await send('POST', `${one(id)}/decline`);
  },
  async preview(token) {
    return unwrap(await send('POST', `${received}/preview`, { body: { token } }), 'invitation');
  },
  async acceptLink(token) {
    const answer = await send('POST', `${received}/accept`, { body: { token } });
    return expectParts<JoinedOrganization>(answer, 'organization', 'invitation');
  },
});
