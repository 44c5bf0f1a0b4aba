import type { AuthService, Capability } from 'latchkey';

/** The built-in capabilities that the pages ask about. */
export const pageCapabilities = [
  'role:assign',
  'user:read',
  'user:manage',
  'user:recover',
  'user:end_sessions',
  'user:impersonate',
  'user:invite',
  'invitation:manage',
  'audit:read',
  'organization:create',
  'organization:read',
  'organization:leave',
  'organization:update',
  'organization:delete',
  'organization:members:read',
  'organization:members:add',
  'organization:members:invite',
  'organization:members:promote',
  'organization:members:remove',
] as const satisfies readonly Capability[];

const roles = ['user', 'admin', 'superadmin'] as const;
// This id exists only in this file. `can` compares it with the membership.
const organizationId = 'organization';

/**
 * Describes for the script which built-in capabilities each role has, and where they apply. Asks the service, so that the
 * pages follow the options `capabilities` and `organizations`.
 */
export function describeCapabilities(can: AuthService['can']): string {
  const scopeOf = (role: (typeof roles)[number], capability: Capability) => {
    const user = { id: 'user', role, status: 'active' } as const;
    const as = (membership: string) => ({ ...user, memberships: [{ organizationId, role: membership }] });
    if (can(user, capability)) return 'any';
    if (can(as('user'), capability, { organizationId })) return 'joined';
    return can(as('admin'), capability, { organizationId }) ? 'managed' : undefined;
  };
  const described = roles.map((role) => [
    role,
    Object.fromEntries(pageCapabilities.map((capability) => [capability, scopeOf(role, capability)])),
  ]);
  return encodeURIComponent(JSON.stringify(Object.fromEntries(described)));
}
