import type {
  CreatedOrganizationInvitation,
  JoinedOrganization,
  OrganizationInvitation,
  OrganizationInvitationPreview,
} from './organization-invitation.ts';
import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { OrganizationRole, Page, PageRequest } from './types.ts';

/** Filters of the list of invitations to an organization. */
export interface OrganizationInvitationFilters extends PageRequest {
  status?: OrganizationInvitation['status'] | undefined;
}

/** One page of invitations to organizations. */
export type OrganizationInvitationPage = Page<'invitations', OrganizationInvitation>;

/**
 * Invitations to organizations. Organization admins and superadmins create them. Invited users accept or decline them.
 */
export interface OrganizationInvitationsClient {
  /**
   * Lists the invitations to an organization, newest first. For organization admins and superadmins.
   *
   * @param filters.status default: every status
   * @throws AuthClientError `forbidden` | `not_found`
   */
  list(
    organizationId: string,
    filters?: OrganizationInvitationFilters,
    options?: { signal?: AbortSignal },
  ): Promise<OrganizationInvitationPage>;
  /**
   * Invites a user by username, or creates a link. The first user who accepts with the link becomes a member. For
   * organization admins and superadmins. Needs fresh authentication.
   *
   * @param given.username the user to invite; if absent, the call creates a link, and the result contains its `token`
   *   and `url`, which are shown only once
   * @param given.role default: `user`
   * @param given.expiresInHours whole hours, 1 to 720; default: 72
   * @throws AuthClientError `forbidden` | `not_found` if no user has the username | `account_disabled` |
   *   `already_a_member` | `already_invited` | `too_many_invitations` if the organization or the user has 100 pending
   *   invitations
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
   * Revokes an invitation. Does nothing if the invitation is already revoked, declined or expired. For organization
   * admins and superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` | `invitation_already_accepted` | `forbidden`
   */
  revoke(organizationId: string, invitationId: string): Promise<void>;
  /** Lists the pending invitations that name the signed-in user, newest first. */
  received(page?: PageRequest, options?: { signal?: AbortSignal }): Promise<OrganizationInvitationPage>;
  /**
   * Accepts an invitation that names the signed-in user. The user becomes a member.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` if the invitation was accepted, declined or
   *   revoked, if it has expired, or if its creator can no longer invite users | `already_a_member` |
   *   `too_many_organizations` if the user belongs to 100 organizations
   */
  accept(id: string): Promise<JoinedOrganization>;
  /**
   * Declines an invitation that names the signed-in user. Does nothing if the invitation is already declined.
   *
   * @throws AuthClientError `invitation_not_found` | `invitation_already_accepted` | `invitation_unusable` if the
   *   invitation was revoked or has expired
   */
  decline(id: string): Promise<void>;
  /**
   * Returns what an invitation link offers and who created it. Needs no session.
   *
   * @param token from the fragment of the link
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable`
   */
  preview(token: string): Promise<OrganizationInvitationPreview>;
  /**
   * Accepts an invitation link. The signed-in user becomes a member, and the link no longer works.
   *
   * @param token from the fragment of the link
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` | `already_a_member` |
   *   `too_many_organizations`
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
