import type { CapabilityTable } from '../core/capability-table.ts';
import type { Role } from '../core/user.ts';

/**
 * What each role can do, and for which resources. A role also has all capabilities of the lower roles. Anything not
 * listed is denied.
 *
 * This table decides every permission, after the options `capabilities`, `organizationRoles` and `organizations` have
 * changed it (`readGrants`). An endpoint only names the capability that it requires. `obstacleToHelp` also
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
    // The destinations of audit events, which receive the events of all users.
    'webhook:manage': 'any',
    // The figures of the service, without names.
    'overview:read': 'any',
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

export const isOrganizationCapability = (capability: string): capability is OrganizationCapability =>
  capability.startsWith('organization:') && capability !== 'organization:create';
