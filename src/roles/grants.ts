import type { CapabilityOptions, CapabilityTable, Grants, Scope } from '../core/capability-table.ts';
import type { OrganizationSettings } from '../core/config-organizations.ts';
import { type Role, roles } from '../core/user.ts';
import { capabilities } from './capabilities.ts';
import { withCapabilities } from './narrowing.ts';
import { readOrganizationRoles } from './organization-roles.ts';

/** What decides the capabilities of a service's roles. */
export interface GrantOptions {
  capabilities?: CapabilityOptions<string> | undefined;
  organizationRoles?: unknown;
  /** The checked option `organizations`. Null: the service has no organizations. */
  organizations: OrganizationSettings | null;
}

/**
 * Returns the capabilities that each role of a service grants.
 *
 * @throws TypeError for invalid `capabilities` or `organizationRoles`
 */
export function readGrants({ capabilities: given, organizationRoles, organizations }: GrantOptions): Grants {
  const byRole = withCapabilities(given, tableFor(organizations?.createdBy ?? 'admin'));
  const byOrganizationRole = readOrganizationRoles(organizationRoles, byRole);
  if (organizations !== null) return { byRole, byOrganizationRole, organizations: true };
  if (byOrganizationRole.size > 0)
    throw new TypeError('organizationRoles: expected no roles, because the service has no organizations');
  return { byRole: withoutOrganizations(byRole), byOrganizationRole, organizations: false };
}

/** The built-in capabilities, if this role and all higher roles can create organizations. */
function tableFor(creators: Role): CapabilityTable<string> {
  const create = 'organization:create';
  return Object.fromEntries(
    roles.map((role) => {
      const { [create]: _, ...others }: Record<string, Scope> = capabilities[role];
      return [role, role === creators ? { ...others, [create]: 'any' } : others];
    }),
  );
}

/** Leaves out what depends on organizations: stored memberships must not grant anything. */
function withoutOrganizations(table: CapabilityTable<string>): CapabilityTable<string> {
  const builtIn = new Set(roles.flatMap((role) => Object.keys(capabilities[role])));
  return Object.fromEntries(
    roles.map((role) => [
      role,
      Object.fromEntries(
        Object.entries(table[role] ?? {}).filter(
          ([name, scope]) =>
            !name.startsWith('organization:') && (!builtIn.has(name) || [scope].flat().includes('any')),
        ),
      ),
    ]),
  );
}

/** The grants of a service without options. */
export const builtInGrants: Grants = readGrants({ organizations: { createdBy: 'admin', perUser: null } });
