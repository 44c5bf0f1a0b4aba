import type { MembershipRole } from '../roles/principal.ts';

/** What decides whether a member can lose the role of an admin, or leave. */
export interface MemberStanding {
  role: MembershipRole;
  /** Whether the account can be signed in to. */
  active: boolean;
  /** How many active admins the organization has, this one among them. */
  activeAdmins: number;
}

/** Whether a member can be demoted or go: anybody but the last admin who can act. */
export const mayCeaseToBeAdmin = ({ role, active, activeAdmins }: MemberStanding): boolean =>
  role !== 'admin' || !active || activeAdmins > 1;

/** Whether a text is a role that a member can have. */
export const isMembershipRole = (role: string): role is MembershipRole => role === 'user' || role === 'admin';

const longestSlug = 48;

export const slugPattern = /^[a-z0-9-]{2,48}$/;

/** Whether a text can be an organization's short name. */
export const isSlug = (text: string): boolean => slugPattern.test(text);

/** The short name that a transliterated one gives, or null where too little of it is left. */
export function slugOf(transliterated: string): string | null {
  const slug = transliterated.slice(0, longestSlug).replace(/-+$/, '');
  return isSlug(slug) ? slug : null;
}
