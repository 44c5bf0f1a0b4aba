import type { Role, UserStatus } from '../core/user.ts';

/** A role within one organization. It grants nothing outside of it. */
export type MembershipRole = 'user' | 'admin';

export interface Membership {
  organizationId: string;
  role: MembershipRole;
}

/** Whoever wants to do something: their role in the service, and in the organizations that the question is about. */
export interface Principal {
  id: string;
  role: Role;
  status: UserStatus;
  memberships?: readonly Membership[];
}

/** What something is done to. */
export interface Resource {
  /** The user whom it belongs to. */
  ownerId?: string | null | undefined;
  /** The organization that it belongs to. */
  organizationId?: string | null | undefined;
}
