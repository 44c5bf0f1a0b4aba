import type { OrganizationRole } from '../roles/principal.ts';

/** An organization as a member or a superadmin sees it. Times are RFC 3339. */
export interface Organization {
  id: string;
  name: string;
  /** A unique short name: 2 to 48 lowercase letters, digits and hyphens. */
  slug: string;
  createdAt: string;
  /**
   * The caller's role in the organization: `user`, `admin` or a role of `organizationRoles`. Null: the caller is an
   * operator, or a superadmin who is not a member.
   */
  myRole: OrganizationRole | null;
}

/** The number of members of an organization. Counting stops at 1,000, so that it takes the same time for every organization. */
export interface MemberCount {
  /** At most 1,000. */
  count: number;
  /** False: there are more than `count` members. */
  exact: boolean;
}

/** An organization in a list. */
export interface ListedOrganization extends Organization {
  /** Present if the request included `memberCount` and the caller can read the members. */
  memberCount?: MemberCount;
}

export const organizationSortKeys = ['slug', 'id'] as const;

/** What a list of organizations is sorted by. */
export type OrganizationSortKey = (typeof organizationSortKeys)[number];

/** A member of an organization. `joinedAt` is RFC 3339. */
export interface Member {
  user: { id: string; username: string; displayName: string | null };
  role: OrganizationRole;
  joinedAt: string;
}

export const memberSortKeys = ['username', 'id'] as const;

/** What a list of members is sorted by. `id`: the id of the user. */
export type MemberSortKey = (typeof memberSortKeys)[number];

/** An organization role that members have, but that `organizationRoles` does not contain. It grants what `user` grants. */
export interface UnconfiguredRole {
  role: OrganizationRole;
  /** The number of members with this role, in all organizations. */
  members: number;
}

/** An organization that a user belongs to, with the user's role in it. */
export interface UserOrganization {
  id: string;
  /** The unique short name. */
  slug: string;
  name: string;
  role: OrganizationRole;
}
