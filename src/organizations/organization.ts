import type { OrganizationRole } from '../roles/principal.ts';

/** An organization as a member or a superadmin sees it. Times are RFC 3339. */
export interface Organization {
  id: string;
  name: string;
  /** Its unique short name: lowercase letters, digits and hyphens. */
  slug: string;
  createdAt: string;
  /** The caller's role in it; null for a superadmin who is not a member. */
  myRole: OrganizationRole | null;
}

/** A member of an organization. */
export interface Member {
  user: { id: string; username: string };
  role: OrganizationRole;
  joinedAt: string;
}
