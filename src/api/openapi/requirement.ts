import type { Scope } from '../../core/capability-table.ts';
import type { Role } from '../../core/user.ts';
import { type Capability, capabilities, isOrganizationCapability } from '../../roles/capabilities.ts';

/** Describes which callers have a capability, for example "For admins and superadmins." */
export function requirementOf(capability: Capability): string {
  const grants = Object.entries(capabilities).flatMap(([role, granted]) =>
    [granted[capability as keyof typeof granted] ?? []].flat().map((scope: Scope) => ({ role, scope })),
  );
  const phrases = grants.map(({ role, scope }) => phraseOf(role as Role, scope, capability));
  return `For ${phrases.join(', and for ')}.`;
}

function phraseOf(role: Role, scope: Scope, capability: Capability): string {
  if (isOrganizationCapability(capability)) {
    if (scope === 'joined') return 'members of the organization';
    if (scope === 'managed') return 'organization admins';
    return `${role}s`;
  }
  if (scope === 'managed') return `${role}s within the organizations they manage`;
  // Superadmins also have the capabilities of admins.
  return role === 'admin' ? 'admins and superadmins' : `${role}s`;
}
