import type { Role } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { mayHelp } from '../../src/roles/rules.ts';

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

  const roles = ['user', 'admin', 'superadmin'] as const;
  test.each(roles.flatMap((before) => roles.map((now) => [before, now] as const)))(
    'nobody helps themself: a %s who is a %s now',
    (before, now) => {
      expect(mayHelp({ id: 'a', role: before }, { id: 'a', role: now })).toBe(false);
    },
  );
});
