import fc from 'fast-check';
import { type CapabilityOptions, capabilities } from 'latchkey';
import { expect, test } from 'vitest';
import { builtInGrants, readGrants } from '../../src/roles/grants.ts';
import { can } from '../../src/roles/rules.ts';
import { forAll } from './support/for-all.ts';

const roles = ['user', 'admin', 'superadmin'] as const;
const builtIn = [...new Set(roles.flatMap((role) => Object.keys(capabilities[role])))];
const own = ['report:read', 'report:write', '__proto__', 'constructor'];
const scopes = ['own', 'joined', 'managed', 'any'] as const;

const organizations = { createdBy: 'admin', perUser: null } as const;
const options: fc.Arbitrary<CapabilityOptions<string>> = fc.dictionary(
  fc.constantFrom(...roles),
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...builtIn), fc.constantFrom(...own)),
        fc.constantFrom(...scopes, false as const, ['own', 'managed'] as const),
      ),
      { maxLength: 4 },
    )
    // Own properties, also for the name `__proto__`.
    .map((entries) => Object.fromEntries(entries)),
);

const principal = fc.record({
  id: fc.constantFrom('me', 'other'),
  role: fc.constantFrom(...roles),
  status: fc.constantFrom('active' as const, 'disabled' as const),
  memberships: fc.array(
    fc.record({
      organizationId: fc.constantFrom('a', 'b'),
      role: fc.constantFrom('user', 'admin', 'unknown'),
    }),
    { maxLength: 2 },
  ),
});
const resource = fc.record(
  { ownerId: fc.constantFrom('me', 'other'), organizationId: fc.constantFrom('a', 'b', 'c') },
  { requiredKeys: [] },
);

test('no options give a role a built-in capability that it does not have without options', () => {
  let accepted = 0;
  forAll(
    [options, principal, resource, fc.constantFrom(...builtIn)],
    (given, who, what, capability) => {
      let grants: typeof builtInGrants;
      try {
        grants = readGrants({ organizations, capabilities: given });
      } catch (error) {
        return expect(error).toBeInstanceOf(TypeError);
      }
      accepted += 1;
      if (can(grants, who, capability, what)) expect(can(builtInGrants, who, capability, what)).toBe(true);
    },
    3000,
  );
  // Options at random are often invalid.
  expect(accepted).toBeGreaterThan(100);
});

test('a higher role has every capability of a lower role, with any options', () => {
  const names = [...builtIn, ...own];
  forAll(
    [options, principal, resource, fc.constantFrom(...names)],
    (given, who, what, capability) => {
      let grants: typeof builtInGrants;
      try {
        grants = readGrants({ organizations, capabilities: given });
      } catch {
        return;
      }
      const allowed = roles.map((role) => can(grants, { ...who, role }, capability, what));
      expect(allowed).toEqual(allowed.toSorted());
    },
    3000,
  );
});

test('a disabled user, and a capability that no option names, are denied', () => {
  const unknown = fc.string().filter((name) => !builtIn.includes(name) && !own.includes(name));
  forAll([principal, resource, unknown, fc.constantFrom(...builtIn)], (who, what, name, capability) => {
    expect(can(builtInGrants, who, name, what)).toBe(false);
    expect(can(builtInGrants, { ...who, status: 'disabled' }, capability, what)).toBe(false);
  });
});
