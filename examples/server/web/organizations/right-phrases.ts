import type { OrganizationRole } from 'latchkey/client';
import { type CapabilityScopes, type PageCapability, reachesOrganization, scopeIn } from '../scopes.ts';

/** What the built-in capabilities allow, as the end of a sentence. */
const phrases: readonly (readonly [PageCapability, string])[] = [
  ['organization:members:read', 'see the members'],
  ['organization:members:invite', 'invite members'],
  ['organization:members:promote', 'change the roles of members'],
  ['organization:members:remove', 'remove members'],
  ['organization:update', 'rename the organization'],
  ['organization:delete', 'delete the organization'],
];

/**
 * What a role in an organization allows for users without a role in the service.
 *
 * @param own the built-in capabilities of a custom organization role
 */
export const rightPhrases = (
  scopes: CapabilityScopes,
  role: OrganizationRole,
  own: readonly string[] = [],
): string[] =>
  phrases
    .filter(
      ([capability]) =>
        own.includes(capability) || reachesOrganization(scopeIn(scopes, 'user', capability), role),
    )
    .map(([, phrase]) => phrase);

/** What other users can see and do after the user becomes a member. */
export function consequencesOf(scopes: CapabilityScopes, role: OrganizationRole): string[] {
  const ofAdmins = (capability: PageCapability) => scopeIn(scopes, 'admin', capability) !== null;
  const help = [
    ...(ofAdmins('user:recover') ? ['create a recovery link for your account'] : []),
    ...(ofAdmins('user:end_sessions') ? ['end your sessions'] : []),
  ].join(' and ');
  return [
    ...(reachesOrganization(scopeIn(scopes, 'user', 'organization:members:read'), 'user')
      ? ['The other members see your username.']
      : []),
    ...(ofAdmins('audit:read')
      ? ['Admins of the organization can see what you change in it, with your IP address and browser.']
      : []),
    // No admin can help an organization admin.
    ...(help && role !== 'admin' ? [`Admins who manage all of your organizations can also ${help}.`] : []),
  ];
}
