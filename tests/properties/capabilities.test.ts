import fc from 'fast-check';
import { type CapabilityOptions, capabilities, type Role } from 'latchkey';
import { expect, test } from 'vitest';
import { builtInGrants, readGrants } from '../../src/roles/grants.ts';
import { can } from '../../src/roles/rules.ts';
import { forAll } from './support/for-all.ts';

const roles = ['user', 'admin', 'superadmin'] as const;
const builtIn = [...new Set(roles.flatMap((role) => Object.keys(capabilities[role])))];
const own = ['report:read', 'report:write', '__proto__', 'constructor'];
const scopes = ['own', 'joined', 'managed', 'any'] as const;

const organizations = { createdBy: 'admin', perUser: null } as const;
/** The built-in capabilities of a role and of the lower roles, and the capabilities of an application. */
const namesOf = (role: Role) => [
  ...roles.slice(0, roles.indexOf(role) + 1).flatMap((lower) => Object.keys(capabilities[lower])),
  ...own,
];
const entry = fc
  .constantFrom(...roles)
  .chain((role) =>
    fc.tuple(fc.constant(role), fc.constantFrom(...namesOf(role)), fc.constantFrom(...scopes, false)),
  );
const options: fc.Arbitrary<CapabilityOptions<string>> = fc
  .array(entry, { minLength: 1, maxLength: 3 })
  .map((entries) => Object.fromEntries(roles.map((role) => [role, optionsOf(entries, role)])));
// `Object.fromEntries` also creates an own property for the name `__proto__`.
const optionsOf = (entries: readonly (readonly [Role, string, unknown])[], of: Role) =>
  Object.fromEntries(entries.filter(([role]) => role === of).map(([, name, scope]) => [name, scope]));

const memberships = [undefined, 'user', 'admin', 'unknown'].map((role) =>
  role === undefined ? [] : [{ organizationId: 'a', role }],
);
const resources = [{}, { ownerId: 'me' }, { organizationId: 'a' }, { ownerId: 'other', organizationId: 'b' }];
/** Every kind of user with every kind of resource. */
const cases = roles.flatMap((role) =>
  memberships.flatMap((joined) =>
    resources.map((resource) => ({
      who: { id: 'me', role, status: 'active', memberships: joined } as const,
      resource,
    })),
  ),
);

/** Returns the grants, or null for options that a service refuses. */
function grantsOf(given: CapabilityOptions<string>): typeof builtInGrants | null {
  try {
    return readGrants({ organizations, capabilities: given });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return null;
  }
}

test('no options give a role a built-in capability that it does not have without options', () => {
  let accepted = 0;
  forAll(
    [options],
    (given) => {
      const grants = grantsOf(given);
      if (grants === null) return;
      accepted += 1;
      const gained = cases.flatMap(({ who, resource }) =>
        builtIn
          .filter((name) => can(grants, who, name, resource) && !can(builtInGrants, who, name, resource))
          .map((name) => [who, name, resource]),
      );
      expect(gained).toEqual([]);
    },
    400,
  );
  expect(accepted).toBeGreaterThan(50);
});

test('a higher role has every capability of a lower role, with any options', () => {
  forAll(
    [options],
    (given) => {
      const grants = grantsOf(given);
      if (grants === null) return;
      const lost = cases.flatMap(({ who, resource }) =>
        [...builtIn, ...own].filter((name) => {
          const allowed = roles.map((role) => can(grants, { ...who, role }, name, resource));
          return allowed.join() !== allowed.toSorted().join();
        }),
      );
      expect(lost).toEqual([]);
    },
    200,
  );
});

test('a disabled user, and a capability that no option names, are denied', () => {
  const unknown = fc.string().filter((name) => !builtIn.includes(name) && !own.includes(name));
  forAll([fc.constantFrom(...cases), unknown], ({ who, resource }, name) => {
    expect(can(builtInGrants, who, name, resource)).toBe(false);
    const disabled = builtIn.filter((one) =>
      can(builtInGrants, { ...who, status: 'disabled' }, one, resource),
    );
    expect(disabled).toEqual([]);
  });
});
