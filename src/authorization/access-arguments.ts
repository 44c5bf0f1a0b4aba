import type { Grants, Scope } from '../core/capability-table.ts';
import { suggestion } from '../core/closest-name.ts';
import { describe } from '../core/known-options.ts';
import { type Role, roles } from '../core/user.ts';
import type { Resource } from '../roles/principal.ts';

// The guards and `requireAccess` check their arguments here. A misspelled role or capability, or a resource with other
// properties, would refuse every user without saying why. In each function, `where` is the beginning of the message.

/** @throws TypeError for an unknown role */
export function assertKnownRole(where: string, role: unknown): asserts role is Role {
  if (roles.some((known) => known === role)) return;
  throw new TypeError(`${where}: expected one of ${roles.join(', ')}, given ${shown(role, roles)}`);
}

/** @throws TypeError for an unknown capability */
export function assertKnownCapability(
  where: string,
  capability: unknown,
  grants: Grants,
): asserts capability is string {
  const { byRole, byOrganizationRole } = grants;
  const ofRoles = roles.flatMap((role) => Object.keys(byRole[role] ?? {}));
  const names = [
    ...new Set([...ofRoles, ...[...byOrganizationRole.values()].flatMap((listed) => [...listed])]),
  ];
  if (names.some((known) => known === capability)) return;
  const expected = 'a capability of the service or of the options capabilities and organizationRoles';
  throw new TypeError(`${where}: expected ${expected}, given ${shown(capability, names)}`);
}

/**
 * Rejects a missing resource, unless at least one role has the capability for every resource.
 *
 * @param missing how the caller passes the resource, for the message
 * @throws TypeError
 */
export function assertNeedsNoResource(
  where: string,
  capability: string,
  grants: Grants,
  missing: (example: string) => string,
): void {
  const properties = propertiesOf(grants, capability);
  if (properties.length === 0 || scopesOf(grants, capability).has('any')) return;
  throw new TypeError(
    `${where}: '${capability}' depends on the resource, so ${missing(exampleWith(properties))}`,
  );
}

/**
 * Rejects a resource without the id that the capability needs, for example because a column has another name, and a
 * resource with an undefined id, because it must not count as a resource without an owner or an organization.
 *
 * @throws TypeError that names the property
 */
export function assertResource(
  where: string,
  capability: string,
  grants: Grants,
  resource: unknown,
): asserts resource is Resource {
  const properties = propertiesOf(grants, capability);
  const example = exampleWith(properties.length > 0 ? properties : ids);
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource) || 'then' in resource)
    throw new TypeError(
      `${where}: expected null or an object such as ${example}, given ${resource instanceof Promise ? 'a promise (await it)' : describe(resource)}`,
    );
  const without = 'Use null for an id that the resource does not have';
  const given: Resource = resource;
  const unset = ids.find((id) => id in given && given[id] === undefined);
  if (unset) throw new TypeError(`${where}: ${unset} is undefined. ${without}`);
  if (properties.length === 0 || properties.some((id) => id in given)) return;
  const names = Object.keys(given).join(', ') || 'no properties';
  throw new TypeError(
    `${where}: '${capability}' needs ${properties.join(' or ')}, given an object with ${names}. Expected an object such as ${example}. ${without}`,
  );
}

const ids = ['ownerId', 'organizationId'] as const satisfies (keyof Resource)[];

/** The properties of a resource that decide whether a user has the capability. */
function propertiesOf(grants: Grants, capability: string): (keyof Resource)[] {
  const scopes = scopesOf(grants, capability);
  return [
    ...(scopes.has('own') ? (['ownerId'] as const) : []),
    ...(scopes.has('joined') || scopes.has('managed') ? (['organizationId'] as const) : []),
  ];
}

/** A custom organization role grants its capabilities to members, as the scope `joined` does. */
const scopesOf = ({ byRole, byOrganizationRole }: Grants, capability: string): ReadonlySet<Scope> =>
  new Set([
    ...roles.flatMap((role) => {
      const granted = byRole[role] ?? {};
      return Object.hasOwn(granted, capability) ? [granted[capability] ?? []].flat() : [];
    }),
    ...[...byOrganizationRole.values()].flatMap((listed) =>
      listed.has(capability) ? (['joined'] as const) : [],
    ),
  ]);

const exampleWith = (properties: readonly (keyof Resource)[]): string =>
  `{ ${properties.map((property) => `${property}: …`).join(', ')} }`;

const shown = (given: unknown, known: readonly string[]): string =>
  typeof given === 'string' ? `${JSON.stringify(given)}.${suggestion(given, known)}` : describe(given);
