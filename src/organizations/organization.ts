import type { OrganizationRole } from '../roles/principal.ts';

/** An organization as one of its members, or a superadmin, sees it. Times are RFC 3339. */
export interface Organization {
  id: string;
  name: string;
  /** Its short name, which no other organization has: lower case letters, digits and hyphens. */
  slug: string;
  createdAt: string;
  /** The role that the caller has in it; null for a superadmin who is no member. */
  myRole: OrganizationRole | null;
}

/** Somebody who belongs to an organization. */
export interface Member {
  user: { id: string; username: string };
  role: OrganizationRole;
  joinedAt: string;
}
