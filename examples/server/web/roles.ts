import type { OrganizationRole, Role } from 'latchkey/client';

/** The names of the service's roles. */
export const roleNames: Record<Role, string> = {
  user: 'User',
  admin: 'Admin',
  superadmin: 'Superadmin',
};

export const organizationRoleNames: Record<OrganizationRole, string> = {
  user: 'Member',
  admin: 'Organization admin',
};

const ranks: Record<Role, number> = { user: 0, admin: 1, superadmin: 2 };

export const isAtLeast = (role: Role, minimum: Role): boolean => ranks[role] >= ranks[minimum];
