import type { CapabilityTable, Scope } from '../core/capability-table.ts';
import { highestRole, type Role, roles, type UserStatus } from '../core/user.ts';
import { type Capability, capabilities } from './capabilities.ts';
import type { OrganizationRole, Principal, Resource } from './principal.ts';

/** Whether a role is the minimum role or higher. False for an unknown role. */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  roles.includes(minimum) && roles.indexOf(role) >= roles.indexOf(minimum);

/**
 * Whether a principal has a capability for a resource. False unless the table grants it. A disabled user has no
 * capability.
 *
 * @example can({ ...user, memberships }, 'organization:members:promote', { organizationId })
 */
export const can = (principal: Principal, capability: Capability, resource: Resource = {}): boolean =>
  canBy(capabilities, principal, capability, resource);

/** Like `can`, with a table that includes the application's capabilities. */
export function canBy(
  table: CapabilityTable<string>,
  principal: Principal,
  capability: string,
  resource: Resource,
): boolean {
  return scopesOf(table, principal, capability).some((scope) => holds(scope, principal, resource));
}

/** A principal's role and status, without the memberships. */
export type RoleHolder = Pick<Principal, 'role' | 'status'>;

/** Which resources a capability covers by role alone: every one, those of managed organizations, or none (null). */
export function reachOf(principal: RoleHolder, capability: Capability): 'any' | 'managed' | null {
  const scopes = scopesOf(capabilities, principal, capability);
  return scopes.includes('any') ? 'any' : scopes.includes('managed') ? 'managed' : null;
}

/** Whether a capability covers every resource by role alone. */
export const canAnywhere = (principal: RoleHolder, capability: Capability): boolean =>
  reachOf(principal, capability) === 'any';

function scopesOf(table: CapabilityTable<string>, { role, status }: RoleHolder, capability: string): Scope[] {
  if (status !== 'active') return [];
  return roles
    .filter((lower) => isAtLeast(role, lower))
    .flatMap((lower) => grantsOf(table[lower], capability));
}

/** Reads own properties only: inherited names such as `constructor` are not capabilities. */
const grantsOf = (
  granted: { readonly [name: string]: Scope | readonly Scope[] | undefined } = {},
  capability: string,
): readonly Scope[] => (Object.hasOwn(granted, capability) ? [granted[capability] ?? []].flat() : []);

function holds(scope: Scope, principal: Principal, resource: Resource): boolean {
  const role = membershipRole(principal, resource);
  if (scope === 'any') return true;
  if (scope === 'joined') return role !== null;
  if (scope === 'managed') return role === 'admin';
  // A former member no longer owns anything in the organization.
  return isOwner(principal, resource) && (resource.organizationId == null || role !== null);
}

const isOwner = ({ id }: Principal, { ownerId }: Resource) => ownerId != null && ownerId === id;

/** The principal's role in the resource's organization; null without an organization or a membership. */
function membershipRole(
  { memberships = [] }: Principal,
  { organizationId }: Resource,
): OrganizationRole | null {
  if (organizationId == null) return null;
  return memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;
}

/** Whether the principal neither owns a resource nor is a member of its organization. Strangers get 404, not 403. */
export const isStranger = (principal: Principal, resource: Resource): boolean =>
  (resource.ownerId != null || resource.organizationId != null) &&
  !isOwner(principal, resource) &&
  membershipRole(principal, resource) === null;

/** What decides whether one user may help another to recover their account. */
export interface HelpCase {
  helper: Pick<Principal, 'id' | 'role' | 'status'>;
  /** The user who needs help. */
  user: Pick<Principal, 'id' | 'role'>;
  /** Every organization that the user belongs to. */
  memberships: readonly { role: OrganizationRole; managedByHelper: boolean }[];
}

/** The capabilities that let one user act on another user's account. */
export type HelpCapability = Extract<Capability, 'user:recover' | 'user:end_sessions'>;

/** Why one user may not help another, for the audit log. */
export type HelpObstacle = 'oneself' | 'role_too_low' | 'no_plain_user' | 'not_of_their_organizations';

/**
 * Why a user may not help another with a recovery link or by ending their sessions; null if they may. A helper could take
 * over the account, so no user can help an account with more power than their own:
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

/** What decides whether a user can lose the highest role. */
export interface SuperadminState {
  role: Role;
  status: UserStatus;
  /** The number of active superadmins, including this user. */
  activeSuperadmins: number;
}

/** Whether changes to a user of this role are guarded, so that one active superadmin is always left. */
export const isGuardedRole = (role: Role): boolean => role === highestRole;

/** Whether a user can be demoted, disabled or deleted: every user except the last active superadmin. */
export const canLoseAuthority = ({ role, status, activeSuperadmins }: SuperadminState): boolean =>
  !isGuardedRole(role) || status !== 'active' || activeSuperadmins > 1;
