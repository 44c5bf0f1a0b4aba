import { type Role, roles } from 'latchkey';
import { expect, test } from 'vitest';
import { obstacleToImpersonate } from '../../src/impersonation/rules.ts';

const user = (role: Role, status: 'active' | 'disabled' = 'active') => ({ id: 'u', role, status });

test.each([
  ['superadmin', [null, null, 'role_not_lower']],
  ['admin', [null, 'role_not_lower', 'role_not_lower']],
  ['user', ['role_not_lower', 'role_not_lower', 'role_not_lower']],
] as const)('a %s can use only accounts with a lower role', (role, expected) => {
  expect(roles.map((lower) => obstacleToImpersonate({ id: 'me', role }, user(lower)))).toEqual(expected);
});

test('an operator can use the accounts of users and admins', () => {
  expect(roles.map((role) => obstacleToImpersonate(null, user(role)))).toEqual([
    null,
    null,
    'role_not_lower',
  ]);
});

test('no superadmin can impersonate themselves or a disabled user', () => {
  expect(obstacleToImpersonate({ id: 'u', role: 'superadmin' }, user('user'))).toBe('oneself');
  expect(obstacleToImpersonate({ id: 'me', role: 'superadmin' }, user('user', 'disabled'))).toBe(
    'account_disabled',
  );
});

test('an unknown role is neither higher nor lower than any other role', () => {
  const unknown = 'root' as Role;
  expect(obstacleToImpersonate({ id: 'me', role: unknown }, user('user'))).toBe('role_not_lower');
  expect(obstacleToImpersonate({ id: 'me', role: 'superadmin' }, user(unknown))).toBe('role_not_lower');
});
