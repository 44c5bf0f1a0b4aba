import { type OrganizationRole, organizationRoles } from '../roles/principal.ts';

/** What decides whether a member can lose the admin role, or leave. */
export interface MemberState {
  role: OrganizationRole;
  /** Whether the account can be signed in to. */
  active: boolean;
  /** How many active admins the organization has, this one among them. */
  activeAdmins: number;
}

/** Whether a member can be demoted or removed: every member except the last active admin. */
export const canLoseAdminRole = ({ role, active, activeAdmins }: MemberState): boolean =>
  role !== 'admin' || !active || activeAdmins > 1;

/** Whether a text is a role that a member can have. */
export const isOrganizationRole = (role: string): role is OrganizationRole =>
  organizationRoles.some((known) => known === role);

const longestSlug = 48;

export const slugPattern = /^[a-z0-9-]{2,48}$/;

/** Whether a text can be an organization's short name. */
export const isSlug = (text: string): boolean => slugPattern.test(text);

/** The short name that a transliterated one gives, or null where too little of it is left. */
export function slugOf(transliterated: string): string | null {
  const slug = transliterated.slice(0, longestSlug).replace(/-+$/, '');
  return isSlug(slug) ? slug : null;
}
