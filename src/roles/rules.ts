import type { Grants, Scope } from '../core/capability-table.ts';
import { highestRole, lowestRole, type Role, roles, type UserStatus } from '../core/user.ts';
import { type Capability, isOrganizationCapability, type OrganizationCapability } from './capabilities.ts';
import { capabilitiesIn, organizationRolesOf } from './organization-roles.ts';
import type { OrganizationRole, Principal, Resource } from './principal.ts';

/** Whether a role is the minimum role or a higher role. False if one of the two roles is unknown. */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  roles.includes(minimum) && roles.indexOf(role) >= roles.indexOf(minimum);

/**
 * Whether a principal has a capability for a resource. Anything that the roles of the service do not grant is denied. A
 * disabled user has no capabilities.
 *
 * @example can(grants, { ...user, memberships }, 'organization:members:promote', { organizationId })
 */
export function can(
  grants: Grants,
  principal: Principal,
  capability: string,
  resource: Resource = {},
): boolean {
  if (principal.status !== 'active' || !isAtLeast(principal.role, lowestRole)) return false;
  const membership = membershipRole(grants, principal, resource);
  if (membership !== null && capabilitiesIn(grants, membership).has(capability)) return true;
  return scopesOf(grants, principal, capability).some((scope) =>
    holds(scope, membership, principal, resource),
  );
}

/**
 * Whether a principal has a capability for a resource only because of the role `admin` or `superadmin`, as an
 * organization admin, or through a custom organization role that lists a built-in capability. To use such a capability, the
 * user needs a privileged session.
 */
export const needsPrivilege = (
  grants: Grants,
  principal: Principal,
  capability: string,
  resource: Resource,
): boolean => !can(grants, withoutRoles(principal, capability), capability, resource);

/** Custom organization roles only count for capabilities of the application. */
const withoutRoles = (principal: Principal, capability: string): Principal => ({
  ...principal,
  role: lowestRole,
  memberships: (principal.memberships ?? []).map(({ organizationId, role }) => ({
    organizationId,
    role: role === 'admin' || isOrganizationCapability(capability) ? 'user' : role,
  })),
});

/**
 * The organization roles with which a principal has a capability of an organization. Null: the capability does not
 * depend on the role in the organization. A role that is not configured is never one of them.
 */
export function organizationRolesWith(
  grants: Grants,
  principal: RoleHolder & Pick<Principal, 'id'>,
  capability: OrganizationCapability,
): readonly OrganizationRole[] | null {
  const organizationId = 'organization';
  const grantedBy = (role: OrganizationRole) =>
    can(grants, { ...principal, memberships: [{ organizationId, role }] }, capability, { organizationId });
  return grantedBy('user') ? null : organizationRolesOf(grants).filter(grantedBy);
}

export type RoleHolder = Pick<Principal, 'role' | 'status'>;

/**
 * For which resources a role has a capability: every resource (`any`), the resources of managed organizations
 * (`managed`), or neither (null).
 */
export function reachOf(
  grants: Grants,
  principal: RoleHolder,
  capability: Capability,
): 'any' | 'managed' | null {
  const scopes = scopesOf(grants, principal, capability);
  return scopes.includes('any') ? 'any' : scopes.includes('managed') ? 'managed' : null;
}

export const canAnywhere = (grants: Grants, principal: RoleHolder, capability: Capability): boolean =>
  reachOf(grants, principal, capability) === 'any';

function scopesOf({ byRole }: Grants, { role, status }: RoleHolder, capability: string): Scope[] {
  if (status !== 'active') return [];
  return roles
    .filter((lower) => isAtLeast(role, lower))
    .flatMap((lower) => grantsOf(byRole[lower], capability));
}

/** Reads only own properties, because inherited names such as `constructor` are not capabilities. */
const grantsOf = (
  granted: { readonly [name: string]: Scope | readonly Scope[] | undefined } = {},
  capability: string,
): readonly Scope[] => (Object.hasOwn(granted, capability) ? [granted[capability] ?? []].flat() : []);

/** @param membership the principal's role in the resource's organization */
function holds(
  scope: Scope,
  membership: OrganizationRole | null,
  principal: Principal,
  resource: Resource,
): boolean {
  if (scope === 'any') return true;
  if (scope === 'joined') return membership !== null;
  if (scope === 'managed') return membership === 'admin';
  // `own`: a user who has left an organization has no capability for the organization's resources, even for those that
  // the user owns.
  return isOwner(principal, resource) && (resource.organizationId == null || membership !== null);
}

const isOwner = ({ id }: Principal, { ownerId }: Resource) => ownerId != null && ownerId === id;

/** The principal's role in the resource's organization. Null if there is no organization or no membership. */
function membershipRole(
  grants: Grants,
  { memberships = [] }: Principal,
  { organizationId }: Resource,
): OrganizationRole | null {
  if (organizationId == null || !grants.organizations) return null;
  return memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;
}

/**
 * Whether the principal is a stranger to a resource: neither the owner nor a member of the organization. A stranger
 * gets 404 instead of 403, so that the response does not reveal whether the resource exists.
 */
export const isStranger = (grants: Grants, principal: Principal, resource: Resource): boolean =>
  (resource.ownerId != null || resource.organizationId != null) &&
  !isOwner(principal, resource) &&
  membershipRole(grants, principal, resource) === null;

/** The input of `obstacleToHelp`. */
export interface HelpCase {
  helper: Pick<Principal, 'id'>;
  /** For which users the helper has the capability to help (see `reachOf`). */
  reach: 'any' | 'managed' | null;
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
 * - A superadmin can help every other user (reach `any`).
 * - An admin (reach `managed`) can help a user with the role `user`. The user must be a member of at least one
 *   organization, and must not be an organization admin. The admin must manage all organizations of the user, and so has
 *   all capabilities that the user has through custom organization roles.
 * - A user with the role `user` can help no other user.
 */
export function obstacleToHelp({ helper, reach, user, memberships }: HelpCase): HelpObstacle | null {
  if (helper.id === user.id) return 'oneself';
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
