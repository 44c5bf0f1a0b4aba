import type { Grants } from '../core/capability-table.ts';
import { suggestion } from '../core/closest-name.ts';
import { describe } from '../core/known-options.ts';
import { roles } from '../core/user.ts';
import { type Capability, capabilities, isOrganizationCapability } from './capabilities.ts';
import { type OrganizationRole, organizationRoles } from './principal.ts';

/**
 * The option `organizationRoles`: the service's custom roles in addition to `user` and `admin`. A member with such a role has
 * the capabilities of every member and the listed capabilities, but only in that organization. The list can contain the
 * application's capabilities, and those built-in capabilities that organization admins have. Organization admins have the
 * capabilities of all these roles. At most 20 roles. A name has 1 to 32 lowercase letters, digits, `_` and `-`, and
 * starts with a letter.
 *
 * @typeParam Extra the names of the application's capabilities
 * @example { editor: ['document:write'], recruiter: ['organization:members:invite'] }
 */
export type OrganizationRoleOptions<Extra extends string = string> = {
  readonly [role: string]: readonly (Extract<Capability, keyof (typeof capabilities)['user']> | Extra)[];
};

type ByOrganizationRole = Grants['byOrganizationRole'];

const mostRoles = 20;
const mostCapabilities = 100;

/**
 * Reads the option `organizationRoles`.
 *
 * @param byRole the capabilities of the service's roles, after the option `capabilities` has narrowed them
 * @throws TypeError that names the role
 */
export function readOrganizationRoles(given: unknown, byRole: Grants['byRole']): ByOrganizationRole {
  if (given === undefined || given === null) return new Map();
  const at = 'organizationRoles';
  const example = "{ editor: ['document:write'] }";
  if (typeof given !== 'object' || Array.isArray(given))
    throw new TypeError(`${at}: expected an object such as ${example}, given ${describe(given)}`);
  const entries = Object.entries(given as Record<string, unknown>);
  if (entries.length > mostRoles)
    throw new TypeError(`${at}: expected at most ${mostRoles} roles, given ${entries.length}`);
  return new Map(
    entries.map(([role, listed]) => {
      checkName(`${at}.${role}`, role);
      if (!Array.isArray(listed) || listed.length > mostCapabilities)
        throw new TypeError(
          `${at}.${role}: expected a list of at most ${mostCapabilities} capabilities, such as ${example}`,
        );
      for (const capability of listed) checkCapability(`${at}.${role}`, capability, byRole);
      return [role, new Set(listed as string[])];
    }),
  );
}

function checkName(path: string, role: string): void {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(role))
    throw new TypeError(
      `${path}: expected a name of 1 to 32 lowercase letters, digits, _ and -, which starts with a letter`,
    );
  if ([...roles, ...organizationRoles].some((builtIn) => builtIn === role))
    throw new TypeError(`${path}: expected a name other than ${roles.join(', ')}`);
}

/** A custom role must not have a capability that organization admins do not have. */
function checkCapability(path: string, capability: unknown, byRole: Grants['byRole']): void {
  if (typeof capability !== 'string' || capability === '')
    throw new TypeError(`${path}: expected names of capabilities, given ${describe(capability)}`);
  const builtIn = new Set(roles.flatMap((role) => Object.keys(capabilities[role])));
  if (!builtIn.has(capability) && !capability.startsWith('organization:')) return;
  const allowed = Object.keys(capabilities.user).filter((name) => isOrganizationCapability(name));
  if (!allowed.some((name) => name === capability))
    throw new TypeError(
      `${path}: expected capabilities of the application, or some of ${allowed.join(', ')}, given ${JSON.stringify(capability)}.${suggestion(capability, allowed)}`,
    );
  if (byRole.user === undefined || !Object.hasOwn(byRole.user, capability))
    throw new TypeError(
      `${path}: capabilities.user removes '${capability}'. Remove it from this role, or allow it in capabilities.user`,
    );
}

/** The names of all organization roles of a service. */
export const organizationRolesOf = ({ byOrganizationRole }: Grants): readonly OrganizationRole[] => [
  ...organizationRoles,
  ...byOrganizationRole.keys(),
];

/** Whether an organization role is configured. */
export const isConfigured = (grants: Grants, role: string): boolean =>
  organizationRolesOf(grants).some((known) => known === role);

/**
 * The capabilities that only some members of an organization have, because of this organization role. A role that is not
 * configured has none. An organization admin has the capabilities of all custom roles.
 */
export function capabilitiesIn({ byOrganizationRole }: Grants, role: OrganizationRole): ReadonlySet<string> {
  if (role !== 'admin') return byOrganizationRole.get(role) ?? new Set();
  return new Set([...byOrganizationRole.values()].flatMap((listed) => [...listed]));
}

/**
 * Whether a member with the role `own` can take the role `other` away from another member. The member needs every
 * capability of the role `other`. So no member can remove or demote a member with more rights.
 */
export const canTake = (grants: Grants, own: OrganizationRole, other: OrganizationRole): boolean => {
  if (own === 'admin') return true;
  if (other === 'admin') return false;
  const ownCapabilities = capabilitiesIn(grants, own);
  return [...capabilitiesIn(grants, other)].every((capability) => ownCapabilities.has(capability));
};

/** Whether a member with the role `own` can give the role `other` to a user. Like `canTake`, for configured roles. */
export const canGive = (grants: Grants, own: OrganizationRole, other: OrganizationRole): boolean =>
  isConfigured(grants, other) && canTake(grants, own, other);
