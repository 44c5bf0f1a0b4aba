import { bounds } from '../core/bounds.ts';
import type { Configuration } from '../core/config.ts';
import type { OrganizationRole } from '../roles/principal.ts';

/** The facts that decide whether a member can be demoted or removed. */
export interface MemberState {
  role: OrganizationRole;
  /** Whether the member's account is active. */
  active: boolean;
  /** The number of active admins of the organization, including this member. */
  activeAdmins: number;
}

/** Whether a member can be demoted or removed. False only for the last active organization admin. */
export const canLoseAdminRole = ({ role, active, activeAdmins }: MemberState): boolean =>
  role !== 'admin' || !active || activeAdmins > 1;

/** Whether a user who belongs to this many organizations can join or create another one. */
export const canJoinAnother = (organizations: number): boolean => organizations < bounds.organizations;

/** Whether a user who has created this many organizations can create another one (`organizations.perUser`). */
export const canCreateAnother = (
  created: number,
  { organizations }: Pick<Configuration, 'organizations'>,
): boolean => organizations?.perUser == null || created < organizations.perUser;

const longestSlug = 48;

export const slugPattern = /^[a-z0-9-]{2,48}$/;

export const isSlug = (text: string): boolean => slugPattern.test(text);

/**
 * Shortens a transliterated name to a slug. Cuts a long name at the end of a word, unless more than half of the allowed
 * characters would be lost. Returns null if the result is not a valid slug.
 */
export function slugOf(transliterated: string): string | null {
  const cut = transliterated.slice(0, longestSlug + 1);
  const wordEnd = cut.length > longestSlug ? cut.lastIndexOf('-') : -1;
  const slug = cut.slice(0, wordEnd < longestSlug / 2 ? longestSlug : wordEnd).replace(/-+$/, '');
  return isSlug(slug) ? slug : null;
}
