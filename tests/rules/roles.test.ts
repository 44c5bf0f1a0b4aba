import type { Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { isAtLeast, mayHelp, mayLoseAuthority } from '../../src/roles/rules.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

describe('a role is at least another', () => {
  test.each<[Role, boolean[]]>([
    ['user', [true, false, false]],
    ['admin', [true, true, false]],
    ['superadmin', [true, true, true]],
  ])('for a %s: user, admin, superadmin', (role, expected) => {
    expect(roles.map((minimum) => isAtLeast(role, minimum))).toEqual(expected);
  });

  test('and never of a role that there is not, nor is that of any', () => {
    for (const nonsense of ['owner', '', '__proto__', 'constructor', undefined] as unknown[] as Role[]) {
      for (const role of roles) {
        expect([isAtLeast(role, nonsense), isAtLeast(nonsense, role)]).toEqual([false, false]);
      }
    }
  });
});

describe('somebody can be demoted, disabled or deleted', () => {
  test.each<[Role, UserStatus, activeSuperadmins: number, may: boolean]>([
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
  ])('a %s who is %s, beside %i active superadmins all told: %s', (role, status, activeSuperadmins, may) => {
    expect(mayLoseAuthority({ role, status, activeSuperadmins })).toBe(may);
  });
});

describe('back into an account', () => {
  test.each<[helper: Role, person: Role, may: boolean]>([
    ['user', 'user', false],
    ['user', 'admin', false],
    ['user', 'superadmin', false],
    ['admin', 'user', true],
    ['admin', 'admin', false],
    ['admin', 'superadmin', false],
    ['superadmin', 'user', true],
    ['superadmin', 'admin', true],
    ['superadmin', 'superadmin', true],
  ])('a %s helps a %s: %s', (helper, person, may) => {
    expect(mayHelp({ id: 'a', role: helper }, { id: 'b', role: person })).toBe(may);
  });

  test.each(roles.flatMap((before) => roles.map((now) => [before, now] as const)))(
    'nobody helps themself: a %s who is a %s now',
    (before, now) => {
      expect(mayHelp({ id: 'a', role: before }, { id: 'a', role: now })).toBe(false);
    },
  );
});
