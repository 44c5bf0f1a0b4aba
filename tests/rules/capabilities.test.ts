import {
  type Capability,
  capabilities,
  type Membership,
  type Principal,
  type Resource,
  type Role,
  type UserStatus,
} from 'latchkey';
import { describe, expect, test } from 'vitest';
import type { CapabilityTable, Grants } from '../../src/core/capability-table.ts';
import { builtInGrants } from '../../src/roles/grants.ts';
import { can as canIn, isStranger, reachOf } from '../../src/roles/rules.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

/** The grants of a service without options. */
const grants = builtInGrants;

const can = (principal: Principal, capability: Capability, resource?: Resource) =>
  canIn(grants, principal, capability, resource);

const grantsOf = (byRole: CapabilityTable<string>): Grants => ({
  byRole,
  byOrganizationRole: new Map(),
  organizations: true,
});

const memberships: Membership[] = [
  { organizationId: 'joined', role: 'user' },
  { organizationId: 'managed', role: 'admin' },
];
const principal = (role: Role, further: Partial<Principal> = {}): Principal => ({
  id: 'me',
  role,
  status: 'active',
  memberships,
  ...further,
});

/** Every relation of a resource to the principal. A letter identifies each relation. */
const relations = {
  n: {},
  o: { ownerId: 'me' },
  x: { ownerId: 'other' },
  J: { organizationId: 'joined' },
  M: { organizationId: 'managed' },
  F: { organizationId: 'foreign' },
  j: { organizationId: 'joined', ownerId: 'me' },
  m: { organizationId: 'managed', ownerId: 'me' },
  // The principal owns the resource and has left the organization of the resource.
  f: { organizationId: 'foreign', ownerId: 'me' },
  k: { organizationId: 'joined', ownerId: 'other' },
  l: { organizationId: 'managed', ownerId: 'other' },
} as const satisfies Record<string, Resource>;
type Letter = keyof typeof relations;
const letters = Object.keys(relations) as Letter[];

const lettersOf = (isAllowed: (resource: Resource) => boolean): string =>
  letters.filter((letter) => isAllowed(relations[letter])).join('') || '-';

