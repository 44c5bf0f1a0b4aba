import type { OrganizationRole } from 'latchkey/client';

/** What a role in an organization allows, as list items. */
export const roleRights: Record<OrganizationRole, string[]> = {
  user: ['see its members,', 'read its files, and write your own.'],
  admin: [
    'invite and remove members,',
    'change and delete all of its files,',
    'rename and delete the organization.',
  ],
};
