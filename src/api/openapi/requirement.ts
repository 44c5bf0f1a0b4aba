import type { Scope } from '../../core/capability-table.ts';
import type { Role } from '../../core/user.ts';
import { type Capability, capabilities, isOrganizationCapability } from '../../roles/capabilities.ts';

/** Describes who has a capability, from the capability table: "Superadmins only." */
export function requirementOf(capability: Capability): string {
  const grants = Object.entries(capabilities).flatMap(([role, granted]) =>
    [granted[capability as keyof typeof granted] ?? []].flat().map((scope: Scope) => ({ role, scope })),
  );
  const phrases = grants.map(({ role, scope }) => phraseOf(role as Role, scope, capability));
  if (phrases.length === 1) return `${capitalized(phrases[0] ?? '')} only.`;
  return `${capitalized(phrases.join(', and '))}.`;
}

function phraseOf(role: Role, scope: Scope, capability: Capability): string {
  if (isOrganizationCapability(capability)) {
    if (scope === 'joined') return 'members of the organization';
    if (scope === 'managed') return 'admins of the organization';
    return `${role}s`;
  }
  if (scope === 'managed') return `${role}s within the organizations they manage`;
  // A higher role has the capabilities of the roles below it.
  return role === 'admin' ? 'admins and superadmins' : `${role}s`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
