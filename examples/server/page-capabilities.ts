import type { FilesAuthService } from './files/capabilities.ts';
import { type PageCapability, pageCapabilities } from './web/scopes.ts';

const roles = ['user', 'admin', 'superadmin'] as const;
// This id exists only in this file. `can` compares it with the membership.
const organizationId = 'organization';

/**
 * Describes which capabilities each role has, and where they apply, for the script of the pages. Calls `can`, so that
 * the pages follow the options `capabilities` and `organizations`.
 */
export function describeCapabilities(can: FilesAuthService['can']): string {
  const scopeOf = (role: (typeof roles)[number], capability: PageCapability) => {
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
