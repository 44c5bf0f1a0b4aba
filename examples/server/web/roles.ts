import type { OrganizationRole, Role } from 'latchkey/client';
import { t, texts } from './messages/text.ts';

/** The names of the service's roles. */
export const roleNames = texts<Role>({
  user: 'common.roleUser',
  admin: 'common.roleAdmin',
  superadmin: 'common.roleSuperadmin',
});

const wordsOf = (role: OrganizationRole): string => role.replaceAll(/[-_]+/g, ' ').trim();

/** The name of an organization role. Custom roles: `shift-lead` becomes "Shift lead". */
export function organizationRoleName(role: OrganizationRole): string {
  if (role === 'user') return t('common.roleMember');
  if (role === 'admin') return t('common.roleOrganizationAdmin');
  const words = wordsOf(role);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** The name as a part of a sentence, in English with an article: "an organization admin". */
export function aOrganizationRole(role: OrganizationRole): string {
  if (role === 'user') return t('common.aMember');
  if (role === 'admin') return t('common.anOrganizationAdmin');
  const name = wordsOf(role).toLowerCase();
  return t('common.aCustomRole', { name, start: /^[aeiou]/.test(name) ? 'vowel' : 'consonant' });
}
