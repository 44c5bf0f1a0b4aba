import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { Member, OrganizationRole, Page, PageRequest } from './types.ts';

/** Filters of the list of members. */
export interface MemberFilters extends PageRequest {
  /** Finds the members whose username or display name starts with this text. At most 254 characters. */
  query?: string | undefined;
}

/** One page of members. */
export type MemberPage = Page<'members', Member>;

/**
 * The members of an organization. Members can list the members. Organization admins and superadmins can change roles
 * and remove members.
 */
export interface MembersClient {
  /**
   * Lists members, sorted by username.
   *
   * @throws AuthClientError `not_found`
   * @example
   * const { members } = await auth.organizations.members.list(organization.id, { query: 'ad', limit: 20 });
   */
  list(
    organizationId: string,
    filters?: MemberFilters,
    options?: { signal?: AbortSignal },
  ): Promise<MemberPage>;
  /**
   * Adds a user without an invitation. For superadmins. Organization admins use `organizations.invitations` instead.
   * Needs fresh authentication.
   *
   * @param given.role default: `user`
   * @throws AuthClientError `forbidden` | `not_found` if no user has the username | `already_a_member` |
   *   `account_disabled` | `too_many_organizations` if the user belongs to 100 organizations
   */
  add(
    organizationId: string,
    given: { username: string; role?: OrganizationRole | undefined },
  ): Promise<Member>;
  /**
   * Changes a member's role in the organization. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_organization_admin`: give another member the role `admin`
   *   first
   */
  changeRole(organizationId: string, userId: string, role: OrganizationRole): Promise<Member>;
  /**
   * Removes a member. Needs fresh authentication. For the user's own membership, use `organizations.leave` instead.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_organization_admin`: give another member the role `admin`
   *   first
   */
  remove(organizationId: string, userId: string): Promise<void>;
}

const of = (organizationId: string) => `/organizations/${encodeURIComponent(organizationId)}/members`;
const one = (organizationId: string, userId: string) => `${of(organizationId)}/${encodeURIComponent(userId)}`;

export const membersClient = (send: Send): MembersClient => ({
  async list(organizationId, filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery(of(organizationId), filters), { signal });
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
