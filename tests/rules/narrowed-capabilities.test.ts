import { type Capability, type CapabilityOptions, capabilities, type Principal, type Role } from 'latchkey';
import { describe, expect, test } from 'vitest';
import type { OrganizationSettings } from '../../src/core/config-organizations.ts';
import { readGrants } from '../../src/roles/grants.ts';
import { can, canAnywhere, reachOf } from '../../src/roles/rules.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];
const organizationId = 'acme';

const narrowed = (
  given: CapabilityOptions<string>,
  organizations: OrganizationSettings = { createdBy: 'admin', perUser: null },
) => readGrants({ organizations, capabilities: given });

const adminIn = (role: Role): Principal => ({
  id: 'me',
  role,
  status: 'active',
  memberships: [{ organizationId, role: 'admin' }],
});

const reaches = (grants: ReturnType<typeof narrowed>, capability: Capability) =>
  roles.map((role) => reachOf(grants, { role, status: 'active' }, capability));

describe('narrowing a built-in capability', () => {
  test('to false removes it from the named role, and higher roles keep it', () => {
    const grants = narrowed({ admin: { 'organization:create': false, 'user:recover': false } });
    expect(reaches(grants, 'organization:create')).toEqual([null, null, 'any']);
    expect(reaches(grants, 'user:recover')).toEqual([null, null, 'any']);
    expect(reaches(grants, 'user:end_sessions')).toEqual([null, 'managed', 'any']);
  });

  test('to managed limits a superadmin to the organizations that the superadmin manages', () => {
    const grants = narrowed({ superadmin: { 'user:recover': 'managed', 'organization:update': 'managed' } });
    expect(reaches(grants, 'user:recover')).toEqual([null, 'managed', 'managed']);
    expect(can(grants, adminIn('superadmin'), 'organization:update', { organizationId })).toBe(true);
    expect(can(grants, adminIn('superadmin'), 'organization:update', { organizationId: 'x' })).toBe(false);
  });

  test('for users also applies to organization admins with this role', () => {
    const grants = narrowed({
      user: { 'organization:delete': false, 'organization:members:read': 'managed' },
    });
    const allowed = (capability: Capability) =>
      roles.map((role) => can(grants, adminIn(role), capability, { organizationId }));
    expect(allowed('organization:delete')).toEqual([false, true, true]);
    const member = { ...adminIn('user'), memberships: [{ organizationId, role: 'user' }] };
    expect(can(grants, member, 'organization:members:read', { organizationId })).toBe(false);
    expect(can(grants, adminIn('user'), 'organization:members:read', { organizationId })).toBe(true);
  });

  test('accepts the scope that the role already has', () => {
    const grants = narrowed({ admin: { 'user:recover': 'managed' }, superadmin: { 'role:assign': 'any' } });
    expect(reaches(grants, 'user:recover')).toEqual([null, 'managed', 'any']);
    expect(reaches(grants, 'role:assign')).toEqual([null, null, 'any']);
  });

  test('never changes the exported table', () => {
    const before = JSON.stringify(capabilities);
    narrowed({ superadmin: { 'role:assign': false }, admin: { 'user:invite': false } });
    expect(JSON.stringify(capabilities)).toBe(before);
  });
});

describe('the option capabilities rejects', () => {
  test.each<[what: string, given: unknown, message: RegExp]>([
    [
      'a capability that the role does not have',
      { user: { 'role:assign': 'any' } },
      /capabilities.user\['role:assign'\]: expected no value/,
    ],
    ['a wider scope', { admin: { 'user:recover': 'any' } }, /expected 'managed' or false, because built-in/],
    [
      'a wider scope in a list',
      { admin: { 'user:recover': ['managed', 'any'] } },
      /expected 'managed' or false/,
    ],
    ['a list', { superadmin: { 'user:recover': ['managed'] } }, /expected 'any', 'managed' or false/],
    ['undefined', { admin: { 'user:recover': undefined } }, /expected 'managed' or false/],
    ['true', { admin: { 'user:recover': true } }, /expected 'managed' or false/],
    ['own', { superadmin: { 'user:recover': 'own' } }, /expected 'any', 'managed' or false/],
    // The operations behind these capabilities check no organization.
    ['managed for role:assign', { superadmin: { 'role:assign': 'managed' } }, /expected 'any' or false/],
    ['managed for user:manage', { superadmin: { 'user:manage': 'managed' } }, /expected 'any' or false/],
    ['managed for invitation:manage', { superadmin: { 'invitation:manage': 'managed' } }, /'any' or false/],
    [
      'joined for organization:update',
      { superadmin: { 'organization:update': 'joined' } },
      /'any', 'managed' or/,
    ],
    // A superadmin also has the capabilities of admins.
    [
      'false only for a higher role',
      { superadmin: { 'user:recover': false } },
      /Narrow capabilities.admin, too/,
    ],
    ['false for an own capability', { user: { 'report:read': false } }, /expected scopes among/],
    ['an undefined own capability', { user: { 'report:read': undefined } }, /expected scopes among/],
    [
      'an own capability that looks built-in',
      { user: { 'organization:rule': 'any' } },
      /does not start with/,
    ],
    ['an unknown role', { admn: {} }, /capabilities.admn: expected one of .* Did you mean "admin"/],
    ['null for a role', { admin: null }, /capabilities.admin: expected an object/],
    ['an array', [], /capabilities: expected an object, given an array/],
  ])('%s', (_, given, message) => {
    expect(() => narrowed(given as CapabilityOptions<string>)).toThrow(TypeError);
    expect(() => narrowed(given as CapabilityOptions<string>)).toThrow(message);
  });

  test('a name such as __proto__ grants only itself', () => {
    const grants = narrowed(JSON.parse('{ "user": { "__proto__": "any" } }'));
    expect(can(grants, adminIn('user'), '__proto__')).toBe(true);
    expect(can(grants, adminIn('user'), 'toString')).toBe(false);
  });
});

describe('the role that can create organizations', () => {
  test.each<[Role, boolean[]]>([
    ['user', [true, true, true]],
    ['admin', [false, true, true]],
    ['superadmin', [false, false, true]],
  ])('and all higher roles can create them: %s', (createdBy, expected) => {
    const grants = narrowed({}, { createdBy, perUser: null });
    const creates = roles.map((role) =>
      canAnywhere(grants, { role, status: 'active' }, 'organization:create'),
    );
    expect(creates).toEqual(expected);
  });
});
