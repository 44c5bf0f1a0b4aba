import { type CapabilityTable, scopes } from '../core/capability-table.ts';
import { suggestion } from '../core/closest-name.ts';
import { describe } from '../core/known-options.ts';
import { type Role, roles } from '../core/user.ts';

/**
 * What each role can do, and for which resources. A role also has all capabilities of the lower roles. Anything not
 * listed is denied.
 *
 * This table decides every permission. An endpoint only names the capability that it requires. `obstacleToHelp` also
 * limits which users an actor can help with `user:update`, `user:recover` and `user:end_sessions`.
 */
export const capabilities = {
  user: {
    'organization:read': 'joined',
    'organization:leave': 'joined',
    'organization:update': 'managed',
    'organization:delete': 'managed',
    'organization:members:read': 'joined',
    'organization:members:invite': 'managed',
    'organization:members:promote': 'managed',
    'organization:members:remove': 'managed',
  },
  admin: {
    'organization:create': 'any',
    // Covers the user invitations that the admin created.
    'user:invite': 'any',
    'user:read': 'managed',
    'user:update': 'managed',
    'user:recover': 'managed',
    'user:end_sessions': 'managed',
    // Does not cover sign-ins, because they belong to no organization. Covers a member's events only from the time when
    // the member joined.
    'audit:read': 'managed',
  },
  superadmin: {
    'role:assign': 'any',
    'user:read': 'any',
    'user:manage': 'any',
    'user:update': 'any',
    'user:recover': 'any',
    'user:end_sessions': 'any',
    // Needs the option `impersonation`. `obstacleToImpersonate` limits which users.
    'user:impersonate': 'any',
    'invitation:manage': 'any',
    'audit:read': 'any',
    'organization:read': 'any',
    'organization:update': 'any',
    'organization:delete': 'any',
    'organization:members:read': 'any',
    'organization:members:add': 'any',
    'organization:members:invite': 'any',
    'organization:members:promote': 'any',
    'organization:members:remove': 'any',
  },
} as const satisfies CapabilityTable<string>;

/** A capability of the service, as `noun:verb`. */
export type Capability = { [R in Role]: keyof (typeof capabilities)[R] }[Role];

/** A capability that applies to one organization. */
export type OrganizationCapability = Exclude<
  Extract<Capability, `organization:${string}`>,
  'organization:create'
>;

export const isOrganizationCapability = (capability: Capability): capability is OrganizationCapability =>
  capability.startsWith('organization:') && capability !== 'organization:create';

/**
 * Returns the service's capabilities together with the application's capabilities.
 *
 * @throws TypeError for an unknown role, for an unknown scope, and for a name that the service already uses
 */
export function withCapabilities(added: CapabilityTable<string> = {}): CapabilityTable<string> {
  if (typeof added !== 'object' || added === null || Array.isArray(added))
    throw new TypeError(`capabilities: expected an object, given ${describe(added)}`);
  const builtIn = new Set(Object.values(capabilities).flatMap((granted) => Object.keys(granted)));
  for (const [role, granted] of Object.entries(added)) {
    if (!roles.includes(role as Role))
      throw new TypeError(
        `capabilities.${role}: expected one of ${roles.join(', ')}.${suggestion(role, roles)}`,
      );
    if (typeof granted !== 'object' || granted === null)
      throw new TypeError(`capabilities.${role}: expected an object such as { 'report:read': 'joined' }`);
    for (const [name, scope] of Object.entries(granted)) {
      const path = `capabilities.${role}['${name}']`;
      if (builtIn.has(name))
        throw new TypeError(`${path}: expected a name that is not a capability of the service`);
      if (![scope].flat().every((one) => scopes.some((known) => known === one)))
        throw new TypeError(`${path}: expected scopes among ${scopes.join(', ')}`);
    }
  }
  return Object.fromEntries(roles.map((role) => [role, { ...capabilities[role], ...added[role] }]));
}
