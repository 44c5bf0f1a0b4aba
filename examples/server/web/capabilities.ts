import type { Account, OrganizationRole, Role } from 'latchkey/client';
import { type PageCapability, reachesOrganization, scopeIn } from './scopes.ts';
import { capabilityScopes, hasAdminInvitations, signUpMode } from './site-settings.ts';

/** Where a capability applies for users with a role. Null: the role does not have the capability. */
export const scopeOf = (role: Role, capability: PageCapability) =>
  scopeIn(capabilityScopes, role, capability);

/** Whether a role has a capability for at least some resources. The service checks every request itself. */
export const has = (role: Role, capability: PageCapability): boolean => scopeOf(role, capability) !== null;

/** Whether a role has a capability in an organization. @param myRole the user's role in the organization */
export const hasIn = (role: Role, myRole: OrganizationRole | null, capability: PageCapability): boolean =>
  reachesOrganization(scopeOf(role, capability), myRole);

/** Whether a role manages all invitations to the service. */
export const managesInvitations = ({ role }: Pick<Account, 'role'>): boolean =>
  has(role, 'invitation:manage');

/** The roles that a user's invitations can grant. The first is preselected. */
export function invitationRoles({ role }: Pick<Account, 'role'>): ('admin' | 'user')[] {
  const mayInviteAdmins = has(role, 'invitation:manage') && hasAdminInvitations;
  const mayInviteUsers = has(role, 'user:invite') && signUpMode !== 'closed';
  return [...(mayInviteAdmins ? (['admin'] as const) : []), ...(mayInviteUsers ? (['user'] as const) : [])];
}

/** Whether the page of the invitations has anything for a role. */
export const mayOpenInvitations = (role: Role): boolean =>
  invitationRoles({ role }).length > 0 ||
  (has(role, 'invitation:manage') && (hasAdminInvitations || signUpMode !== 'closed'));
