import type { AuditEvent, ListedUser, UserRecord } from 'latchkey/client';
import { describe, expect, test } from 'vitest';
import { reasonOf, signInStateOf } from '../../examples/server/web/person/sign-in-state.ts';
import { csvFile } from '../../examples/server/web/users/csv-file.ts';
import { filtersOf, readUsersQuery, usersUrl } from '../../examples/server/web/users/users-query.ts';

const ada: ListedUser = {
  id: 'u1',
  username: 'ada',
  displayName: null,
  role: 'user',
  status: 'active',
  createdAt: '2026-01-02T03:04:05Z',
};

describe('the URL of the list of users', () => {
  const parse = (url: string) =>
    readUsersQuery(Object.fromEntries(new URL(url, 'https://app.example').searchParams));

  test('contains only values that differ from the default, and restores the same list', () => {
    expect(usersUrl(parse('/admin/users'))).toBe('/admin/users');
    for (const url of [
      '/admin/users?search=smith&role=admin&status=disabled&passkey=no&inactive=yes&sort=lastSignIn&order=desc',
      '/admin/users?passkey=yes&page=3&cursor=abc',
      '/admin/users?search=%25+%26',
      '/admin/users?organization=0199aa00-0000-7000-8000-00000000000a&sort=createdAt',
    ])
      expect(usersUrl(parse(url))).toBe(url);
  });

  test('ignores unknown values, and a page number without a cursor', () => {
    const odd =
      '/admin/users?role=king&status=x&passkey=maybe&sort=toString&order=up&page=7&inactive=no&organization=acme';
    expect(usersUrl(parse(odd))).toBe('/admin/users');
    expect(parse('/admin/users?page=-1&cursor=abc')).toMatchObject({ page: 1, cursor: null });
  });

  test('selects inactive users with the same time during a whole day, so that the cursors stay valid', () => {
    const query = parse('/admin/users?inactive=yes');
    const since = (now: string) => filtersOf(query, Date.parse(now)).signedInBefore;
    expect(since('2026-06-30T00:00:00Z')).toBe('2026-04-01T00:00:00.000Z');
    expect(since('2026-06-30T23:59:59Z')).toBe('2026-04-01T00:00:00.000Z');
  });
});

describe('the CSV file of users', () => {
  const row = (displayName: string) => csvFile([{ ...ada, displayName }]).split('\r\n')[1];

  test.each([
    ['Ada, "the first"', 'ada,"Ada, ""the first""",user'],
    ['=1+1', `ada,"'=1+1",user`],
    [' @SUM(A1)', `ada,"' @SUM(A1)",user`],
    ['a;=1+1', `ada,"a;'=1+1",user`],
    ['Grace', 'ada,Grace,user'],
  ])('quotes %s so that no spreadsheet runs it as a formula', (name, start) => {
    expect(row(name)?.startsWith(start)).toBe(true);
  });

  test('leaves cells empty if the caller cannot read the value', () => {
    expect(row('Ada')).toBe('ada,Ada,user,active,,,,,2026-01-02T03:04:05Z,u1');
  });
});

describe('the page of a user says that the user', () => {
  const record = (
    status: 'active' | 'disabled',
    details: Partial<NonNullable<UserRecord['details']>> | null,
  ): UserRecord => ({
    user: { ...ada, status, disabledReason: null },
    details: details && {
      hasPassword: false,
      recoveryCodesRemaining: 0,
      lastSignIn: null,
      passkeys: [],
      sessions: [],
      organizations: [],
      recoveryLink: null,
      ...details,
    },
    actions: [],
  });
  const event = (name: string, outcome: AuditEvent['outcome'], reason: string | null = null) =>
    ({ event: name, outcome, details: { reason } }) as unknown as AuditEvent;
  const link = { createdBy: null, createdAt: 't', usableAt: 't', expiresAt: 't', usedAt: 't2' };
  const refused = event('password.login', 'failure', 'password_wrong');

  test.each([
    ['is disabled, even if other reasons apply', record('disabled', { recoveryLink: link }), 'disabled'],
    ['recovers the account', record('active', { recoveryLink: link }), 'recovering'],
    ['has no sign-in method', record('active', { recoveryLink: { ...link, usedAt: null } }), 'no_way_in'],
    ['has only recovery codes', record('active', { recoveryCodesRemaining: 2 }), 'only_codes'],
    ['was refused', record('active', { hasPassword: true }), 'refused'],
  ])('%s', (_, given, kind) => {
    expect(signInStateOf(given, [event('session.revoke', 'success'), refused])?.kind).toBe(kind);
  });

  test('can sign in if the newest sign-in succeeded', () => {
    const recent = [event('password.login', 'success'), refused];
    expect(signInStateOf(record('active', { hasPassword: true }), recent)).toEqual({ kind: 'can' });
  });

  test('is disabled, even if the caller cannot read sign-ins', () => {
    expect(signInStateOf(record('active', null), [refused])).toBeNull();
    expect(signInStateOf(record('disabled', null), [])).toEqual({ kind: 'disabled' });
  });

  test('was refused for a known reason, or for another reason', () => {
    expect(reasonOf(refused)).toBe('password_wrong');
    expect(reasonOf(event('password.login', 'failure', 'constructor'))).toBe('other');
  });
});
