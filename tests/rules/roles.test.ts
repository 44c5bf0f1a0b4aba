import type { Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { builtInGrants } from '../../src/roles/grants.ts';
import {
  canLoseAuthority,
  type HelpCase,
  isAtLeast,
  obstacleToHelp,
  reachOf,
} from '../../src/roles/rules.ts';

const grants = builtInGrants;

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

describe('isAtLeast', () => {
  test.each<[Role, boolean[]]>([
    ['user', [true, false, false]],
    ['admin', [true, true, false]],
    ['superadmin', [true, true, true]],
  ])('compares %s correctly with user, admin and superadmin', (role, expected) => {
    expect(roles.map((minimum) => isAtLeast(role, minimum))).toEqual(expected);
  });

  test('is false for unknown roles', () => {
    for (const nonsense of ['owner', '', '__proto__', 'constructor', undefined] as unknown[] as Role[]) {
      for (const role of roles) {
        expect([isAtLeast(role, nonsense), isAtLeast(nonsense, role)]).toEqual([false, false]);
      }
    }
  });
});

describe('whether a user can be demoted, disabled or deleted:', () => {
  test.each<[Role, UserStatus, activeSuperadmins: number, allowed: boolean]>([
    ['user', 'active', 0, true],
    ['user', 'active', 1, true],
    ['user', 'disabled', 1, true],
    ['admin', 'active', 0, true],
    ['admin', 'active', 1, true],
    ['admin', 'disabled', 1, true],
    ['superadmin', 'active', 0, false],
    ['superadmin', 'active', 1, false],
    ['superadmin', 'active', 2, true],
    ['superadmin', 'active', 100, true],
    ['superadmin', 'disabled', 0, true],
    ['superadmin', 'disabled', 1, true],
    ['superadmin', 'disabled', 2, true],
  ])(
    'role %s, status %s, number of active superadmins %i: %s',
    (role, status, activeSuperadmins, allowed) => {
      expect(canLoseAuthority({ role, status, activeSuperadmins })).toBe(allowed);
    },
  );
});

/** Every kind of membership: the role, and whether the helper manages the organization. */
const membership = [
  { role: 'user', managedByHelper: true },
  { role: 'user', managedByHelper: false },
  { role: 'admin', managedByHelper: true },
  { role: 'admin', managedByHelper: false },
] as const satisfies HelpCase['memberships'];
const allMemberships: HelpCase['memberships'][] = [
  [],
  ...membership.map((one) => [one]),
  ...membership.flatMap((one) => membership.map((other) => [one, other])),
];
const describeMemberships = (memberships: HelpCase['memberships']): string =>
  memberships
    .map(({ role, managedByHelper: by }) => `${role} of ${by ? 'managed' : 'other'}`)
    .join(' and ') || 'no organization';

describe('helping a user to recover their account', () => {
  const helpers = roles.flatMap((role) =>
    (['active', 'disabled'] as const).map((status) => ({ id: 'a', role, status })),
  );
  const cases: [helper: HelpCase['helper'], user: HelpCase['user'], HelpCase['memberships']][] =
    helpers.flatMap((helper) =>
      ['a', 'b'].flatMap((id) =>
        roles.flatMap((role) =>
          allMemberships.map(
            (memberships) =>
              [helper, { id, role }, memberships] as [typeof helper, HelpCase['user'], typeof memberships],
          ),
        ),
      ),
    );

  test('is tested in 756 cases', () => {
    expect(cases).toHaveLength(6 * 2 * 3 * 21);
  });

  // The expectations repeat the rules in the order in which the rules apply.
  test.each(helpers)(
    'is allowed or denied correctly for each user (role of the helper: $role, status: $status)',
    (helper) => {
      for (const [by, user, memberships] of cases) {
        if (by !== helper) continue;
        const obstacle = obstacleToHelp({
          helper,
          reach: reachOf(grants, helper, 'user:recover'),
          user,
          memberships,
        });
        const label = `${user.id} ${user.role}, ${describeMemberships(memberships)}`;
        if (user.id === helper.id) expect(obstacle, label).toBe('oneself');
        else if (helper.status === 'disabled' || helper.role === 'user')
          expect(obstacle, label).toBe('role_too_low');
        else if (helper.role === 'superadmin') expect(obstacle, label).toBeNull();
        else if (user.role !== 'user' || describeMemberships(memberships).includes('admin of'))
          expect(obstacle, label).toBe('no_plain_user');
        else if (
          ['user of managed', 'user of managed and user of managed'].includes(
            describeMemberships(memberships),
          )
        )
          expect(obstacle, label).toBeNull();
        else expect(obstacle, label).toBe('not_of_their_organizations');
      }
    },
  );

  test.each<[helper: Role, user: Role, HelpCase['memberships'], ReturnType<typeof obstacleToHelp>]>([
    ['user', 'user', [{ role: 'user', managedByHelper: true }], 'role_too_low'],
    ['admin', 'user', [], 'not_of_their_organizations'],
    ['admin', 'user', [{ role: 'user', managedByHelper: true }], null],
    ['admin', 'user', [{ role: 'admin', managedByHelper: true }], 'no_plain_user'],
    ['admin', 'admin', [{ role: 'user', managedByHelper: true }], 'no_plain_user'],
    ['admin', 'superadmin', [{ role: 'user', managedByHelper: true }], 'no_plain_user'],
    ['superadmin', 'superadmin', [], null],
  ])(
    '(role of the helper: %s, role of the user: %s, memberships: %j) has the obstacle %s',
    (helper, user, memberships, expected) => {
      expect(
        obstacleToHelp({
          helper: { id: 'a' },
          reach: reachOf(grants, { role: helper, status: 'active' }, 'user:recover'),
          user: { id: 'b', role: user },
          memberships,
        }),
      ).toBe(expected);
    },
  );
});
