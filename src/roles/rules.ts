import type { Role, UserStatus } from '../core/user.ts';
import { type Capability, type CapabilityTable, capabilities, type Scope } from './capabilities.ts';
import type { MembershipRole, Principal, Resource } from './principal.ts';

const rank = { user: 1, admin: 2, superadmin: 3 } as const satisfies Record<Role, number>;
const roles = Object.keys(rank) as Role[];

/** Whether the first role is the second, or above it. */
export const isAtLeast = (role: Role, minimum: Role): boolean => rank[role] >= rank[minimum];

/**
 * Whether a principal may do something to a resource. Whoever is not active may do nothing, and what no table grants
 * is denied.
 *
 * @example can({ ...user, memberships }, 'organization:members:promote', { organizationId })
 */
export const can = (principal: Principal, capability: Capability, resource: Resource = {}): boolean =>
  canBy(capabilities, principal, capability, resource);

/** As `can`, by another table. */
export function canBy(
  table: CapabilityTable<string>,
  principal: Principal,
  capability: string,
  resource: Resource,
): boolean {
  return scopesOf(table, principal, capability).some((scope) => holds(scope, principal, resource));
}

/** How far a capability reaches for somebody who asks for a list: everything, their organizations, or nothing. */
export function reachOf(principal: Principal, capability: Capability): 'any' | 'managed' | null {
  const scopes = scopesOf(capabilities, principal, capability);
  return scopes.includes('any') ? 'any' : scopes.includes('managed') ? 'managed' : null;
}

function scopesOf(table: CapabilityTable<string>, { role, status }: Principal, capability: string): Scope[] {
  if (status !== 'active') return [];
  return roles
    .filter((lower) => isAtLeast(role, lower))
    .flatMap((lower) => grantsOf(table[lower], capability));
}

/** Own members alone: what every object inherits is no capability. */
const grantsOf = (
  granted: { readonly [name: string]: Scope | readonly Scope[] | undefined } = {},
  capability: string,
): readonly Scope[] => (Object.hasOwn(granted, capability) ? [granted[capability] ?? []].flat() : []);

function holds(scope: Scope, principal: Principal, resource: Resource): boolean {
  const role = membershipRole(principal, resource);
  if (scope === 'any') return true;
  if (scope === 'joined') return role !== null;
  if (scope === 'managed') return role === 'admin';
  // Of what belongs to an organization, only a member owns anything.
  return isOwner(principal, resource) && (resource.organizationId == null || role !== null);
}

const isOwner = ({ id }: Principal, { ownerId }: Resource) => ownerId != null && ownerId === id;

/** The principal's role in the organization of a resource; null where it has none, or they do not belong to it. */
function membershipRole(
  { memberships = [] }: Principal,
  { organizationId }: Resource,
): MembershipRole | null {
  if (organizationId == null) return null;
  return memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;
}

/** Whether a resource is any of the principal's business: a stranger to it is not even told that it is there. */
export const isStranger = (principal: Principal, resource: Resource): boolean =>
  (resource.ownerId != null || resource.organizationId != null) &&
  !isOwner(principal, resource) &&
  membershipRole(principal, resource) === null;

/** What decides whether one user may help another back into their account. */
export interface HelpCase {
  helper: Pick<Principal, 'id' | 'role' | 'status'>;
  /** The user who needs help. */
  user: Pick<Principal, 'id' | 'role'>;
  /** Every organization that the user belongs to. */
  memberships: readonly { role: MembershipRole; managedByHelper: boolean }[];
}

/** Why one user may not help another: for the audit log. */
export type HelpObstacle = 'oneself' | 'role_too_low' | 'no_plain_user' | 'not_of_their_organizations';

/**
 * Why a user may not help another (by a recovery link, or by ending their sessions), or null: they may. A helper could
 * take the account over, so a user cannot help an account with more power than their own:
 *
 * | helper | may help |
 * |---|---|
 * | superadmin | every other user |
 * | admin | users of role user in at least one organization, admin of none, if the helper manages all of them |
 * | user | no user |
 */
export function obstacleToHelp({ helper, user, memberships }: HelpCase): HelpObstacle | null {
  if (helper.id === user.id) return 'oneself';
  const reach = reachOf(helper, 'user:recover');
  if (reach === 'any') return null;
  if (reach === null) return 'role_too_low';
  if (user.role !== 'user' || memberships.some(({ role }) => role === 'admin')) return 'no_plain_user';
  const allManaged = memberships.length > 0 && memberships.every(({ managedByHelper }) => managedByHelper);
  return allManaged ? null : 'not_of_their_organizations';
}

/** What decides whether somebody can cease to be an active superadmin. */
export interface SuperadminStanding {
  role: Role;
  status: UserStatus;
  /** How many active superadmins there are, this one among them. */
  activeSuperadmins: number;
}

/** Whether somebody can be demoted, disabled or deleted: anybody but the last active superadmin. */
export const mayLoseAuthority = ({ role, status, activeSuperadmins }: SuperadminStanding): boolean =>
  role !== 'superadmin' || status !== 'active' || activeSuperadmins > 1;
