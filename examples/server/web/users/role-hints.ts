import type { Role } from 'latchkey/client';
import { listOf } from '../list-of.ts';
import { type PlainKey, t } from '../messages/text.ts';
import { type CapabilityScopes, type PageCapability, scopeIn } from '../scopes.ts';

/** The settings of the service that decide what a role allows. */
export interface RoleSettings {
  capabilityScopes: CapabilityScopes;
  impersonation: boolean;
  hasAdminInvitations: boolean;
  signUpMode: string;
}

/** What a role in the service allows, as the end of a sentence. */
function rightsOf(role: Role, settings: RoleSettings): string[] {
  const scopeOf = (capability: PageCapability) => scopeIn(settings.capabilityScopes, role, capability);
  const isAny = (capability: PageCapability) => scopeOf(capability) === 'any';
  const help = (['user:recover', 'user:end_sessions'] as const).map(scopeOf);
  const rights: (readonly [boolean, PlainKey])[] = [
    [scopeOf('organization:create') !== null, 'users.rightCreateOrganizations'],
    [settings.signUpMode !== 'closed' && scopeOf('user:invite') !== null, 'users.rightInviteUsers'],
    [settings.hasAdminInvitations && scopeOf('invitation:manage') !== null, 'users.rightInviteAdmins'],
    [scopeOf('user:read') === 'managed', 'users.rightSeeMembers'],
    [isAny('user:read'), 'users.rightSeeUsers'],
    [help.includes('managed'), 'users.rightHelpMembers'],
    [help.includes('any'), 'users.rightHelpUsers'],
    [scopeOf('audit:read') === 'managed', 'users.rightSeeActivityThere'],
    [isAny('audit:read'), 'users.rightSeeActivity'],
    [scopeOf('role:assign') !== null, 'users.rightChangeRoles'],
    [scopeOf('user:manage') !== null, 'users.rightManageUsers'],
    [settings.impersonation && scopeOf('user:impersonate') !== null, 'users.rightImpersonate'],
    [isAny('organization:update'), 'users.rightRenameOrganizations'],
    [isAny('organization:delete'), 'users.rightDeleteOrganizations'],
    [isAny('organization:members:remove'), 'users.rightRemoveMembers'],
  ];
  return rights.filter(([has]) => has).map(([, right]) => t(right));
}

const lower = { admin: 'user', superadmin: 'admin' } as const;

/** What a role in the service allows in addition to the next lower role, as a sentence. */
export function roleHint(role: Role, settings: RoleSettings): string {
  const rights = rightsOf(role, settings);
  if (role === 'user') return t('users.rights', { rights: listOf([t('users.rightOwnAccount'), ...rights]) });
  const below = rightsOf(lower[role], settings);
  const additional = rights.filter((right) => !below.includes(right));
  return additional.length > 0
    ? t('users.moreRights', { rights: listOf(additional) })
    : t('users.noMoreRights', { role: lower[role] });
}
