import type { AuthService, Capability } from 'latchkey';
import { pageCapabilities } from './web/scopes.ts';

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
    Object.fromEntries(
      pageCapabilities.map((capability: Capability) => [capability, scopeOf(role, capability)]),
    ),
  ]);
  return encodeURIComponent(JSON.stringify(Object.fromEntries(described)));
}
