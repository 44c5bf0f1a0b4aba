import type { Role, UserStatus } from '../core/user.ts';

/** The organization roles of every service. The option `organizationRoles` adds custom roles. */
export const organizationRoles = ['user', 'admin'] as const;

/**
 * A role in one organization. It grants nothing outside of this organization. `admin` means organization admin. Other
 * names are roles of the option `organizationRoles`. A name that is not configured grants what `user` grants.
 */
export type OrganizationRole = (typeof organizationRoles)[number] | (string & {});

export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

/** A user whose capabilities are checked. */
export interface Principal {
  id: string;
  role: Role;
  status: UserStatus;
  /** Must include the membership in the resource's organization, if the user has one. */
  memberships?: readonly Membership[];
}

/** The resource that a capability is checked for. */
export interface Resource {
  /** The id of the user who owns the resource. */
  ownerId?: string | null | undefined;
  /** The id of the organization that the resource belongs to. */
  organizationId?: string | null | undefined;
}
