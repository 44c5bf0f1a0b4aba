import type { Membership, OrganizationRole, Principal, Role } from 'latchkey';
import { describe, expect, test } from 'vitest';
import type { Grants } from '../../src/core/capability-table.ts';
import { canInvite, isUsable, rolesToInvite } from '../../src/organizations/invitations/rules.ts';
import { readGrants } from '../../src/roles/grants.ts';
import { canGive, canTake, isConfigured, organizationRolesOf } from '../../src/roles/organization-roles.ts';
import { can, needsPrivilege, organizationRolesWith } from '../../src/roles/rules.ts';

const organizations = { createdBy: 'admin', perUser: null } as const;
const organizationId = 'acme';

const grants = readGrants({
  organizations,
  capabilities: { user: { 'document:read': 'joined', 'document:delete': 'managed' } },
  organizationRoles: {
    editor: ['document:write'],
    recruiter: ['organization:members:invite'],
    lead: ['document:write', 'organization:members:invite', 'organization:members:promote'],
    guest: [],
  },
});

const memberWith = (role: OrganizationRole, further: Partial<Principal> = {}): Principal => ({
  id: 'me',
  role: 'user',
  status: 'active',
  memberships: [{ organizationId, role }],
  ...further,
});

const has = (role: OrganizationRole, capability: string, by: Grants = grants) =>
  can(by, memberWith(role), capability, { organizationId });

describe('a member with a custom role', () => {
  test('has the listed capabilities and those of every member', () => {
    expect(has('editor', 'document:write')).toBe(true);
    expect(has('editor', 'document:read')).toBe(true);
    expect(has('editor', 'organization:members:read')).toBe(true);
    expect(has('recruiter', 'organization:members:invite')).toBe(true);
  });

  test('has no other capabilities', () => {
    for (const capability of [
      'document:delete',
      'organization:members:invite',
      'organization:members:promote',
      'organization:members:remove',
      'organization:update',
      'organization:delete',
      'organization:members:add',
      'organization:create',
      'user:recover',
    ])
      expect(has('editor', capability), capability).toBe(false);
    expect(has('user', 'document:write')).toBe(false);
  });

  test('has them only in this organization, and only with an active account of a known role', () => {
    const elsewhere = { organizationId: 'other' };
    expect(can(grants, memberWith('editor'), 'document:write', elsewhere)).toBe(false);
    expect(can(grants, memberWith('editor'), 'document:write')).toBe(false);
    for (const further of [{ status: 'disabled' }, { role: 'owner' as Role }] as Partial<Principal>[])
      expect(can(grants, memberWith('editor', further), 'document:write', { organizationId })).toBe(false);
  });

  test('needs a privileged session for built-in capabilities, but not for those of the application', () => {
    const needs = (role: OrganizationRole, capability: string) =>
      needsPrivilege(grants, memberWith(role), capability, { organizationId });
    expect(needs('recruiter', 'organization:members:invite')).toBe(true);
    expect(needs('lead', 'organization:members:promote')).toBe(true);
    expect(needs('editor', 'document:write')).toBe(false);
    expect(needs('editor', 'document:read')).toBe(false);
    expect(needs('admin', 'document:write')).toBe(true);
  });
});

test('organization admins have the capabilities of all custom roles', () => {
  expect(has('admin', 'document:write')).toBe(true);
  expect(has('admin', 'organization:members:invite')).toBe(true);
});

test('a role that is not configured grants what the role user grants', () => {
  for (const role of ['former', 'constructor', '__proto__', 'superadmin']) {
    expect(has(role, 'document:read')).toBe(true);
    expect(has(role, 'organization:members:read')).toBe(true);
    expect(has(role, 'document:write')).toBe(false);
    expect(has(role, 'organization:members:invite')).toBe(false);
    expect(isConfigured(grants, role)).toBe(false);
  }
  expect(organizationRolesOf(grants)).toEqual(['user', 'admin', 'editor', 'recruiter', 'lead', 'guest']);
});

