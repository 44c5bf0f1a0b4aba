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
