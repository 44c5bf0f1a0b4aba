import type { Grants, Scope } from '../../core/capability-table.ts';
import { type Role, roles } from '../../core/user.ts';
import { type Capability, isOrganizationCapability } from '../../roles/capabilities.ts';

/**
 * Describes which callers have a capability, for example "For admins and superadmins."
 *
 * @param everywhere whether they need it for every resource
 */
export function requirementOf(
  { byRole, byOrganizationRole }: Grants,
  capability: Capability,
  everywhere = false,
): string {
  const scopeOf = (role: Role) => byRole[role]?.[capability] as Scope | undefined;
  const grants = roles.map((role) => ({
    role,
    scope: everywhere && scopeOf(role) !== 'any' ? undefined : scopeOf(role),
  }));
  const phrases = grants
    // A role also has the capabilities of the lower roles.
    .filter(({ scope }, index) => scope !== undefined && scope !== grants[index - 1]?.scope)
    .map(({ role, scope = 'any' }) => phraseOf(role, scope, capability));
  const own = [...byOrganizationRole]
    .filter(([, listed]) => listed.has(capability))
    .map(([role]) => `members with the role ${role}`);
  return phrases.length + own.length === 0
    ? 'For no user.'
    : `For ${[...phrases, ...own].join(', and for ')}.`;
}

function phraseOf(role: Role, scope: Scope, capability: Capability): string {
  const all = scope === 'any';
  if (isOrganizationCapability(capability) && !all) {
    const members = scope === 'joined' ? 'members of the organization' : 'organization admins';
    return role === 'user' ? members : `${members} with the role ${role} in the service`;
  }
  if (!all) return `${role}s within the organizations they manage`;
  // Superadmins also have the capabilities of admins.
  return role === 'admin' ? 'admins and superadmins' : role === 'user' ? 'all users' : 'superadmins';
}
