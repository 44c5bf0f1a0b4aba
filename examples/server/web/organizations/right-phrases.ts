import type { OrganizationRole } from 'latchkey/client';
import { type CapabilityScopes, type PageCapability, reachesOrganization, scopeIn } from '../scopes.ts';

/** The keys of the phrases for the built-in capabilities, in the order of a sentence. */
const phrases = [
  ['organization:members:read', 'invitation.rightSeeMembers'],
  ['organization:members:invite', 'invitation.rightInvite'],
  ['organization:members:promote', 'invitation.rightChangeRoles'],
  ['organization:members:remove', 'invitation.rightRemove'],
  ['organization:update', 'invitation.rightRename'],
  ['organization:delete', 'invitation.rightDelete'],
] as const satisfies readonly (readonly [PageCapability, string])[];

/** The key of a phrase for a right, such as "see the members". */
export type RightPhrase = (typeof phrases)[number][1];

/**
 * What a role in an organization allows for users without a role in the service.
 *
 * @param own the built-in capabilities of a custom organization role
 */
export const rightPhrases = (
  scopes: CapabilityScopes,
  role: OrganizationRole,
  own: readonly string[] = [],
): RightPhrase[] =>
  phrases
    .filter(
      ([capability]) =>
        own.includes(capability) || reachesOrganization(scopeIn(scopes, 'user', capability), role),
    )
    .map(([, phrase]) => phrase);

/** The keys of the sentences about what other users can see and do after the user becomes a member. */
export function consequencesOf(scopes: CapabilityScopes, role: OrganizationRole) {
  const ofAdmins = (capability: PageCapability) => scopeIn(scopes, 'admin', capability) !== null;
  const recover = ofAdmins('user:recover');
  const endSessions = ofAdmins('user:end_sessions');
  const isSeen = reachesOrganization(scopeIn(scopes, 'user', 'organization:members:read'), 'user');
  return [
    ...(isSeen ? (['invitation.membersSeeYou'] as const) : []),
    ...(ofAdmins('audit:read') ? (['invitation.adminsSeeChanges'] as const) : []),
    // No admin can help an organization admin.
    ...(role === 'admin' ? [] : helpOf(recover, endSessions)),
  ];
}

function helpOf(recover: boolean, endSessions: boolean) {
  if (recover && endSessions) return ['invitation.adminsRecoverAndEnd'] as const;
  if (recover) return ['invitation.adminsRecover'] as const;
  return endSessions ? (['invitation.adminsEnd'] as const) : [];
}
