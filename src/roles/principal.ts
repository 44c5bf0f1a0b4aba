import type { Role, UserStatus } from '../core/user.ts';

export const organizationRoles = ['user', 'admin'] as const;

/** A role within one organization. It grants nothing outside of the organization. */
export type OrganizationRole = (typeof organizationRoles)[number];

export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

/** A user whose capabilities are checked: the role in the service, and the memberships that matter. */
export interface Principal {
  id: string;
  role: Role;
  status: UserStatus;
  memberships?: readonly Membership[];
}

/** The resource that a capability is checked for. */
export interface Resource {
  /** The user who owns it. */
  ownerId?: string | null | undefined;
  /** The organization it belongs to. */
  organizationId?: string | null | undefined;
}
