import type { Role } from '../core/user.ts';

/**
 * Where a capability holds:
 *
 * - `own`: for what belongs to the person themself; within an organization, as long as they belong to it
 * - `joined`: in the organizations that they belong to
 * - `managed`: in the organizations whose admin they are
 * - `any`: everywhere
 */
export type Scope = 'own' | 'joined' | 'managed' | 'any';

/** From role to capabilities, each with the scopes that it holds in. */
export type CapabilityTable<Name extends string> = {
  readonly [R in Role]?: { readonly [N in Name]?: Scope | readonly Scope[] };
};

/** What each role may do. A higher role may also do what the ones below it may. What stands nowhere, nobody may. */
export const capabilities = {
  user: {
    'account:manage': 'own',
    'file:read': ['own', 'joined'],
    'file:create': ['own', 'joined'],
    'file:manage': ['own', 'managed'],
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
    'user:read': 'managed',
    'user:recover': 'managed',
    'user:end_sessions': 'managed',
    // Events of the organization, of each member since joining; not the members' sign-ins.
    'activity:read': 'managed',
  },
  superadmin: {
    'system:access': 'any',
    'configuration:manage': 'any',
    'role:assign': 'any',
    'user:read': 'any',
    'user:manage': 'any',
    'user:recover': 'any',
    'user:end_sessions': 'any',
    'invitation:manage': 'any',
    'activity:read': 'any',
    'file:read': 'any',
    'file:create': 'any',
    'file:manage': 'any',
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

/** What the service itself knows that somebody may do, as `noun:verb`. */
export type Capability = { [R in Role]: keyof (typeof capabilities)[R] }[Role];

const roles = Object.keys(capabilities);
const scopes: readonly unknown[] = ['own', 'joined', 'managed', 'any'] satisfies Scope[];

/**
 * The service's table with an application's own capabilities in it.
 *
 * @throws TypeError for a role or scope that there is not, and for a name of the service's own
 */
export function withCapabilities(added: CapabilityTable<string> = {}): CapabilityTable<string> {
  const ours = new Set(Object.values(capabilities).flatMap((granted) => Object.keys(granted)));
  for (const [role, granted] of Object.entries(added)) {
    if (!roles.includes(role))
      throw new TypeError(`capabilities.${role}: expected one of ${roles.join(', ')}`);
    for (const [name, scope] of Object.entries(granted)) {
      const path = `capabilities.${role}['${name}']`;
      if (ours.has(name)) throw new TypeError(`${path}: the service has a capability of that name`);
      if (![scope].flat().every((one) => scopes.includes(one)))
        throw new TypeError(`${path}: expected scopes among ${scopes.join(', ')}`);
    }
  }
  const entries = Object.entries(capabilities).map(([role, granted]) => [
    role,
    { ...granted, ...added[role as keyof typeof capabilities] },
  ]);
  return Object.fromEntries(entries);
}
