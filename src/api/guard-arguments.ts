import type { CapabilityTable, Scope } from '../core/capability-table.ts';
import { suggestion } from '../core/closest-name.ts';
import { describe } from '../core/known-options.ts';
import { type Role, roles } from '../core/user.ts';
import type { Resource } from '../roles/principal.ts';

// A misspelled role or capability would refuse every user. So the guard throws an error when it is created.

/** @throws TypeError for an unknown role */
export function assertKnownRole(role: unknown): asserts role is Role {
  if (roles.some((known) => known === role)) return;
  throw new TypeError(`requireRole: expected one of ${roles.join(', ')}, given ${shown(role, roles)}`);
}

/**
 * @throws TypeError for an unknown capability, or if the capability depends on the resource and `resourceOf` is missing
 */
export function assertPermission(
  table: CapabilityTable<string>,
  capability: string,
  resourceOf: unknown,
): void {
  const names = [...new Set(roles.flatMap((role) => Object.keys(table[role] ?? {})))];
  if (!names.includes(capability)) {
    const where = 'a capability of the service or of the option capabilities';
    throw new TypeError(`requirePermission: expected ${where}, given ${shown(capability, names)}`);
  }
  if (resourceOf === undefined) {
    if (scopesOf(table, capability).has('any')) return;
    throw new TypeError(
      `requirePermission: '${capability}' depends on the resource, so pass a function as the third argument, such as ${exampleFor(propertiesOf(table, capability))}`,
    );
  }
  if (typeof resourceOf !== 'function')
    throw new TypeError(
      `requirePermission: expected a function that returns the resource as the third argument, given ${describe(resourceOf)}`,
    );
}

/**
 * Rejects a resource with other properties than the capability needs, for example because a column has another name.
 * Without this check, the guard would refuse every user without saying why. Accepts an object without properties.
 *
 * @throws TypeError
 */
export function assertResource(table: CapabilityTable<string>, capability: string, resource: Resource): void {
  const properties = propertiesOf(table, capability);
  const isGiven = properties.length === 0 || properties.some((property) => resource[property] !== undefined);
  if (isGiven || Object.keys(resource).length === 0) return;
  const given = Object.keys(resource).join(', ');
  throw new TypeError(
    `requirePermission: '${capability}' needs ${properties.join(' or ')} of the resource, and the third argument returned an object with ${given}. Return it as in ${exampleFor(properties)}. Use null for an id that the resource does not have`,
  );
}

/** The properties of a resource that decide whether a user has the capability. */
function propertiesOf(table: CapabilityTable<string>, capability: string): (keyof Resource)[] {
  const scopes = scopesOf(table, capability);
  return [
    ...(scopes.has('own') ? (['ownerId'] as const) : []),
    ...(scopes.has('joined') || scopes.has('managed') ? (['organizationId'] as const) : []),
  ];
}

const scopesOf = (table: CapabilityTable<string>, capability: string): ReadonlySet<Scope> =>
  new Set(roles.flatMap((role) => [table[role]?.[capability] ?? []].flat()));

const exampleFor = (properties: readonly (keyof Resource)[]): string =>
  `async (ctx) => ({ ${properties.map((property) => `${property}: …`).join(', ')} })`;

const shown = (given: unknown, known: readonly string[]): string =>
  typeof given === 'string' ? `${JSON.stringify(given)}.${suggestion(given, known)}` : describe(given);
