import type { OrganizationRole, Role } from 'latchkey/client';

/** The capabilities that the pages check: built-in ones, and one for files. */
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
  'overview:read',
  'webhook:manage',
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
  'file:count',
] as const;

/** A capability that the pages check. */
export type PageCapability = (typeof pageCapabilities)[number];

/** The capabilities of each role, and where they apply. `managed`: where the user is an organization admin. */
export type CapabilityScopes = {
  readonly [R in Role]?: { readonly [C in PageCapability]?: 'any' | 'joined' | 'managed' };
};

/** Where a capability applies for users with a role. Null: the role does not have the capability. */
export const scopeIn = (scopes: CapabilityScopes, role: Role, capability: PageCapability) =>
  scopes[role]?.[capability] ?? null;

/** Whether a role has a capability in an organization. @param myRole the user's role in the organization */
export function reachesOrganization(
  scope: ReturnType<typeof scopeIn>,
  myRole: OrganizationRole | null,
): boolean {
  if (scope === 'managed') return myRole === 'admin';
  return scope === 'any' || (scope === 'joined' && myRole !== null);
}
