import {
  assertKnownCapability,
  assertKnownRole,
  assertNeedsNoResource,
  assertResource,
} from '../authorization/access-arguments.ts';
import type { CapabilityTable } from '../core/capability-table.ts';
import { describe } from '../core/known-options.ts';

type Check = (where: string, value: unknown, table: CapabilityTable<string>) => void;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const expecting =
  (expected: string, isValid: (value: unknown) => boolean): Check =>
  (where, value) => {
    if (!isValid(value)) throw new TypeError(`${where}: expected ${expected}, given ${describe(value)}`);
  };

/** The checks of each property of a requirement. `checkRequirement` also checks whether the resource fits. */
const checks: Record<string, Check> = {
  role: assertKnownRole,
  capability: assertKnownCapability,
  resource: expecting(
    'null, an object or a function',
    (value) => value === null || isObject(value) || typeof value === 'function',
  ),
  fresh: expecting('true or false', (value) => typeof value === 'boolean'),
  impersonated: expecting('true or false', (value) => typeof value === 'boolean'),
  method: expecting(
    'the method of the request, such as POST',
    (value) => typeof value === 'string' && /^[a-z]+$/i.test(value),
  ),
};

/**
 * Checks the argument of `requireAccess`. An unknown name or an undefined value must not remove a requirement.
 *
 * @throws TypeError that names the property
 */
export function checkRequirement(requirement: unknown, table: CapabilityTable<string>): object {
  if (!isObject(requirement) || Array.isArray(requirement))
    throw new TypeError(
      `requireAccess: expected an object of requirements, given ${describe(requirement)}. For any full session, omit the argument`,
    );
  // Includes inherited properties, because `requireAccess` also reads them.
  for (const name in requirement) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check)
      throw new TypeError(
        `requireAccess: ${name}: unknown requirement. The requirements are ${Object.keys(checks).join(', ')}`,
      );
    const value: unknown = Reflect.get(requirement, name);
    check(`requireAccess: ${name}`, value, table);
  }
  const { capability, resource } = requirement as { capability?: string; resource?: unknown };
  if (capability === undefined) {
    if (resource !== undefined)
      throw new TypeError('requireAccess: resource: expected only together with capability');
  } else if (resource === undefined)
    assertNeedsNoResource('requireAccess', capability, table, (example) => `add resource: ${example}`);
  else if (typeof resource !== 'function') checkResource(capability, resource, table);
  return requirement;
}

/**
 * Checks the resource that the requirement contains, or that its function has returned. Null and undefined: the resource
 * does not exist.
 *
 * @throws TypeError that names the property
 */
export function checkResource(capability: string, resource: unknown, table: CapabilityTable<string>): void {
  if (resource != null) assertResource('requireAccess: resource', capability, table, resource);
}
