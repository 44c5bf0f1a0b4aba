import { type MembersClient, membersClient } from './members.ts';
import {
  type OrganizationInvitationsClient,
  organizationInvitationsClient,
} from './organization-invitations.ts';
import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { CurrentSession, Organization, Page, PageRequest } from './types.ts';

export interface OrganizationPage extends Page {
  organizations: Organization[];
}

/** Organizations and who belongs to them. One that somebody does not belong to is `not_found` to them. */
export interface OrganizationsClient {
  /** A page of those one belongs to, by slug; for a superadmin of all. */
  list(page?: PageRequest, options?: { signal?: AbortSignal }): Promise<OrganizationPage>;
  /**
   * Founds an organization, whose first admin is whoever founds it. For administrators. Needs fresh authentication.
   *
   * @param given.slug made from the name where absent
   * @throws AuthClientError `slug_taken`
   */
  create(given: { name: string; slug?: string | undefined }): Promise<Organization>;
  get(id: string): Promise<Organization>;
  /**
   * For its admins. Needs fresh authentication.
   *
   * @throws AuthClientError `slug_taken`
   */
  update(id: string, change: { name?: string | undefined; slug?: string | undefined }): Promise<Organization>;
  /** Deletes it for ever. For its admins. Needs fresh authentication. */
  remove(id: string): Promise<void>;
  /**
   * Ends one's own membership.
   *
   * @throws AuthClientError `last_organization_admin`: make somebody else an admin first
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
    async remove(id) {
      await send('DELETE', of(id));
    },
    async leave(id) {
      const { user } = expectParts<CurrentSession>(await send('GET', '/session'), 'user');
      await members.remove(id, user.id);
    },
    members,
    invitations: organizationInvitationsClient(send),
  };
};

const of = (id: string) => `/organizations/${encodeURIComponent(id)}`;
