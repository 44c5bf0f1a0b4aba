import type { UserRecord, UserToExport } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { sending } from '../support/sending.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  accept,
  admit,
  deleteAccount,
  deleteUser,
  found,
  help,
  invite,
  inviteTo,
  postInvitation,
  signUpAs,
} from './support/authority.ts';
import { erase } from './support/erasure.ts';
import { impersonate, reason } from './support/impersonation.ts';
import { addPassword, logInByPassword, wrongPassword } from './support/passwords.ts';
import { generateCodes } from './support/recovery.ts';

const address = '203.0.113.78';
const userAgent = 'Browser of the user';
const bossAddress = '203.0.113.79';
const bossAgent = 'Browser of another user';
const userFields = { plan: { schema: v.string(), read: 'operator', write: 'operator' } } as const;

let service: TestService;
let boss: Person;
beforeAll(async () => {
  service = await startTestService({
    bcryptCost: 4,
    trustedProxies: 1,
    impersonation: true,
    ...({ userFields } as object),
  });
  const person = await signUpAs(service, 'superadmin', newUsername('other'));
  const headers = { 'X-Forwarded-For': bossAddress, 'User-Agent': bossAgent };
  boss = { ...person, browser: sending(person.browser, headers) };
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const operator = () => service.auth.asOperator('privacy desk');
async function exported(user: UserToExport, of: Pick<TestService, 'auth'> = service): Promise<UserRecord[]> {
  const records: UserRecord[] = [];
  for await (const record of await of.auth.asOperator('privacy desk').users.export(user))
    records.push(record);
  return records;
}
const ofType = <Type extends UserRecord['type']>(records: readonly UserRecord[], type: Type) =>
  records.filter((record): record is Extract<UserRecord, { type: Type }> => record.type === type);
const eventNames = (records: readonly UserRecord[]) =>
  ofType(records, 'audit_event').map(({ event, outcome }) => `${event} ${outcome}`);

interface Life {
  person: Person;
  earlier: string;
  records: UserRecord[];
  /** Secrets, which must never be in an export. */
  secrets: string[];
}

/** A user who has used every feature that stores something about a user. */
async function live(): Promise<Life> {
  const earlier = newUsername('earlier');
  // Before the account exists: an invitation for the username, and a refused invitation of the unknown username.
  const club = await found(boss.browser);
  await postInvitation(boss.browser, { username: earlier });
  await inviteTo(boss.browser, club, { username: earlier });
  const browser = sending(service.browser(), { 'X-Forwarded-For': address, 'User-Agent': userAgent });
  const person = await signUp(service, { username: earlier, browser });
  const username = newUsername('later');
  await operator().users.rename(earlier, username);
  await operator().users.update(username, { displayName: 'Ada L.', fields: { plan: 'pro' } as object });
  expect((await addPassword(browser)).status).toBe(201);
  const codes = await generateCodes(browser);
  await admit(boss.browser, club, { username, browser });
  await inviteTo(boss.browser, await found(boss.browser), { username });
  const token = await invite(boss.browser);
  expect((await accept(browser, token)).status).toBe(200);
  const { body: created } = await browser.post('/auth/admin/user-invitations', {});
  await logInByPassword(browser.copy(), { username }, wrongPassword);
  const { body: link } = await help(boss.browser, person);
  return {
    person: { ...person, username },
    earlier,
    records: await exported({ username }),
    secrets: [...codes, token, `${created.token}`, `${link.token}`],
  };
}

describe('the export of a user', () => {
  let life: Life;
  beforeAll(async () => {
    life = await live();
  });

  test('contains the account, with own fields, and whether credentials exist', () => {
    const { person, records } = life;
    expect(records[0]).toEqual({
      type: 'account',
      id: userIdOf(person),
      username: person.username,
      usernameSince: expect.stringMatching(/^\d{4}-.*Z$/),
      displayName: 'Ada L.',
      role: 'admin',
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deletedAt: null,
      userHandle: expect.stringMatching(/^[\w-]{86}$/),
      lastSignIn: {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        method: expect.any(String),
        userAgent: expect.any(String),
      },
      hasPassword: true,
      recoveryCodes: { total: 10, remaining: 10, generatedAt: expect.any(String), expiresAt: null },
      recoveryLink: {
        createdAt: expect.any(String),
        usableAt: expect.any(String),
        expiresAt: expect.any(String),
        usedAt: null,
      },
      fields: { plan: 'pro' },
    });
  });

  test('contains earlier usernames, passkeys, sessions and memberships', async () => {
    const { person, earlier, records } = life;
    expect(ofType(records, 'earlier_username')).toEqual([
      { type: 'earlier_username', username: earlier, until: expect.any(String) },
    ]);
    const { body } = await person.browser.get('/auth/passkey/devices');
    expect(ofType(records, 'passkey')).toMatchObject(
      body.devices.map(({ current: _, ...passkey }: { current: boolean }) => ({
        ...passkey,
        credentialId: expect.stringMatching(/^[\w-]+$/),
        publicKey: expect.stringMatching(/^[\w-]+$/),
        counter: expect.any(Number),
      })),
    );
    const [session] = ofType(records, 'session');
    expect(session).toMatchObject({ method: 'passkey', ip: address, userAgent });
    expect(ofType(records, 'membership')).toMatchObject([{ role: 'user', joinedAt: expect.any(String) }]);
  });

  test('contains the invitations that the user created, received and accepted', () => {
    const { records } = life;
    const involvements = (type: 'invitation' | 'organization_invitation') =>
      ofType(records, type).map(({ involvement, status }) => `${involvement} ${status}`);
    expect(involvements('invitation')).toEqual(['creator pending', 'invitee revoked', 'acceptor accepted']);
    expect(involvements('organization_invitation')).toEqual(['invitee pending', 'acceptor accepted']);
  });

  test('contains events by the user, events about the user, and events with only the username', () => {
    const names = eventNames(life.records);
    for (const name of [
      'account.signup success',
      'password.add success',
      'password.login failure',
      'recovery_link.create success',
      'user.rename success',
      'user.export success',
      'invitation.create success',
      'organization_invitation.create failure',
    ])
      expect(names, name).toContain(name);
    const ids = ofType(life.records, 'audit_event').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('contains no personal data of other users', () => {
    const text = JSON.stringify(life.records);
    for (const foreign of [boss.username, bossAddress, bossAgent]) expect(text).not.toContain(foreign);
    expect(text).toContain(address);
    expect(text).toContain(userIdOf(boss));
  });

  test('contains no secret', async () => {
    const text = JSON.stringify(life.records);
    const rows = await service.database.sql<{ secret: string }[]>`
      select password_hash as secret from latchkey.users where password_hash is not null
      union select token_hash from latchkey.sessions union select code_hash from latchkey.recovery_codes
      union select token_hash from latchkey.recovery_links union select token_hash from latchkey.invitations
      union select token_hash from latchkey.organization_invitations where token_hash is not null`;
    const cookie = [...life.person.browser.cookies.values()];
    const secrets = [...life.secrets, ...cookie, ...rows.map(({ secret }) => secret)];
    expect(secrets.length).toBeGreaterThan(25);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

describe('after an impersonation,', () => {
  const grace = { ip: '203.0.113.80', userAgent: 'Browser of a superadmin' };
  let ada: Person;
  let superadmin: Person;
  beforeAll(async () => {
    ada = await signUp(service);
    superadmin = await signUpAs(service, 'superadmin', newUsername('grace'));
    const headers = { 'X-Forwarded-For': grace.ip, 'User-Agent': grace.userAgent };
    const browser = sending(superadmin.browser, headers);
    expect((await impersonate(browser, ada)).status).toBe(201);
    expect((await browser.delete('/auth/sessions')).status).toBe(403);
  });

  test('the export of the user contains only the id of the impersonator', async () => {
    const records = await exported({ id: userIdOf(ada) });
    const id = userIdOf(superadmin);
    const impersonator = { type: 'user', id, name: null };
    const noBrowser = { ip: null, userAgent: null };
    expect(ofType(records, 'session')).toContainEqual(
      expect.objectContaining({ impersonator, ...noBrowser }),
    );
    expect(ofType(records, 'audit_event')).toMatchObject([
      { event: 'account.signup', impersonator: null, ip: expect.any(String) },
      { event: 'session.revoke_others', impersonator, ...noBrowser, requestId: null },
      {
        event: 'impersonation.start',
        actor: { id, name: null },
        details: { statedReason: null },
        ...noBrowser,
      },
      { event: 'user.export' },
    ]);
    const text = JSON.stringify(records);
    for (const foreign of [superadmin.username, grace.ip, grace.userAgent, reason])
      expect(text).not.toContain(foreign);
  });

  test('the export of the superadmin contains the session and what the superadmin did as the user', async () => {
    const records = await exported({ id: userIdOf(superadmin) });
    const impersonator = { type: 'user', id: userIdOf(superadmin), name: superadmin.username };
    expect(ofType(records, 'session')).toMatchObject([{ method: 'impersonation', impersonator, ...grace }]);
    const events = ofType(records, 'audit_event');
    expect(events.filter((event) => event.impersonator)).toMatchObject([
      { event: 'session.revoke_others', actor: { id: userIdOf(ada), name: null }, impersonator, ...grace },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const text = JSON.stringify(records);
    for (const foreign of [ada.username, reason]) expect(text).not.toContain(foreign);
  });
});

test('the audit log names the operator who exports, and the export contains no later events', async () => {
  const person = await signUp(service);
  const records = await operator().users.export({ id: userIdOf(person) });
  await addPassword(person.browser);
  const names: string[] = [];
  for await (const record of records) if (record.type === 'audit_event') names.push(record.event);
  expect(names).toEqual(['account.signup', 'user.export']);
  expect((await service.auditRows()).findLast(({ event }) => event === 'user.export')).toMatchObject({
    actor_type: 'operator',
    actor_name: 'privacy desk',
    target_id: userIdOf(person),
  });
});

test('a user with thousands of events gets each event once, in batches', async () => {
  const person = await signUp(service);
  await service.database.sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, target_type, target_id, details)
    select gen_random_uuid(), now() - n / 10 * interval '1 ms' - interval '1 hour', 'passkey.login', 'success', 'user',
      case when n % 2 = 0 then ${userIdOf(person)}::uuid end, 'user', ${userIdOf(person)}, '{}'
    from generate_series(1, 4500) as n`;
  service.statements.length = 0;
  const events = ofType(await exported({ id: userIdOf(person) }), 'audit_event');
  expect(new Set(events.map(({ id }) => id)).size).toBe(4502);
  expect(events).toHaveLength(4502);
  const largest = service.statements.filter((text) => text.includes('from latchkey.audit_events'));
  expect(largest.length).toBeGreaterThan(6);
});

test('the export contains the organizations that the user created, even if the user is not a member', async () => {
  const founder = await signUpAs(service, 'admin');
  const successor = await signUp(service);
  const mine = [await found(founder.browser), await found(founder.browser)];
  const [left] = mine;
  await operator().organizations.addMember(`${left?.slug}`, { username: successor.username, role: 'admin' });
  await operator().organizations.removeMember(`${left?.slug}`, founder.username);
  const records = await exported({ id: userIdOf(founder) });
  expect(ofType(records, 'membership')).toHaveLength(1);
  const expected = mine.map(({ id, slug }) => ({
    type: 'created_organization',
    organization: { id, name: 'An organization', slug },
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  }));
  expect(ofType(records, 'created_organization')).toEqual(expect.arrayContaining(expected));
  expect(ofType(records, 'created_organization')).toHaveLength(2);
  expect(ofType(await exported({ id: userIdOf(successor) }), 'created_organization')).toEqual([]);
});

test('the export of a user who created thousands of organizations contains each of them once', async () => {
  const person = await signUp(service);
  await service.database.sql`
    insert into latchkey.organizations (id, name, slug, created_by, created_at)
    select gen_random_uuid(), 'Club', ${newUsername('club')} || '-' || n, ${userIdOf(person)}::uuid, now()
    from generate_series(1, 2000) as n`;
  const created = ofType(await exported({ id: userIdOf(person) }), 'created_organization');
  expect(new Set(created.map(({ organization }) => organization.id)).size).toBe(2000);
  expect(created).toHaveLength(2000);
});

describe('a deleted user', () => {
  test('can be exported by the id until the erasure', async () => {
    const person = await signUp(service);
    await deleteAccount(person.browser);
    const records = await exported({ id: userIdOf(person) });
    expect(records[0]).toMatchObject({
      type: 'account',
      username: person.username,
      status: 'disabled',
      deletedAt: expect.any(String),
      hasPassword: false,
    });
    expect(ofType(records, 'passkey')).toEqual([]);
    await erase(service, userIdOf(person));
    await expect(exported({ id: userIdOf(person) })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('cannot be exported by the username', async () => {
    const person = await signUp(service);
    await deleteUser(boss.browser, person);
    await expect(exported({ username: person.username })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('whose username was released leaves no data to the next user with this username', async () => {
    const releasing = await startTestService({ deletedUsernameReleaseDays: 1 });
    const username = newUsername();
    const superadmin = await signUpAs(releasing, 'superadmin');
    await postInvitation(superadmin.browser, { username });
    const first = await signUp(releasing, { username });
    await deleteAccount(first.browser);
    await releasing.database.sql`
      update latchkey.users set username = null, skeleton = null where id = ${userIdOf(first)}`;
    await releasing.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_id, target_name, details)
      values (gen_random_uuid(), now(), 'user.release_username', 'success', 'system', 'user', ${userIdOf(first)},
        ${username}, '{}')`;
    const second = await signUp(releasing, { username });
    const records = await exported({ id: userIdOf(second) }, releasing);
    expect(ofType(records, 'invitation')).toEqual([]);
    expect(eventNames(records)).toEqual(['account.signup success', 'user.export success']);
    await releasing.close();
  });
});

test.each<[what: string, user: unknown]>([
  ['nothing', undefined],
  ['a username as text', 'ada'],
  ['an empty object', {}],
  ['both', { id: '00000000-0000-7000-8000-000000000000', username: 'ada' }],
  ['an id that is not a UUID', { id: 'ada' }],
  ['an undefined id', { id: undefined }],
])('`users.export` throws a TypeError for %s', async (_, user) => {
  await expect(operator().users.export(user as UserToExport)).rejects.toThrow(TypeError);
});

test('`users.export` throws `not_found` for an unknown id and an unknown username', async () => {
  for (const user of [{ id: '00000000-0000-7000-8000-000000000000' }, { username: 'no-such-user' }])
    await expect(exported(user)).rejects.toMatchObject({ code: 'not_found' });
});

test('`users.export` works with the in-memory database', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const person = await signUp(inMemory);
  const records = await exported({ username: person.username }, inMemory);
  expect(eventNames(records)).toEqual(['account.signup success', 'user.export success']);
  await inMemory.close();
});

/** Where the export has the data of each column with the id of a user. */
const represented: Record<string, string> = {
  'audit_events.actor_id': 'audit_event',
  'audit_events.impersonator_id': 'audit_event',
  'audit_events.target_id': 'audit_event',
  'bootstrap.user_id': 'audit_event: superadmin.bootstrap',
  'held_usernames.user_id': 'earlier_username',
  'impersonation_links.user_id': 'audit_event: impersonation.create_link',
  'imported_users.user_id': 'import',
  'invitations.accepted_by': 'invitation',
  'invitations.created_by': 'invitation',
  'last_active_hours.user_id': 'audit_event',
  'memberships.user_id': 'membership',
  'organization_invitations.accepted_by': 'organization_invitation',
  'organization_invitations.created_by': 'organization_invitation',
  'organization_invitations.user_id': 'organization_invitation',
  'organizations.created_by': 'created_organization',
  'passkey_holders.user_id': 'passkey',
  'passkeys.user_id': 'passkey',
  'recovery_codes.user_id': 'account.recoveryCodes',
  'recovery_links.maker_id': 'audit_event: recovery_link.create',
  'recovery_links.user_id': 'account.recoveryLink',
  'sessions.impersonator_id': 'session',
  'sessions.user_id': 'session',
  'user_ids.id': 'account.id',
  'user_sign_ins.user_id': 'account.lastSignIn',
  'users.id': 'account',
};

test('every column with the id of a user is represented in the export', async () => {
  const columns = await service.database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'latchkey' and (
      column_name ~ '^(user|actor|target|maker|creator|owner|holder|member|impersonator)_id$' or column_name ~ '_by$'
      or (table_name in ('users', 'user_ids') and column_name = 'id')
    )
    union
    select owned.relname || '.' || attname from pg_constraint
    join pg_class as owned on owned.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid in ('latchkey.users'::regclass, 'latchkey.user_ids'::regclass)
      and owned.relnamespace = 'latchkey'::regnamespace
    order by name`;
  expect(columns.map(({ name }) => name)).toEqual(Object.keys(represented).sort());
});

test('the account contains every column of `users` that is about the user', async () => {
  const columns = await service.database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'latchkey' and table_name = 'users' order by 1`;
  // The text of `disabled_reason` can name other users.
  const internal = ['disabled_reason', 'erased_at', 'password_hash', 'session_epoch', 'skeleton', 'version'];
  const exportedColumns = [
    'created_at',
    'deleted_at',
    'display_name',
    'fields',
    'id',
    'role',
    'status',
    'user_handle',
    'username',
    'username_since',
  ];
  expect(columns.map(({ name }) => name)).toEqual([...internal, ...exportedColumns].sort());
});
