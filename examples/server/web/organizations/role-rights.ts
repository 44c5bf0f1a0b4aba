import type { OrganizationRole, Role } from 'latchkey/client';
import { hasIn } from '../capabilities.ts';
import type { PageCapability } from '../scopes.ts';
import { ownRoles } from '../site-settings.ts';

/** The built-in capabilities of custom roles that the pages know, as the end of a sentence. */
const phrases: Record<string, string> = {
  'organization:update': 'rename the organization',
  'organization:delete': 'delete the organization',
  'organization:members:invite': 'invite members',
  'organization:members:promote': 'change the roles of members',
  'organization:members:remove': 'remove members',
};

const rightsOfMembers = ['see the members', 'read all files and write your own'];
const rightsOfAdmins = [
  'invite and remove members',
  'change and delete all files',
  'rename and delete the organization',
];

const ownRights = (role: OrganizationRole): string[] =>
  (ownRoles.get(role)?.capabilities ?? []).flatMap((capability) => phrases[capability] ?? []);

/** What a role in an organization allows, as list items. */
export const roleRights = (role: OrganizationRole): string[] =>
  role === 'admin' ? rightsOfAdmins : [...rightsOfMembers, ...ownRights(role)];

/** What a role in an organization allows, as a sentence. */
export function roleHint(role: OrganizationRole): string {
  if (role === 'admin') return 'Can also invite and remove members, and rename or delete the organization.';
  const own = ownRights(role);
  return own.length === 0
    ? 'Can see the members and read the files.'
    : `Can see the members and read the files. Can also ${own.join(', ')}.`;
}

/** What the signed-in user can do in an organization. The service checks it again. */
export interface OrganizationRights {
  readMembers: boolean;
  add: boolean;
  leave: boolean;
  update: boolean;
  delete: boolean;
  invite: boolean;
  promote: boolean;
  remove: boolean;
  /** The roles that the user can give and take. */
  roles: readonly OrganizationRole[];
}

/** @param myRole the user's role in the organization @param role the user's role in the service */
export function rightsIn(myRole: OrganizationRole | null, role: Role): OrganizationRights {
  // A superadmin can give and take all roles in every organization.
  const isAdmin = myRole === 'admin' || role === 'superadmin';
  const own = myRole === null ? undefined : ownRoles.get(myRole);
  const can = (capability: PageCapability) =>
    hasIn(role, myRole, capability) || own?.capabilities.includes(capability) === true;
  return {
    readMembers: can('organization:members:read'),
    add: can('organization:members:add'),
    leave: can('organization:leave'),
    update: can('organization:update'),
    delete: can('organization:delete'),
    invite: can('organization:members:invite'),
    promote: can('organization:members:promote'),
    remove: can('organization:members:remove'),
    roles: isAdmin ? ['user', ...ownRoles.keys(), 'admin'] : ['user', ...(own?.gives ?? [])],
  };
}
