import type { CapabilityTable } from '../core/capability-table.ts';
import { roles } from '../core/user.ts';

type Check = (value: unknown, table: CapabilityTable<string>) => boolean;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What each property of a requirement can be. */
const properties: Record<string, { expected: string; check: Check }> = {
  role: {
    expected: `one of ${roles.join(', ')}`,
    check: (value) => roles.some((role) => role === value),
  },
  capability: {
    expected: 'a capability of the service or of the option capabilities',
    check: (value, table) =>
      typeof value === 'string' &&
      Object.values(table).some((granted) => granted !== undefined && Object.hasOwn(granted, value)),
  },
  resource: {
    expected: 'null, a function, or an object whose ownerId and organizationId are not undefined',
    check: (value) => value === null || typeof value === 'function' || isResource(value),
  },
  fresh: { expected: 'true or false', check: (value) => typeof value === 'boolean' },
  method: {
    expected: 'the method of the request, such as POST',
    check: (value) => typeof value === 'string' && /^[a-z]+$/i.test(value),
  },
};

const isResource = (value: unknown) =>
  isObject(value) && !Array.isArray(value) && !(value instanceof Promise) && !hasUndefinedId(value);

const hasUndefinedId = (resource: object) =>
  ['ownerId', 'organizationId'].some((name) => name in resource && Reflect.get(resource, name) === undefined);

/**
 * Checks the argument of `requireAccess`. An unknown name or an undefined value must not remove a requirement.
 *
 * @throws TypeError that names the property
 */
export function checkRequirement(requirement: unknown, table: CapabilityTable<string>): object {
  if (!isObject(requirement) || Array.isArray(requirement))
    throw new TypeError(
      `requireAccess: expected an object of requirements, not ${describe(requirement)}. For any full session, omit the argument`,
    );
  // Includes inherited properties, because `requireAccess` also reads them.
  for (const name in requirement) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property)
      throw new TypeError(
        `requireAccess: ${name}: unknown requirement. The requirements are ${Object.keys(properties).join(', ')}`,
      );
    const value: unknown = Reflect.get(requirement, name);
    if (!property.check(value, table))
      throw new TypeError(`requireAccess: ${name}: expected ${property.expected}, not ${describe(value)}`);
  }
  if ('resource' in requirement && !('capability' in requirement))
    throw new TypeError('requireAccess: resource: expected only together with capability');
  return requirement;
}

/**
 * Checks the resource that a function has returned. An id that is undefined by mistake must not count as a resource
 * without an owner or without an organization.
 *
 * @throws TypeError
 */
export function checkResource(resource: unknown): void {
  if (resource == null || isResource(resource)) return;
  throw new TypeError(
    `requireAccess: resource: expected null, or an object whose ownerId and organizationId are not undefined, from the function, not ${describe(resource)}`,
  );
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise (await it)';
  return isObject(value) ? 'this object' : typeof value === 'function' ? 'a function' : `${String(value)}`;
}
