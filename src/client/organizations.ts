import { type MembersClient, membersClient } from './members.ts';
import {
  type OrganizationInvitationsClient,
  organizationInvitationsClient,
} from './organization-invitations.ts';
import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { ListedOrganization, Organization, Page, PageRequest } from './types.ts';

/** One page of organizations. */
export type OrganizationPage = Page<'organizations', ListedOrganization>;

/** Which page of the list of organizations to return, and what to include. */
export interface OrganizationListRequest extends PageRequest {
  /** Adds the number of members of each organization. */
  include?: 'memberCount' | undefined;
}

/**
 * Organizations, their members and their invitations. Calls about one organization reject with `not_found` if the
 * caller is neither a member nor a superadmin.
 */
export interface OrganizationsClient {
  /**
   * Lists the user's organizations, sorted by slug. Superadmins get all organizations.
   *
   * @example
   * const { organizations } = await auth.organizations.list({ include: 'memberCount' });
   */
  list(page?: OrganizationListRequest, options?: { signal?: AbortSignal }): Promise<OrganizationPage>;
  /**
   * Creates an organization. The caller becomes an organization admin. For admins and superadmins. Needs fresh
   * authentication.
   *
   * @param given.name 1 to 64 characters
   * @param given.slug default: derived from the name
   * @throws AuthClientError `forbidden` | `slug_taken` | `too_many_organizations` if the caller belongs to 100
   *   organizations | `invalid_request` if `slug` is absent and the service cannot derive it from the name
   * @example
   * const { id } = await auth.organizations.create({ name: 'Example Inc.', slug: 'example' });
   */
  create(given: { name: string; slug?: string | undefined }): Promise<Organization>;
  /**
   * Returns one organization.
   *
   * @throws AuthClientError `not_found`
   */
  get(id: string): Promise<Organization>;
  /**
   * Changes the name or the slug. For organization admins and superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `slug_taken`
   */
  update(id: string, change: { name?: string | undefined; slug?: string | undefined }): Promise<Organization>;
  /**
   * Permanently deletes the organization and its memberships. For organization admins and superadmins. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `still_referenced`: the application has data that depends on
   *   the organization
   */
  delete(id: string): Promise<void>;
  /**
   * Ends the user's own membership.
   *
   * @throws AuthClientError `not_found` | `last_organization_admin`: give another member the role `admin` first
   */
  leave(id: string): Promise<void>;
  members: MembersClient;
  invitations: OrganizationInvitationsClient;
}

export const organizationsClient = (send: Send): OrganizationsClient => {
  const members = membersClient(send);
  return {
    async list(page = {}, { signal } = {}) {
      const answer = await send('GET', withQuery('/organizations', page), { signal });
      return expectParts<OrganizationPage>(answer, 'organizations', 'nextCursor');
    },
    async create({ name, slug }) {
      return unwrap(await send('POST', '/organizations', { body: { name, slug } }), 'organization');
    },
    async get(id) {
      return unwrap(await send('GET', of(id)), 'organization');
    },
    async update(id, { name, slug }) {
      return unwrap(await send('PATCH', of(id), { body: { name, slug } }), 'organization');
    },
    async delete(id) {
      await send('DELETE', of(id));
    },
    async leave(id) {
      await send('DELETE', `${of(id)}/membership`);
    },
    members,
    invitations: organizationInvitationsClient(send),
  };
};

const of = (id: string) => `/organizations/${encodeURIComponent(id)}`;
