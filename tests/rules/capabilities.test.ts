import {
  type Capability,
  can,
  capabilities,
  type Membership,
  type Principal,
  type Resource,
  type Role,
  type UserStatus,
} from 'latchkey';
import { describe, expect, test } from 'vitest';
import { canBy, isStranger, reachOf } from '../../src/roles/rules.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

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

/** What something may be to the principal, each by a letter. */
const relations = {
  n: {},
  o: { ownerId: 'me' },
  x: { ownerId: 'somebody else' },
  J: { organizationId: 'joined' },
  M: { organizationId: 'managed' },
  F: { organizationId: 'foreign' },
  j: { organizationId: 'joined', ownerId: 'me' },
  m: { organizationId: 'managed', ownerId: 'me' },
  // What they own in an organization that they belong to no longer.
  f: { organizationId: 'foreign', ownerId: 'me' },
  k: { organizationId: 'joined', ownerId: 'somebody else' },
  l: { organizationId: 'managed', ownerId: 'somebody else' },
} as const satisfies Record<string, Resource>;
type Letter = keyof typeof relations;
const letters = Object.keys(relations) as Letter[];

const lettersOf = (may: (resource: Resource) => boolean): string =>
  letters.filter((letter) => may(relations[letter])).join('') || '-';

describe('what somebody may do', () => {
  const all = letters.join('');
  const table: Record<Capability, [user: string, admin: string, superadmin: string]> = {
    'account:manage': ['ojm', 'ojm', 'ojm'],
    'file:read': ['oJMjmkl', 'oJMjmkl', all],
    'file:create': ['oJMjmkl', 'oJMjmkl', all],
    'file:manage': ['oMjml', 'oMjml', all],
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
    'user:read': ['-', 'Mml', all],
    'user:recover': ['-', 'Mml', all],
    'user:end_sessions': ['-', 'Mml', all],
    'user:manage': ['-', '-', all],
    'activity:read': ['-', 'Mml', all],
    'role:assign': ['-', '-', all],
    'invitation:manage': ['-', '-', all],
    'configuration:manage': ['-', '-', all],
    'system:access': ['-', '-', all],
  };

  test('stands in the table for every capability that there is', () => {
    const known = Object.values(capabilities).flatMap((granted) => Object.keys(granted));
    expect(Object.keys(table).sort()).toEqual([...new Set(known)].sort());
  });

  test.each(Object.entries(table) as [Capability, (typeof table)[Capability]][])(
    '%s: a user to %s, an admin to %s, a superadmin to %s',
    (capability, expected) => {
      const met = roles.map((role) => lettersOf((resource) => can(principal(role), capability, resource)));
      expect(met).toEqual(expected);
    },
  );

  test.each(Object.keys(table) as Capability[])('%s needs an account that is active', (capability) => {
    for (const status of ['disabled', 'deleted', '', undefined] as UserStatus[]) {
      for (const role of roles) {
        const inactive = principal(role, { status });
        expect(lettersOf((resource) => can(inactive, capability, resource))).toBe('-');
      }
    }
  });

  test.each(Object.keys(table) as Capability[])(
    '%s comes from no organization but the resource’s',
    (capability) => {
      for (const role of roles) {
        for (const of of [[], undefined, [{ organizationId: 'another', role: 'admin' }] as Membership[]]) {
          const outsider = { ...principal(role), memberships: of as Membership[] };
          const met = lettersOf((resource) => can(outsider, capability, resource));
          // Left: what is their own, and what a role may do everywhere.
          const expected = table[capability][roles.indexOf(role)];
          expect(met).toBe(expected === all ? all : expected?.startsWith('o') ? 'o' : '-');
        }
      }
    },
  );

  test('is asked without a resource like for one that is nobody’s', () => {
    for (const capability of Object.keys(table) as Capability[]) {
      for (const role of roles) {
        expect(can(principal(role), capability)).toBe(can(principal(role), capability, {}));
      }
    }
  });

  test('is nothing where nothing stands, be it a name that every object has', () => {
    const names = [
      'file:raed',
      'FILE:READ',
      ' file:read',
      'file:*',
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
    for (const name of [...names, undefined, null, 0, ['file:read', 'x']] as string[]) {
      for (const role of roles) {
        const met = lettersOf((resource) => can(principal(role), name as Capability, resource));
        expect(met, name).toBe('-');
      }
    }
  });

  test('is nothing for a role that there is not', () => {
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

  test('is no more for a membership of a role that there is not', () => {
    const sly = [{ organizationId: 'joined', role: 'superadmin' }] as unknown as Membership[];
    const person = principal('user', { memberships: sly });
    expect(can(person, 'organization:update', { organizationId: 'joined' })).toBe(false);
  });

  test('does not come from owning nothing: null and absent are nobody’s and of no organization', () => {
    const nameless = { ...principal('user'), id: undefined as unknown as string };
    for (const nobodys of [null, undefined]) {
      expect(can(nameless, 'file:manage', { ownerId: nobodys })).toBe(false);
      expect(can(principal('user'), 'file:manage', { ownerId: 'me', organizationId: nobodys })).toBe(true);
      const odd = [{ organizationId: nobodys, role: 'admin' }] as unknown as Membership[];
      const person = principal('user', { memberships: odd });
      expect(can(person, 'organization:update', { organizationId: nobodys })).toBe(false);
    }
  });
});

describe('by a table of its own', () => {
  const table = {
    user: { 'a:own': 'own', 'a:both': ['own', 'managed'], 'a:none': [] },
    admin: { 'a:own': 'joined', 'a:any': 'any' },
  } as const;
  const met = (role: Role, capability: string) =>
    lettersOf((resource) => canBy(table, principal(role), capability, resource));

  test('a higher role may do what the ones below it may, and what it may besides', () => {
    expect(roles.map((role) => met(role, 'a:own'))).toEqual(['ojm', 'oJMjmkl', 'oJMjmkl']);
    expect(roles.map((role) => met(role, 'a:any'))).toEqual(['-', letters.join(''), letters.join('')]);
    expect(roles.map((role) => met(role, 'a:both'))).toEqual(['oMjml', 'oMjml', 'oMjml']);
  });

  test('an empty list of scopes grants nothing, and neither does a service’s capability that is not in it', () => {
    for (const role of roles) expect([met(role, 'a:none'), met(role, 'file:read')]).toEqual(['-', '-']);
  });
});

describe('how far a list reaches', () => {
  test.each<[Capability, (string | null)[]]>([
    ['user:read', [null, 'managed', 'any']],
    ['activity:read', [null, 'managed', 'any']],
    ['role:assign', [null, null, 'any']],
    ['organization:update', ['managed', 'managed', 'any']],
    ['organization:leave', [null, null, null]],
    ['constructor' as Capability, [null, null, null]],
  ])('%s', (capability, expected) => {
    expect(roles.map((role) => reachOf(principal(role), capability))).toEqual(expected);
    for (const role of roles) {
      expect(reachOf(principal(role, { status: 'disabled' }), capability)).toBeNull();
    }
  });
});

test('a stranger is who neither owns a resource nor belongs to its organization, whatever their role', () => {
  for (const role of roles) {
    expect(lettersOf((resource) => isStranger(principal(role), resource))).toBe('xF');
  }
});
