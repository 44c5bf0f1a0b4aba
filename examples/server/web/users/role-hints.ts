import type { Role } from 'latchkey/client';
import { listOf } from '../list-of.ts';
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
  const rights: (readonly [boolean, string])[] = [
    [scopeOf('organization:create') !== null, 'create organizations'],
    [settings.signUpMode !== 'closed' && scopeOf('user:invite') !== null, 'invite users'],
    [settings.hasAdminInvitations && scopeOf('invitation:manage') !== null, 'invite admins'],
    [scopeOf('user:read') === 'managed', 'see the members of their organizations'],
    [isAny('user:read'), 'see all users'],
    [help.includes('managed'), 'help the members of their organizations'],
    [help.includes('any'), 'help all users'],
    [scopeOf('audit:read') === 'managed', 'see the activity in their organizations'],
    [isAny('audit:read'), 'see all activity'],
    [scopeOf('role:assign') !== null, 'change roles'],
    [scopeOf('user:manage') !== null, 'disable and delete users'],
    [settings.impersonation && scopeOf('user:impersonate') !== null, 'use the accounts of other users'],
    [isAny('organization:update'), 'rename all organizations'],
    [isAny('organization:delete'), 'delete all organizations'],
    [isAny('organization:members:remove'), 'remove members of all organizations'],
  ];
  return rights.filter(([has]) => has).map(([, phrase]) => phrase);
}

const lower = { admin: 'user', superadmin: 'admin' } as const;

/** What a role in the service allows in addition to the next lower role, as a sentence. */
export function roleHint(role: Role, settings: RoleSettings): string {
  const rights = rightsOf(role, settings);
  if (role === 'user') return `Can ${listOf(['manage their own account', ...rights])}.`;
  const below = rightsOf(lower[role], settings);
  const additional = rights.filter((right) => !below.includes(right));
  return additional.length > 0
    ? `Can also ${listOf(additional)}.`
    : `Has no more rights than ${lower[role] === 'user' ? 'a user' : 'an admin'}.`;
}
