import { type AuditEventName, auditEventNames } from 'latchkey';
import type { AuditEvent, Role, User } from 'latchkey/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { beginningOf } from '../../examples/server/web/activity/calendar.ts';
import { filtersOf, readChoice } from '../../examples/server/web/activity/choice.ts';
import { eventPhrases } from '../../examples/server/web/activity/event-phrases.ts';
import { type Reader, sentenceOf, textOf } from '../../examples/server/web/activity/sentence.ts';
import german from '../../examples/server/web/messages/console-de.ts';
import english from '../../examples/server/web/messages/console-en.ts';
import { setMessages } from '../../examples/server/web/messages/text.ts';
import { actionsFor } from '../../examples/server/web/users/user-actions.ts';
import { showEnglish } from '../support/english-messages.ts';

beforeAll(showEnglish);

describe('the activity list', () => {
  beforeAll(() => setMessages(english, 'en'));

  const event = (given: Partial<AuditEvent> & { event: AuditEventName | 'later.one' }): AuditEvent => ({
    id: 'e1',
    at: '2026-01-02T03:04:05Z',
    outcome: 'success',
    actor: { type: 'user', id: 'u1', name: 'ada' },
    impersonator: null,
    target: null,
    organizationId: null,
    ip: null,
    userAgent: null,
    requestId: null,
    count: 1,
    details: {},
    ...given,
  });
  const bob = { type: 'user', id: 'u2', name: 'bob' };
  const ada: Reader = { id: 'u1', username: 'ada' };
  const anonymous = { type: 'anonymous', id: null, name: null } as const;
  const textFor = (given: Parameters<typeof event>[0]) =>
    textOf(sentenceOf(event(given), (id) => (id === 'o1' ? 'Ateliers' : undefined)));
  const toAda = (given: Parameters<typeof event>[0]) =>
    textOf(sentenceOf(event(given), () => undefined, ada));

  test('has phrases for all existing events, and no other phrases', () => {
    // Does not compile if an event has no phrase.
    const phrases: Record<AuditEventName, readonly [string, string]> = eventPhrases;
    expect(new Set(Object.keys(phrases))).toEqual(new Set(auditEventNames));
  });

  test.each(auditEventNames)('describes %s in a full sentence, as a success and as a failure', (name) => {
    for (const outcome of ['success', 'failure'] as const) {
      const words = textFor({ event: name, outcome, target: bob, organizationId: 'o1' });
      expect(words).toMatch(outcome === 'success' ? /^ada (?!tried to)/ : /^ada tried to /);
      expect(words).not.toMatch(/[{}]|undefined|null| {2}| $/);
      expect(textFor({ event: name, outcome })).not.toMatch(/[{}]|undefined|null| {2}| $/);
    }
  });

  test.each<[string, Parameters<typeof event>[0]]>([
    [
      'ada changed the role of bob to admin',
      { event: 'user.change_role', target: bob, details: { to: 'admin' } },
    ],
    [
      'ada changed the role of bob in Ateliers to member',
      { event: 'member.change_role', target: bob, organizationId: 'o1', details: { to: 'user' } },
    ],
    ['ada added bob to an organization', { event: 'member.add', target: bob, organizationId: 'gone' }],
    [
      'ada invited anyone with the link to be an admin',
      {
        event: 'invitation.create',
        target: { type: 'invitation', id: 'i1', name: null },
        details: { role: 'admin' },
      },
    ],
    [
      'ada invited bob to sign up',
      {
        event: 'invitation.create',
        target: { type: 'invitation', id: 'i1', name: 'bob' },
        details: { role: 'user' },
      },
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
      'Someone tried to sign in as bob with a passkey',
      { event: 'passkey.login', outcome: 'failure', actor: anonymous, target: bob, count: 989 },
    ],
    [
      'Someone tried to sign in as bob with a passkey',
      { event: 'passkey.login', outcome: 'failure', actor: anonymous, target: bob },
    ],
    [
      'Someone tried to sign in with a password',
      { event: 'password.login', outcome: 'failure', actor: anonymous },
    ],
    [
      'ops (operator) made bob a superadmin',
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
  ])('shows: %s', (words, given) => {
    expect(textFor(given)).toBe(words);
  });

  test.each<[string, Parameters<typeof event>[0]]>([
    [
      'You signed in with a passkey',
      { event: 'passkey.login', target: { type: 'passkey', id: 'p', name: 'ada' } },
    ],
    ['You added a passkey', { event: 'passkey.add', target: { type: 'passkey', id: 'p', name: null } }],
    ['You disabled a user', { event: 'user.disable', target: { type: 'user', id: 'u2', name: null } }],
    [
      'Someone tried to sign in to your account with a password',
      {
        event: 'password.login',
        outcome: 'failure',
        actor: anonymous,
        target: { type: 'user', id: 'u1', name: 'ada' },
      },
    ],
    [
      'Another user changed your role to admin',
      {
        event: 'user.change_role',
        actor: { type: 'user', id: 'u2', name: null },
        target: { type: 'user', id: 'u1', name: 'ada' },
        details: { to: 'admin' },
      },
    ],
    [
      'An operator ended all sessions of your account',
      {
        event: 'user.end_sessions',
        actor: { type: 'operator', id: null, name: null },
        target: { type: 'user', id: 'u1', name: 'ada' },
      },
    ],
    [
      'grace (using your account) changed their profile',
      {
        event: 'account.update',
        impersonator: { type: 'user', id: 'u3', name: 'grace' },
        target: { type: 'user', id: 'u1', name: 'ada' },
      },
    ],
  ])('says to the user: %s', (words, given) => {
    expect(toAda(given)).toBe(words);
  });

  test('describes every event in German, to administrators and to the user', () => {
    setMessages(german, 'de');
    for (const name of auditEventNames) {
      for (const outcome of ['success', 'failure'] as const) {
        for (const target of [bob, null]) {
          const words = textFor({ event: name, outcome, target, organizationId: target && 'o1' });
          expect(words).toMatch(/^ada hat /);
          expect(words).not.toMatch(/[{}]|undefined|null| {2}| $/);
        }
        expect(toAda({ event: name, outcome })).toMatch(/^Du hast /);
      }
    }
    const rename = { event: 'passkey.rename', target: { type: 'passkey', id: 'p', name: 'Laptop' } } as const;
    // cspell:disable-next-line
    expect(textFor(rename)).toBe('ada hat den Passkey Laptop umbenannt');
    setMessages(english, 'en');
  });

  test('highlights only names', () => {
    const pieces = sentenceOf(event({ event: 'user.disable', target: bob }), () => undefined);
    expect(pieces.filter(({ isName }) => isName).map(({ text }) => text)).toEqual(['ada', 'bob']);
  });

  test('filters by days in the viewer’s time zone and includes the last day', () => {
    const beginning = new Date(2026, 1, 28).toISOString();
    const afterwards = new Date(2026, 2, 1).toISOString();
    expect(beginningOf('2026-02-28', 0)).toBe(beginning);
    expect(beginningOf('2026-02-28', 1)).toBe(afterwards);
  });

  test('reads the filters from the URL', () => {
    const now = new Date(2026, 2, 1, 12);
    const choice = readChoice({ type: 'sign-ins', outcome: 'success', period: 'yesterday', actor: 'ada' });
    expect(filtersOf(choice, { actor: 'u1' }, now)).toMatchObject({
      event: expect.arrayContaining(['passkey.login', 'password.login']),
      outcome: 'success',
      actorId: 'u1',
      from: new Date(2026, 1, 28).toISOString(),
      to: new Date(2026, 2, 1).toISOString(),
    });
    const days = readChoice({
      type: 'user.,passkey.add',
      from: '2026-02-01',
      outcome: 'other',
      period: 'other',
    });
    expect(filtersOf(days, {}, now)).toMatchObject({
      event: ['user.', 'passkey.add'],
      outcome: undefined,
      from: new Date(2026, 1, 1).toISOString(),
      to: undefined,
    });
  });

  test.each(['', 'tomorrow', '2026-02', '0000-00-00'])('ignores %j, which is not a day', (day) => {
    expect(beginningOf(day, 0)).toBeUndefined();
  });
});

describe('the available actions', () => {
  const capabilityScopes = {
    admin: { 'user:recover': 'managed', 'user:end_sessions': 'managed' },
    superadmin: {
      'role:assign': 'any',
      'user:manage': 'any',
      'user:recover': 'any',
      'user:end_sessions': 'any',
      'user:impersonate': 'any',
    },
  } as const;
  const actionsOf = (me: User, user: User) =>
    actionsFor(me, user, { capabilityScopes, impersonation: false });
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
  ])('(role of the viewer: %s, role of the other user: %s) are %j', (mine, theirs, actions) => {
    expect(actionsOf(person(mine, 'active', 'me'), person(theirs))).toEqual(actions);
  });

  test('are empty if both users have the same role, unless both are superadmins', () => {
    expect(actionsOf(person('admin', 'active', 'me'), person('admin'))).toEqual([]);
    expect(actionsOf(person('superadmin', 'active', 'me'), person('superadmin'))).toContain('recovery');
  });

  test('on a disabled user include enabling, and do not include recovery', () => {
    const actions = actionsOf(person('superadmin', 'active', 'me'), person('user', 'disabled'));
    expect(actions).toEqual(['role', 'enable', 'remove']);
    expect(actionsOf(person('admin'), person('user', 'disabled'))).toEqual([]);
  });

  test('on the user’s own account include at most the change of role', () => {
    expect(actionsOf(person('superadmin'), person('superadmin'))).toEqual(['role']);
    expect(actionsOf(person('admin'), person('admin'))).toEqual([]);
  });
});
