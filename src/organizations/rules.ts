import { type OrganizationRole, organizationRoles } from '../roles/principal.ts';

/** What decides whether a member can lose the admin role or leave. */
export interface MemberState {
  role: OrganizationRole;
  /** Whether the user can sign in. */
  active: boolean;
  /** The number of active admins of the organization, including this one. */
  activeAdmins: number;
}

/** Whether a member can be demoted or removed: every member except the last active admin. */
export const canLoseAdminRole = ({ role, active, activeAdmins }: MemberState): boolean =>
  role !== 'admin' || !active || activeAdmins > 1;

/** Whether a string is a role that a member can have. */
export const isOrganizationRole = (role: string): role is OrganizationRole =>
  organizationRoles.some((known) => known === role);

const longestSlug = 48;

export const slugPattern = /^[a-z0-9-]{2,48}$/;

/** Whether a string is a valid slug. */
export const isSlug = (text: string): boolean => slugPattern.test(text);

/** Derives a slug from a transliterated name; null if the result is not a valid slug. */
export function slugOf(transliterated: string): string | null {
  const slug = transliterated.slice(0, longestSlug).replace(/-+$/, '');
  return isSlug(slug) ? slug : null;
}
