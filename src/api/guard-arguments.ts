import { assertKnownCapability, assertNeedsNoResource } from '../authorization/access-arguments.ts';
import type { Grants } from '../core/capability-table.ts';
import { describe } from '../core/known-options.ts';

/** Options of `requireSession`, `requireRole` and `requirePermission`. */
export interface GuardOptions {
  /**
   * Whether the guard admits impersonated sessions (see the option `impersonation`). With `false`, an impersonator gets
   * `impersonating` (403). Use `false` for actions that only the user can take. Default: `true`.
   */
  impersonated?: boolean;
}

/**
 * Checks the options of a guard. An unknown name or an undefined value must not admit an impersonator.
 *
 * @param where the name of the guard, for the message
 * @param given the argument, or nothing
 * @returns whether the guard admits impersonated sessions
 * @throws TypeError
 */
export function admitsImpersonated(where: string, given: readonly [options?: GuardOptions]): boolean {
  if (given.length === 0) return true;
  const options: unknown = given[0];
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(
      `${where}: expected an object such as { impersonated: false }, given ${describe(options)}`,
    );
  for (const name in options) {
    if (name !== 'impersonated')
      throw new TypeError(`${where}: ${name}: unknown option. The only option is impersonated`);
    const value: unknown = Reflect.get(options, name);
    if (typeof value !== 'boolean')
      throw new TypeError(`${where}: impersonated: expected true or false, given ${describe(value)}`);
  }
  return (options as GuardOptions).impersonated ?? true;
}

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