test('the roles with a capability are all configured roles that grant it', () => {
  const rolesWith = (capability: Parameters<typeof organizationRolesWith>[2], role: Role = 'user') =>
    organizationRolesWith(grants, { id: 'me', role, status: 'active' }, capability);
  expect(rolesWith('organization:members:invite')).toEqual(['admin', 'recruiter', 'lead']);
  expect(rolesWith('organization:members:promote')).toEqual(['admin', 'lead']);
  expect(rolesWith('organization:update')).toEqual(['admin']);
  // Null: the capability does not depend on the role.
  expect(rolesWith('organization:members:read')).toBeNull();
  expect(rolesWith('organization:update', 'superadmin')).toBeNull();
});

describe('giving and taking roles', () => {
  const all = organizationRolesOf(grants);
  const givenBy = (own: OrganizationRole) => all.filter((role) => canGive(grants, own, role));

  test('needs all capabilities of the role, and the role admin for the role admin', () => {
    expect(givenBy('admin')).toEqual(all);
    expect(givenBy('lead')).toEqual(['user', 'editor', 'recruiter', 'lead', 'guest']);
    expect(givenBy('recruiter')).toEqual(['user', 'recruiter', 'guest']);
    expect(givenBy('editor')).toEqual(['user', 'editor', 'guest']);
    expect(givenBy('user')).toEqual(['user', 'guest']);
  });

  test('gives only configured roles, and takes every role without more capabilities', () => {
    for (const own of ['admin', 'lead', 'user']) {
      expect(canGive(grants, own, 'former')).toBe(false);
      expect(canTake(grants, own, 'former')).toBe(true);
    }
    expect(canTake(grants, 'recruiter', 'lead')).toBe(false);
    expect(canTake(grants, 'lead', 'admin')).toBe(false);
    expect(canTake(grants, 'former', 'editor')).toBe(false);
  });
});

describe('an invitation of a member with a custom role', () => {
  const creatorWith = (role: OrganizationRole, account: Role = 'user') => ({
    ...memberWith(role, { role: account }),
    organizationId,
  });

  test('can grant only roles that the creator can give', () => {
    const invited = (own: OrganizationRole, account?: Role) =>
      ['user', 'admin', 'editor', 'recruiter', 'lead', 'former'].filter((role) =>
        canInvite(grants, creatorWith(own, account), role),
      );
    expect(invited('recruiter')).toEqual(['user', 'recruiter']);
    expect(invited('lead')).toEqual(['user', 'editor', 'recruiter', 'lead']);
    expect(invited('admin')).toEqual(['user', 'admin', 'editor', 'recruiter', 'lead']);
    expect(invited('editor')).toEqual([]);
    expect(invited('user', 'superadmin')).toEqual(['user', 'admin', 'editor', 'recruiter', 'lead']);
  });

  test('is unusable as soon as its role is not configured, or its creator can no longer give it', () => {
    const usable = (role: OrganizationRole, creator: ReturnType<typeof creatorWith> | null) =>
      isUsable(grants, { status: 'pending', role, creator });
    expect(usable('editor', creatorWith('lead'))).toBe(true);
    expect(usable('editor', creatorWith('recruiter'))).toBe(false);
    expect(usable('former', creatorWith('admin'))).toBe(false);
    expect(usable('former', null)).toBe(false);
    expect(usable('editor', null)).toBe(true);
  });

  test('can be accepted while its creator has one of the roles that can give its role', () => {
    expect(rolesToInvite(grants, creatorWith('lead'), 'editor')).toEqual(['admin', 'lead']);
    expect(rolesToInvite(grants, creatorWith('lead'), 'user')).toEqual(['admin', 'recruiter', 'lead']);
    expect(rolesToInvite(grants, creatorWith('admin'), 'admin')).toEqual(['admin']);
    expect(rolesToInvite(grants, creatorWith('user', 'superadmin'), 'admin')).toBeNull();
  });
});

