import type { OrganizationRole, Role } from 'latchkey/client';
import { t, texts } from './messages/text.ts';

/** The names of the service's roles. */
export const roleNames = texts<Role>({
  user: 'common.roleUser',
  admin: 'common.roleAdmin',
  superadmin: 'common.roleSuperadmin',
});

/** The name of an organization role. Custom roles: `shift-lead` becomes "Shift lead". */
export function organizationRoleName(role: OrganizationRole): string {
  if (role === 'user') return t('common.roleMember');
  if (role === 'admin') return t('common.roleOrganizationAdmin');
  const words = role.replaceAll(/[-_]+/g, ' ').trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
