import type { OrganizationRole, Role } from 'latchkey/client';
import { hasIn } from '../capabilities.ts';
import { listOf } from '../list-of.ts';
import type { PageCapability } from '../scopes.ts';
import { capabilityScopes, ownRoles } from '../site-settings.ts';
import { rightPhrases } from './right-phrases.ts';

const phrasesOf = (role: OrganizationRole): string[] =>
  rightPhrases(capabilityScopes, role, ownRoles.get(role)?.capabilities);

/** What a role in an organization allows, as list items. */
export const roleRights = (role: OrganizationRole): string[] => [
  ...phrasesOf(role),
  role === 'admin' ? 'change and delete all files' : 'read all files and write your own',
];

/** What a role in an organization allows, as a sentence. */
export const roleHint = (role: OrganizationRole): string =>
  `Can ${listOf([...phrasesOf(role), role === 'admin' ? 'change all files' : 'read the files'])}.`;

/** What organization admins can do and members cannot, as the end of a sentence. */
export const rightsOfAdminsOnly = (): string[] => {
  const ofMembers = phrasesOf('user');
  return phrasesOf('admin').filter((phrase) => !ofMembers.includes(phrase));
};

/** What members and organization admins can do with other members, as a sentence. */
export function membersHint(mayInvite: boolean): string {
  const ofAdmins = rightsOfAdminsOnly().filter((phrase) => /^(invite|remove) /.test(phrase));
  if (!mayInvite && ofAdmins.length > 0) return `Organization admins ${listOf(ofAdmins)}.`;
  return phrasesOf('user').includes('see the members')
    ? 'Members see each other and the organization’s files.'
    : 'Members see the organization’s files.';
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
