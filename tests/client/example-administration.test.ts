import { type AuditEventName, auditEventNames } from 'latchkey';
import type { AuditEvent, Role, User } from 'latchkey/client';
import { describe, expect, test } from 'vitest';
import { beginningOf } from '../../examples/server/web/activity/calendar.ts';
import { eventPhrases } from '../../examples/server/web/activity/event-phrases.ts';
import { sentenceOf, textOf } from '../../examples/server/web/activity/sentence.ts';
import { isAtLeast } from '../../examples/server/web/roles.ts';
import { actionsFor } from '../../examples/server/web/users/user-actions.ts';

describe('the activity', () => {
  const event = (given: Partial<AuditEvent> & { event: AuditEventName | 'later.one' }): AuditEvent => ({
    id: 'e1',
    at: '2026-01-02T03:04:05Z',
    outcome: 'success',
    actor: { type: 'user', id: 'u1', name: 'ada' },
    target: null,
    organizationId: null,
    ip: null,
    userAgent: null,
    requestId: null,
    details: {},
    ...given,
  });
  const bob = { type: 'user', id: 'u2', name: 'bob' };
  const anonymous = { type: 'anonymous', id: null, name: null } as const;
  const told = (given: Parameters<typeof event>[0]) =>
    textOf(sentenceOf(event(given), (id) => (id === 'o1' ? 'Ateliers' : undefined)));

  test('has words for every event there is, and for none that there is not', () => {
    expect(new Set(Object.keys(eventPhrases))).toEqual(new Set(auditEventNames));
  });

  test.each(auditEventNames)('tells %s without a gap, done and refused', (name) => {
    for (const outcome of ['success', 'failure'] as const) {
      const words = told({ event: name, outcome, target: bob, organizationId: 'o1' });
      expect(words).toMatch(outcome === 'success' ? /^ada (?!tried to)/ : /^ada tried to /);
      expect(words).not.toMatch(/[{}]|undefined|null| {2}| $/);
      expect(told({ event: name, outcome })).not.toMatch(/[{}]|undefined|null| {2}| $/);
    }
  });

  test.each<[string, Parameters<typeof event>[0]]>([
    ['ada made bob an administrator', { event: 'user.change_role', target: bob, details: { to: 'admin' } }],
    [
      'ada made bob a plain member of Ateliers',
      { event: 'member.change_role', target: bob, organizationId: 'o1', details: { to: 'user' } },
    ],
    ['ada added bob to an organization', { event: 'member.add', target: bob, organizationId: 'gone' }],
    [
      'ada invited anyone with the link to be an administrator',
      { event: 'invitation.create', target: { type: 'invitation', id: 'i1', name: null } },
    ],
    [
      'ada invited anyone with the link to Ateliers',
      {
        event: 'organization_invitation.create',
        organizationId: 'o1',
        target: { type: 'invitation', id: 'i1', name: null },
      },
    ],
    [
      'ada tried to invite a user to Ateliers',
      {
        event: 'organization_invitation.create',
        outcome: 'failure',
        organizationId: 'o1',
        target: { type: 'organization', id: 'o1', name: 'Ateliers' },
      },
    ],
    ['ada canceled the recovery link for bob', { event: 'recovery_link.cancel', target: bob }],
    [
      'An unknown visitor tried to sign in as bob with a passkey',
      { event: 'passkey.login', outcome: 'failure', actor: anonymous, target: bob },
    ],
    [
      'An unknown visitor tried to sign in with a password',
      { event: 'password.login', outcome: 'failure', actor: anonymous },
    ],
    [
      'ops (operator) made bob the first superadministrator',
      { event: 'superadmin.bootstrap', actor: { type: 'operator', id: null, name: 'ops' }, target: bob },
    ],
    [
      'ada tried to add a user to Ateliers',
      {
        event: 'member.add',
        outcome: 'failure',
        organizationId: 'o1',
        target: { type: 'organization', id: 'o1', name: 'Ateliers' },
      },
    ],
    ['A deleted user signed out', { event: 'session.logout', actor: { type: 'user', id: 'u', name: null } }],
    ['ada caused later.one', { event: 'later.one' }],
  ])('says: %s', (words, given) => {
    expect(told(given)).toBe(words);
  });

  test('lets names stand out, and nothing else', () => {
    const pieces = sentenceOf(event({ event: 'user.disable', target: bob }), () => undefined);
    expect(pieces.filter(({ isName }) => isName).map(({ text }) => text)).toEqual(['ada', 'bob']);
  });

  test('counts days as the reader’s calendar does, the last one in', () => {
    const beginning = new Date(2026, 1, 28).toISOString();
    const afterwards = new Date(2026, 2, 1).toISOString();
    expect(beginningOf('2026-02-28', 0)).toBe(beginning);
    expect(beginningOf('2026-02-28', 1)).toBe(afterwards);
  });

  test.each(['', 'tomorrow', '2026-02', '0000-00-00'])('%j is no day', (day) => {
    expect(beginningOf(day, 0)).toBeUndefined();
  });
});

describe('what can be done about somebody', () => {
  const person = (role: Role, status: User['status'] = 'active', id: string = role): User => ({
    id,
    username: id,
    displayName: null,
    role,
    status,
    createdAt: '2026-01-02T03:04:05Z',
  });

  test.each<[Role, Role, string[]]>([
    ['superadmin', 'user', ['role', 'recovery', 'sessions', 'disable', 'remove']],
    ['superadmin', 'admin', ['role', 'recovery', 'sessions', 'disable', 'remove']],
    ['admin', 'user', ['recovery', 'sessions']],
    ['admin', 'superadmin', []],
    ['user', 'user', []],
  ])('by a %s, who is a %s: %j', (mine, theirs, actions) => {
    expect(actionsFor(person(mine, 'active', 'me'), person(theirs))).toEqual(actions);
  });

  test('by an equal, is nothing, save among superadmins', () => {
    expect(actionsFor(person('admin', 'active', 'me'), person('admin'))).toEqual([]);
    expect(actionsFor(person('superadmin', 'active', 'me'), person('superadmin'))).toContain('recovery');
  });

  test('who is disabled, is to enable them rather than to help them in', () => {
    const actions = actionsFor(person('superadmin', 'active', 'me'), person('user', 'disabled'));
    expect(actions).toEqual(['role', 'enable', 'remove']);
    expect(actionsFor(person('admin'), person('user', 'disabled'))).toEqual([]);
  });

  test('oneself, is in one’s own settings, save for the role', () => {
    expect(actionsFor(person('superadmin'), person('superadmin'))).toEqual(['role']);
    expect(actionsFor(person('admin'), person('admin'))).toEqual([]);
  });

  test('roles stand one above the other', () => {
    expect(isAtLeast('superadmin', 'admin')).toBe(true);
    expect(isAtLeast('admin', 'admin')).toBe(true);
    expect(isAtLeast('user', 'admin')).toBe(false);
  });
});
