import type { OrganizationRole, Role } from 'latchkey/client';

/** The names of the service's roles. */
export const roleNames: Record<Role, string> = {
  user: 'User',
  admin: 'Admin',
  superadmin: 'Superadmin',
};

const builtIn: Record<string, string> = { user: 'Member', admin: 'Organization admin' };

/** The name of an organization role. Custom roles: `shift-lead` becomes "Shift lead". */
export function organizationRoleName(role: OrganizationRole): string {
  const words = role.replaceAll(/[-_]+/g, ' ').trim();
  return builtIn[role] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** The name with an article, for sentences: "an organization admin". */
export function aOrganizationRole(role: OrganizationRole): string {
  const name = organizationRoleName(role).toLowerCase();
  return `${['a', 'e', 'i', 'o', 'u'].includes(name.charAt(0)) ? 'an' : 'a'} ${name}`;
}
