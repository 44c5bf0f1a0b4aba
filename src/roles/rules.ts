import type { CapabilityTable, Scope } from '../core/capability-table.ts';
import { highestRole, lowestRole, type Role, roles, type UserStatus } from '../core/user.ts';
import { type Capability, capabilities } from './capabilities.ts';
import type { OrganizationRole, Principal, Resource } from './principal.ts';

/** Whether a role is the minimum role or a higher role. False if one of the two roles is unknown. */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  roles.includes(minimum) && roles.indexOf(role) >= roles.indexOf(minimum);

/**
 * Whether a principal has a capability for a resource. Anything that the capability table does not list is denied. A
 * disabled user has no capabilities.
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

/**
 * Whether a principal has a capability for a resource only because of the role `admin` or `superadmin`, or as an
 * organization admin. To use such a capability, the user needs a privileged session.
 */
export const needsPrivilege = (
  table: CapabilityTable<string>,
  principal: Principal,
  capability: string,
  resource: Resource,
): boolean => !canBy(table, withoutRoles(principal), capability, resource);

const withoutRoles = (principal: Principal): Principal => ({
  ...principal,
  role: lowestRole,
  memberships: (principal.memberships ?? []).map(({ organizationId }) => ({ organizationId, role: 'user' })),
});

export type RoleHolder = Pick<Principal, 'role' | 'status'>;

/**
 * For which resources a role has a capability: every resource (`any`), the resources of managed organizations
 * (`managed`), or neither (null).
 */
export function reachOf(principal: RoleHolder, capability: Capability): 'any' | 'managed' | null {
  const scopes = scopesOf(capabilities, principal, capability);
  return scopes.includes('any') ? 'any' : scopes.includes('managed') ? 'managed' : null;
}

export const canAnywhere = (principal: RoleHolder, capability: Capability): boolean =>
  reachOf(principal, capability) === 'any';

function scopesOf(table: CapabilityTable<string>, { role, status }: RoleHolder, capability: string): Scope[] {
  if (status !== 'active') return [];
  return roles
    .filter((lower) => isAtLeast(role, lower))
    .flatMap((lower) => grantsOf(table[lower], capability));
}

/** Reads only own properties, because inherited names such as `constructor` are not capabilities. */
const grantsOf = (
  granted: { readonly [name: string]: Scope | readonly Scope[] | undefined } = {},
  capability: string,
): readonly Scope[] => (Object.hasOwn(granted, capability) ? [granted[capability] ?? []].flat() : []);

function holds(scope: Scope, principal: Principal, resource: Resource): boolean {
  const role = membershipRole(principal, resource);
  if (scope === 'any') return true;
  if (scope === 'joined') return role !== null;
  if (scope === 'managed') return role === 'admin';
  // `own`: a user who has left an organization has no capability for the organization's resources, even for those that
  // the user owns.
  return isOwner(principal, resource) && (resource.organizationId == null || role !== null);
}

const isOwner = ({ id }: Principal, { ownerId }: Resource) => ownerId != null && ownerId === id;

/** The principal's role in the resource's organization. Null if there is no organization or no membership. */
function membershipRole(
  { memberships = [] }: Principal,
  { organizationId }: Resource,
): OrganizationRole | null {
  if (organizationId == null) return null;
  return memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;
}

/**
 * Whether the principal is a stranger to a resource: neither the owner nor a member of the organization. A stranger
 * gets 404 instead of 403, so that the response does not reveal whether the resource exists.
 */
export const isStranger = (principal: Principal, resource: Resource): boolean =>
  (resource.ownerId != null || resource.organizationId != null) &&
  !isOwner(principal, resource) &&
  membershipRole(principal, resource) === null;

/** The input of `obstacleToHelp`. */
export interface HelpCase {
  helper: Pick<Principal, 'id' | 'role' | 'status'>;
  /** The user whom the helper wants to help. */
  user: Pick<Principal, 'id' | 'role'>;
  /** All memberships of this user. */
  memberships: readonly { role: OrganizationRole; managedByHelper: boolean }[];
}

/** The capabilities for helping another user. */
export type HelpCapability = Extract<Capability, 'user:update' | 'user:recover' | 'user:end_sessions'>;

/** Why the helper cannot help the user. The audit log contains this reason. */
export type HelpObstacle = 'oneself' | 'role_too_low' | 'no_plain_user' | 'not_of_their_organizations';

/**
 * Why the helper cannot help the user, or null. To help means to create a recovery link, to end sessions, or to change
 * the display name, the own fields or the username. With a recovery link, a helper can take over the account, so the
 * user must not have more rights than the helper:
 *
 * - A superadmin can help every other user.
 * - An admin can help a user with the role `user`. The user must be a member of at least one organization, and must not
 *   be an organization admin. The admin must manage all organizations of the user.
 * - A user with the role `user` can help no other user.
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

/** The input of `canLoseAuthority`. */
export interface SuperadminState {
  role: Role;
  status: UserStatus;
  /** The number of active superadmins, including this user. */
  activeSuperadmins: number;
}

/** Whether the service always needs an active user with this role. True only for the role `superadmin`. */
export const isGuardedRole = (role: Role): boolean => role === highestRole;

/** Whether a user can be demoted, disabled or deleted. False only for the last active superadmin. */
export const canLoseAuthority = ({ role, status, activeSuperadmins }: SuperadminState): boolean =>
  !isGuardedRole(role) || status !== 'active' || activeSuperadmins > 1;
