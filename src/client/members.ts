import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { Member, OrganizationRole, Page, PageRequest } from './types.ts';

export interface MemberPage extends Page {
  members: Member[];
}

/** Who belongs to an organization. Members see it; its admins, and superadmins, change it. */
export interface MembersClient {
  /** A page of them, by username. */
  list(organizationId: string, page?: PageRequest, options?: { signal?: AbortSignal }): Promise<MemberPage>;
  /**
   * Adds a user without asking them. For superadmins only: an organization's admins invite, see
   * `organizations.invitations`. Needs fresh authentication.
   *
   * @param given.role `user` where absent
   * @throws AuthClientError `forbidden` | `not_found` where no user has the username | `already_a_member` |
   *   `account_disabled`
   */
  add(
    organizationId: string,
    given: { username: string; role?: OrganizationRole | undefined },
  ): Promise<Member>;
  /**
   * Needs fresh authentication.
   *
   * @throws AuthClientError `last_organization_admin`: an organization keeps one
   */
  changeRole(organizationId: string, userId: string, role: OrganizationRole): Promise<Member>;
  /**
   * Ends a membership. Needs fresh authentication, save for one's own.
   *
   * @throws AuthClientError `last_organization_admin`: an organization keeps one
   */
  remove(organizationId: string, userId: string): Promise<void>;
}

const of = (organizationId: string) => `/organizations/${encodeURIComponent(organizationId)}/members`;
const one = (organizationId: string, userId: string) => `${of(organizationId)}/${encodeURIComponent(userId)}`;

export const membersClient = (send: Send): MembersClient => ({
  async list(organizationId, page = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(of(organizationId), page), { signal });
    return expectParts<MemberPage>(answer, 'members', 'nextCursor');
  },
  async add(organizationId, { username, role }) {
    return unwrap(await send('POST', of(organizationId), { body: { username, role } }), 'member');
  },
  async changeRole(organizationId, userId, role) {
    return unwrap(await send('PATCH', one(organizationId, userId), { body: { role } }), 'member');
  },
  async remove(organizationId, userId) {
    await send('DELETE', one(organizationId, userId));
  },
});
