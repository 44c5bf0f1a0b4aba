import type { Organization, OrganizationRole, Role } from 'latchkey/client';
import { hasIn } from '../capabilities.ts';
import { listOf } from '../list-of.ts';
import { t } from '../messages/t.tsx';
import type { PageCapability } from '../scopes.ts';
import { capabilityScopes, ownRoles } from '../site-settings.ts';
import { type RightPhrase, rightPhrases } from './right-phrases.ts';

const phrasesOf = (role: OrganizationRole): RightPhrase[] =>
  rightPhrases(capabilityScopes, role, ownRoles.get(role)?.capabilities);

const translated = (phrases: readonly RightPhrase[]): string[] => phrases.map((phrase) => t(phrase));

/** What a role in an organization allows, as list items. */
export const roleRights = (role: OrganizationRole): string[] => [
  ...translated(phrasesOf(role)),
  role === 'admin' ? t('invitation.rightAllFiles') : t('invitation.rightOwnFiles'),
];

/** What a role in an organization allows, as a sentence. */
export function roleHint(role: OrganizationRole): string {
  const files = role === 'admin' ? t('invitation.rightChangeFiles') : t('invitation.rightReadFiles');
  return t('invitation.roleHint', { rights: listOf([...translated(phrasesOf(role)), files]) });
}

/** The rights that only organization admins have, as the end of a sentence. Empty: none. */
export const rightsOfAdminsOnly = (): string => listOf(translated(phrasesOfAdminsOnly()));

function phrasesOfAdminsOnly(): RightPhrase[] {
  const ofMembers = phrasesOf('user');
  return phrasesOf('admin').filter((phrase) => !ofMembers.includes(phrase));
}

const membershipPhrases: readonly RightPhrase[] = ['invitation.rightInvite', 'invitation.rightRemove'];

/** What members and organization admins can do with other members, as a sentence. */
export function membersHint(mayInvite: boolean): string {
  const ofAdmins = phrasesOfAdminsOnly().filter((phrase) => membershipPhrases.includes(phrase));
  if (!mayInvite && ofAdmins.length > 0)
    return t('invitation.membersHintAdmins', { rights: listOf(translated(ofAdmins)) });
  return phrasesOf('user').includes('invitation.rightSeeMembers')
    ? t('invitation.membersHint')
    : t('invitation.membersHintFiles');
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

/** Whether the signed-in user is a member and can leave. */
export const mayLeave = (
  { myRole }: Pick<Organization, 'myRole'>,
  { leave }: Pick<OrganizationRights, 'leave'>,
): boolean => myRole !== null && leave;
