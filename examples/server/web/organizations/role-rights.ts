import type { OrganizationRole } from 'latchkey/client';

/** What a role in an organization allows, as list items. */
export const roleRights: Record<OrganizationRole, string[]> = {
  user: ['see the members', 'read all files and write your own'],
  admin: ['invite and remove members', 'change and delete all files', 'rename and delete the organization'],
};