describe('capabilities:', () => {
  const all = letters.join('');
  const table: Record<Capability, [user: string, admin: string, superadmin: string]> = {
    'organization:create': ['-', all, all],
    'organization:read': ['JMjmkl', 'JMjmkl', all],
    'organization:leave': ['JMjmkl', 'JMjmkl', 'JMjmkl'],
    'organization:update': ['Mml', 'Mml', all],
    'organization:delete': ['Mml', 'Mml', all],
    'organization:members:read': ['JMjmkl', 'JMjmkl', all],
    'organization:members:add': ['-', '-', all],
    'organization:members:invite': ['Mml', 'Mml', all],
    'organization:members:promote': ['Mml', 'Mml', all],
    'organization:members:remove': ['Mml', 'Mml', all],
    'user:invite': ['-', all, all],
    'user:read': ['-', 'Mml', all],
    'user:update': ['-', 'Mml', all],
    'user:recover': ['-', 'Mml', all],
    'user:end_sessions': ['-', 'Mml', all],
    'user:manage': ['-', '-', all],
    'user:impersonate': ['-', '-', all],
    'audit:read': ['-', 'Mml', all],
    'role:assign': ['-', '-', all],
    'invitation:manage': ['-', '-', all],
    'webhook:manage': ['-', '-', all],
    'overview:read': ['-', '-', all],
  };

  test('the table of this test contains every capability', () => {
    const known = Object.values(capabilities).flatMap((granted) => Object.keys(granted));
    expect(Object.keys(table).sort()).toEqual([...new Set(known)].sort());
  });

  test.each(Object.entries(table) as [Capability, (typeof table)[Capability]][])(
    '%s is granted for these relations (of a user, an admin and a superadmin): %j',
    (capability, expected) => {
      const met = roles.map((role) => lettersOf((resource) => can(principal(role), capability, resource)));
      expect(met).toEqual(expected);
    },
  );

  test.each(Object.keys(table) as Capability[])('%s is granted only to an active account', (capability) => {
    for (const status of ['disabled', 'deleted', '', undefined] as UserStatus[]) {
      for (const role of roles) {
        const inactive = principal(role, { status });
        expect(lettersOf((resource) => can(inactive, capability, resource))).toBe('-');
      }
    }
  });

  test.each(Object.keys(table) as Capability[])(
    '%s does not depend on memberships in other organizations',
    (capability) => {
      for (const role of roles) {
        for (const of of [[], undefined, [{ organizationId: 'another', role: 'admin' }] as Membership[]]) {
          const outsider = { ...principal(role), memberships: of as Membership[] };
          const met = lettersOf((resource) => can(outsider, capability, resource));
          // The outsider can still access resources that the outsider owns, or all resources if the role grants that.
          const expected = table[capability][roles.indexOf(role)];
          expect(met).toBe(expected === all ? all : expected?.startsWith('o') ? 'o' : '-');
        }
      }
    },
  );

  test('a missing resource is treated like a resource without owner and organization', () => {
    for (const capability of Object.keys(table) as Capability[]) {
      for (const role of roles) {
        expect(can(principal(role), capability)).toBe(can(principal(role), capability, {}));
      }
    }
  });

  test('an unknown capability is denied, even if Object.prototype has a property of this name', () => {
    const names = [
      'user:raed',
      'USER:READ',
      ' user:read',
      'user:*',
      '*',
      '',
      'user',
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
    ];
    for (const name of [...names, undefined, null, 0, ['user:read', 'x']] as string[]) {
      for (const role of roles) {
        const met = lettersOf((resource) => can(principal(role), name as Capability, resource));
        expect(met, name).toBe('-');
      }
    }
  });

  test('an unknown role has no capabilities', () => {
    const nonsense = [
      'owner',
      'SUPERADMIN',
      '',
      '__proto__',
      'constructor',
      'toString',
      undefined,
      null,
    ] as unknown[] as Role[];
    for (const role of nonsense) {
      for (const capability of Object.keys(table) as Capability[]) {
        expect(lettersOf((resource) => can(principal(role), capability, resource))).toBe('-');
      }
    }
  });

  test('an unknown membership role grants nothing', () => {
    const forged = [{ organizationId: 'joined', role: 'superadmin' }] as unknown as Membership[];
    const member = principal('user', { memberships: forged });
    expect(can(member, 'organization:update', { organizationId: 'joined' })).toBe(false);
  });

  test('a missing owner id or organization id of a resource matches no principal', () => {
    const table = grantsOf({ user: { 'note:edit': 'own' } });
    const nameless = { ...principal('user'), id: undefined as unknown as string };
    for (const missing of [null, undefined]) {
      expect(canIn(table, nameless, 'note:edit', { ownerId: missing })).toBe(false);
      const mine = { ownerId: 'me', organizationId: missing };
      expect(canIn(table, principal('user'), 'note:edit', mine)).toBe(true);
      const forged = [{ organizationId: missing, role: 'admin' }] as unknown as Membership[];
      const member = principal('user', { memberships: forged });
      expect(can(member, 'organization:update', { organizationId: missing })).toBe(false);
    }
  });
});

describe('in an application’s own capability table', () => {
  const table = grantsOf({
    user: { 'a:own': 'own', 'a:both': ['own', 'managed'], 'a:none': [] },
    admin: { 'a:own': 'joined', 'a:any': 'any' },
  });
  const met = (role: Role, capability: string) =>
    lettersOf((resource) => canIn(table, principal(role), capability, resource));

  test('a higher role includes the capabilities of lower roles', () => {
    expect(roles.map((role) => met(role, 'a:own'))).toEqual(['ojm', 'oJMjmkl', 'oJMjmkl']);
    expect(roles.map((role) => met(role, 'a:any'))).toEqual(['-', letters.join(''), letters.join('')]);
    expect(roles.map((role) => met(role, 'a:both'))).toEqual(['oMjml', 'oMjml', 'oMjml']);
  });

  test('an empty list of scopes and a missing capability grant nothing', () => {
    for (const role of roles) expect([met(role, 'a:none'), met(role, 'user:read')]).toEqual(['-', '-']);
  });
});

describe('the rows that a user, an admin and a superadmin can list', () => {
  test.each<[Capability, (string | null)[]]>([
    ['user:read', [null, 'managed', 'any']],
    ['audit:read', [null, 'managed', 'any']],
    ['role:assign', [null, null, 'any']],
    ['organization:update', ['managed', 'managed', 'any']],
    ['organization:leave', [null, null, null]],
    ['constructor' as Capability, [null, null, null]],
  ])('are correct for the capability %s', (capability, expected) => {
    expect(roles.map((role) => reachOf(grants, principal(role), capability))).toEqual(expected);
    for (const role of roles) {
      expect(reachOf(grants, principal(role, { status: 'disabled' }), capability)).toBeNull();
    }
  });
});

test('a stranger is a user of any role who neither owns the resource nor belongs to its organization', () => {
  for (const role of roles) {
    expect(lettersOf((resource) => isStranger(grants, principal(role), resource))).toBe('xF');
  }
});
