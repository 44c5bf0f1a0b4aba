import { assertKnownCapability, assertNeedsNoResource } from '../authorization/access-arguments.ts';
import type { Grants } from '../core/capability-table.ts';
import { describe } from '../core/known-options.ts';

/**
 * Checks the arguments of `requirePermission` when the guard is created.
 *
 * @throws TypeError for an unknown capability, or if the capability depends on the resource and `resourceOf` is missing
 */
export function assertPermission(grants: Grants, capability: string, resourceOf: unknown): void {
  assertKnownCapability('requirePermission', capability, grants);
  if (resourceOf === undefined)
    assertNeedsNoResource(
      'requirePermission',
      capability,
      grants,
      (example) => `pass a function as the third argument, such as async (ctx) => (${example})`,
    );
  else if (typeof resourceOf !== 'function')
    throw new TypeError(
      `requirePermission: expected a function that returns the resource as the third argument, given ${describe(resourceOf)}`,
    );
}