describe('the option organizationRoles', () => {
  const read = (organizationRoles: unknown, further: Partial<Parameters<typeof readGrants>[0]> = {}) =>
    readGrants({ organizations, organizationRoles, ...further });

  test.each<[what: string, given: unknown, message: RegExp]>([
    ['an array', [], /organizationRoles: expected an object such as .* given an array/],
    ['a text', 'editor', /organizationRoles: expected an object/],
    ['the name of a built-in role', { admin: [] }, /organizationRoles.admin: expected a name other than/],
    ['the role superadmin', { superadmin: [] }, /organizationRoles.superadmin: expected a name other than/],
    ['a capital letter', { Editor: [] }, /organizationRoles.Editor: expected a name of 1 to 32/],
    ['a name of 33 characters', { ['a'.repeat(33)]: [] }, /expected a name of 1 to 32/],
    ['an empty name', { '': [] }, /expected a name of 1 to 32/],
    ['a line break at the end', { 'editor\n': [] }, /expected a name of 1 to 32/],
    ['a capability instead of a list', { editor: 'document:write' }, /editor: expected a list/],
    ['an undefined list', { editor: undefined }, /editor: expected a list/],
    ['an undefined capability', { editor: [undefined] }, /editor: expected names of capabilities/],
    [
      'a misspelled built-in capability',
      { editor: ['organization:members:invit'] },
      /Did you mean "organization:members:invite"/,
    ],
    [
      'organization:members:add',
      { editor: ['organization:members:add'] },
      /expected capabilities of the app/,
    ],
    ['organization:create', { editor: ['organization:create'] }, /expected capabilities of the application/],
    ['a capability over users', { editor: ['user:recover'] }, /expected capabilities of the application/],
    ['role:assign', { editor: ['role:assign'] }, /expected capabilities of the application/],
    [
      'more than 20 roles',
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`role${n}`, []])),
      /at most 20 roles, given 21/,
    ],
  ])('rejects %s', (_, given, message) => {
    expect(() => read(given)).toThrow(TypeError);
    expect(() => read(given)).toThrow(message);
  });

  test('rejects a capability that the option capabilities removes, and custom roles without organizations', () => {
    const capabilities = { user: { 'organization:members:invite': false } } as const;
    expect(() => read({ recruiter: ['organization:members:invite'] }, { capabilities })).toThrow(
      /capabilities\.user removes 'organization:/,
    );
    expect(() => read({ editor: [] }, { organizations: null })).toThrow(/the service has no organizations/);
  });

  test('accepts names such as constructor', () => {
    const named = read({ constructor: ['document:write'] });
    expect(has('constructor', 'document:write', named)).toBe(true);
    expect(has('valueof', 'document:write', named)).toBe(false);
  });
});

describe('without organizations', () => {
  const none = readGrants({
    organizations: null,
    capabilities: { user: { 'note:read': 'joined', 'note:edit': 'own' } },
  });

  test('memberships grant nothing', () => {
    const memberships: Membership[] = [{ organizationId, role: 'admin' }];
    const capabilities = [
      'organization:read',
      'organization:update',
      'note:read',
      'user:recover',
      'audit:read',
    ];
    for (const role of ['user', 'admin'] as const)
      for (const capability of capabilities) {
        const member = memberWith('admin', { role, memberships });
        expect(can(none, member, capability, { organizationId }), `${role} ${capability}`).toBe(false);
      }
    expect(can(none, memberWith('user'), 'note:edit', { ownerId: 'me', organizationId })).toBe(false);
    expect(can(none, memberWith('user'), 'note:edit', { ownerId: 'me' })).toBe(true);
  });

  test('superadmins keep their capabilities over users, and lose those over organizations', () => {
    const superadmin = memberWith('user', { role: 'superadmin' });
    for (const capability of ['user:read', 'user:recover', 'audit:read', 'role:assign'])
      expect(can(none, superadmin, capability)).toBe(true);
    for (const capability of ['organization:create', 'organization:read', 'organization:members:add'])
      expect(can(none, superadmin, capability, { organizationId })).toBe(false);
  });
});
