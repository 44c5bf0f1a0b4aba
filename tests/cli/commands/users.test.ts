import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkUsePath } from '../../features/support/recovery.ts';
import { eventually } from '../../support/eventually.ts';
import { logIn, newAuthenticator, type Person, signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const signedUp = (username: string): Promise<Person> => signUp(service, { username });
const bySql = (person: Person, role: string) =>
  database.sql`update latchkey.users set role = ${role} where id = ${userIdOf(person)}`;
const sessionStatus = async ({ browser }: Person) => (await browser.get('/auth/session')).status;
const lastEvent = async (event: string) => (await eventsOf(database, event)).at(-1);
const user = (username: string, changed: object = {}) => ({
  id: expect.any(String),
  username,
  displayName: null,
  role: 'user',
  status: 'active',
  createdAt: expect.any(String),
  ...changed,
});

describe('`latchkey users list`', () => {
  beforeAll(async () => {
    for (const name of ['list-a', 'list-b', 'list-c']) await signedUp(name);
    await database.sql`update latchkey.users set role = 'admin' where username = 'list-b'`;
    await database.sql`update latchkey.users set status = 'disabled' where username = 'list-c'`;
  });

  test('prints a table of users', async () => {
    const { exitCode, stdout, stderr } = await latchkey('users list --query list-');
    expect([exitCode, stderr]).toEqual([0, '']);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^USERNAME +ROLE +STATUS +CREATED \(UTC\) +DISPLAY NAME$/);
    expect(rows.sort()).toEqual([
      expect.stringMatching(/^list-a +user +active +\d{4}-\d\d-\d\d \d\d:\d\d$/),
      expect.stringMatching(/^list-b +admin +active /),
      expect.stringMatching(/^list-c +user +disabled /),
    ]);
  });

  test.each([
    ['--query list-', ['list-a', 'list-b', 'list-c']],
    ['--query list- --role admin', ['list-b']],
    ['--query list- --status disabled', ['list-c']],
    ['--query no-such-user', []],
  ])('filters by %s', async (flags, names) => {
    const { users, nextCursor } = await json(`users list ${flags}`);
    expect(users.map(({ username }: { username: string }) => username).sort()).toEqual(names);
    expect(nextCursor).toBeNull();
    if (names[0] === 'list-a') expect(users).toContainEqual(user('list-a'));
  });

  test('prints a message if no user matches', async () => {
    expect(await latchkey('users list --query no-such-user')).toMatchObject({
      exitCode: 0,
      stdout: 'No users match.\n',
    });
  });

  test('continues after the cursor that the previous command printed', async () => {
    const first = await latchkey('users list --query list- --limit 2');
    const [, cursor] = /^There are more\. To list them, add: --cursor (\S+)$/m.exec(first.stderr) ?? [];
    const second = await latchkey(`users list --query list- --limit 2 --cursor ${cursor}`);
    expect(second.stderr).toBe('');
    const names = `${first.stdout}${second.stdout}`.match(/^list-\w/gm);
    expect(names?.sort()).toEqual(['list-a', 'list-b', 'list-c']);
  });
});

test('`latchkey users get` prints the details and sessions of a user, and no secrets', async () => {
  const person = await signedUp('shown');
  const { exitCode, stdout } = await latchkey('users get shown');
  expect(exitCode).toBe(0);
  for (const line of [
    /^Username +shown$/m,
    /^Role +user$/m,
    /^Status +active$/m,
    /^Last sign-in +2.+ UTC, passkey$/m,
    /^Passkeys +1$/m,
    /^Password +no$/m,
    /^Recovery codes +0 left$/m,
    /^Sessions +1$/m,
    /^PASSKEY +MODEL +MODEL IS +ADDED \(UTC\) +LAST USED \(UTC\)$/m,
    /^\S.* +claimed +2.+ +(never|2.+)$/m,
    /^ID +KIND +METHOD +LAST SEEN \(UTC\) +EXPIRES \(UTC\) +IP ADDRESS +BROWSER$/m,
    /^[\da-f-]{36} +full +passkey .+ 127\.0\.0\.1 +node$/m,
  ])
    expect(stdout).toMatch(line);
  const shown = await json('users get shown');
  expect(shown).toEqual({
    user: {
      ...user('shown'),
      id: userIdOf(person),
      hasPassword: false,
      passkeyCount: 1,
      recoveryCodesRemaining: 0,
    },
    disabledReason: null,
    lastSignIn: { at: expect.any(String), method: 'passkey', userAgent: 'node' },
    recoveryLink: null,
    passkeys: [expect.objectContaining({ attested: false })],
    sessions: [expect.objectContaining({ kind: 'full', method: 'passkey' })],
    memberships: [],
  });
  expect(JSON.stringify(shown)).not.toMatch(/token|hash/i);
});

describe('`latchkey users change-role`', () => {
  test('takes effect immediately and is recorded', async () => {
    const person = await signedUp('promoted');
    const { exitCode, stdout } = await latchkey('users change-role promoted admin --yes');
    expect([exitCode, stdout]).toEqual([0, 'promoted has the role admin. This takes effect immediately.\n']);
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
    expect(await lastEvent('user.change_role')).toMatchObject({
      actor_name: operator,
      target_name: 'promoted',
    });
    expect(await json('users change-role promoted user -y')).toEqual({ user: user('promoted') });
  });

  test('rejects an unknown role', async () => {
    await signedUp('unchanged');
    const ended = await latchkey('users change-role unchanged king --yes');
    expect(ended).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Expected user, admin or superadmin.'),
    });
  });
});

describe('`latchkey users disable` and `latchkey users enable`', () => {
  test('change whether the user can sign in, and `disable` ends all sessions', async () => {
    const person = await signedUp('shut-out');
    const disabled = await latchkey('users disable shut-out --yes');
    expect([disabled.exitCode, disabled.stdout]).toEqual([0, 'shut-out is disabled and cannot sign in.\n']);
    expect(await sessionStatus(person)).toBe(401);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(409);
    expect(await lastEvent('user.disable')).toMatchObject({ actor_name: operator, target_name: 'shut-out' });
    const enabled = await latchkey('users enable shut-out');
    expect([enabled.exitCode, enabled.stdout]).toEqual([0, 'shut-out is enabled and can sign in.\n']);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
    expect(await json('users disable shut-out --yes')).toEqual({
      user: user('shut-out', { status: 'disabled' }),
    });
    expect(await json('users enable shut-out')).toEqual({ user: user('shut-out') });
  });

  test('`--reason` states why, and `users get` prints the reason', async () => {
    await signedUp('left');
    expect(await latchkey('users disable left --yes --reason Left')).toMatchObject({ exitCode: 0 });
    expect((await latchkey('users get left')).stdout).toMatch(/^Status +disabled: Left$/m);
    expect(await lastEvent('user.disable')).toMatchObject({ details: { statedReason: 'Left' } });
    const tooLong = await latchkey(`users disable left --yes --reason ${'x'.repeat(201)}`);
    expect(tooLong.stderr).toContain('--reason: expected 1 to 200 characters');
  });

  test('protect the last superadmin: `disable`, `change-role`, `delete` and `erase` exit with 3 and print a next step', async () => {
    await bySql(await signedUp('the-last'), 'superadmin');
    for (const line of [
      'users disable the-last --yes',
      'users change-role the-last user --yes',
      'users delete the-last --yes',
      'users erase the-last --yes',
    ]) {
      const ended = await latchkey(line);
      expect([ended.exitCode, ended.stdout]).toEqual([3, '']);
      expect(ended.stderr).toBe(
        'error: This is the last active superadmin.\n' +
          'Make another user a superadmin first. Run `latchkey users change-role <username> superadmin`.\n',
      );
    }
    expect((await json('users get the-last')).user).toMatchObject({ role: 'superadmin', status: 'active' });
  });
});

describe('`latchkey users create-recovery-link`', () => {
  test('prints a single-use link', async () => {
    await signedUp('locked-out');
    const { exitCode, stdout, stderr } = await latchkey('users create-recovery-link locked-out');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('shown only once')]);
    const [, token] = /^Link +http:\/\/localhost:3000\/recover#token=(\S+)$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^Expires +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
    const statuses = [];
    for (let time = 0; time < 2; time++)
      statuses.push((await service.browser().post(linkUsePath, { token })).status);
    expect(statuses).toEqual([200, 401]);
    expect(await lastEvent('recovery_link.create')).toMatchObject({
      actor_name: operator,
      target_name: 'locked-out',
    });
    const link = await json('users create-recovery-link locked-out');
    expect(link).toEqual({
      token: expect.any(String),
      url: expect.stringContaining(link.token),
      usableAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect((await json('users get locked-out')).recoveryLink).toEqual({
      createdBy: null,
      createdAt: link.usableAt,
      usableAt: link.usableAt,
      expiresAt: link.expiresAt,
      usedAt: null,
    });
  });
});

describe('`latchkey users end-sessions`', () => {
  test('ends all sessions', async () => {
    const person = await signedUp('busy');
    const other = service.browser();
    await logIn(other, person.authenticator);
    expect((await json('users get busy')).sessions).toHaveLength(2);
    const ended = await latchkey('users end-sessions busy --yes');
    expect([ended.exitCode, ended.stdout]).toEqual([0, 'Ended 2 sessions.\n']);
    await eventually(async () => (await sessionStatus(person)) === 401);
    expect((await other.get('/auth/session')).status).toBe(401);
    expect((await json('users get busy')).sessions).toEqual([]);
    expect(await json('users end-sessions busy -y')).toEqual({ ended: 0 });
  });

  test('with --session, ends only this session', async () => {
    const person = await signedUp('stolen-from');
    const thief = service.browser();
    await logIn(thief, person.authenticator);
    const { id } = (await thief.get('/auth/session')).body.session;
    const unconfirmed = await latchkey(`users end-sessions stolen-from --session ${id}`);
    expect([unconfirmed.exitCode, unconfirmed.stdout]).toEqual([2, '']);
    const ended = await latchkey(`users end-sessions stolen-from --session ${id.toUpperCase()} --yes`);
    expect([ended.exitCode, ended.stdout]).toEqual([0, 'Ended 1 session.\n']);
    // The service keeps a session in its memory until the notification of the database arrives.
    await eventually(async () => (await thief.get('/auth/session')).status === 401);
    expect(await sessionStatus(person)).toBe(200);
    const again = await latchkey(`users end-sessions stolen-from --session ${id} --yes`);
    expect(again.exitCode).toBe(3);
    const misspelled = await latchkey('users end-sessions stolen-from --session all --yes');
    expect([misspelled.exitCode, misspelled.stderr]).toEqual([2, expect.stringContaining('not "all"')]);
    expect(await sessionStatus(person)).toBe(200);
  });
});

describe('`latchkey users end-all-sessions`', () => {
  test('ends the sessions of all users, and with --recovery-links also cancels the recovery links', async () => {
    const [one, two] = [await signedUp('everyone-1'), await signedUp('everyone-2')];
    await database.sql`delete from latchkey.recovery_links`;
    await latchkey('users create-recovery-link everyone-1');
    const [{ count }] = await database.sql<[{ count: number }]>`
      select count(*)::integer from latchkey.sessions where expires_at > latchkey.clock()`;
    const ended = await latchkey('users end-all-sessions --yes');
    expect([ended.exitCode, ended.stdout]).toEqual([0, `Ended ${count} sessions.\n`]);
    expect([await sessionStatus(one), await sessionStatus(two)]).toEqual([401, 401]);
    expect(await lastEvent('user.end_all_sessions')).toMatchObject({
      actor_name: operator,
      details: { sessions: count, recoveryLinks: 0 },
    });
    const links = await latchkey('users end-all-sessions --recovery-links --yes');
    expect(links.stdout).toBe('Ended 0 sessions.\nCanceled 1 recovery link.\n');
    expect(await json('users end-all-sessions -y')).toEqual({ sessions: 0, recoveryLinks: 0 });
  });
});

describe('`latchkey users delete`', () => {
  test('deletes the user permanently, but the username stays taken', async () => {
    const person = await signedUp('gone');
    const { exitCode, stdout } = await latchkey('users delete gone --yes');
    expect([exitCode, stdout]).toEqual([0, 'gone is deleted.\n']);
    expect(await sessionStatus(person)).toBe(401);
    expect((await latchkey('users get gone')).exitCode).toBe(3);
    await expect(signUp(service, { username: 'gone', authenticator: newAuthenticator() })).rejects.toThrow();
    expect(await lastEvent('user.delete')).toMatchObject({
      actor_name: operator,
      target_id: userIdOf(person),
    });
    await signedUp('gone-too');
    expect(await json('users delete gone-too --yes')).toEqual({ deleted: 'gone-too' });
  });
});

describe('`latchkey users erase`', () => {
  const unknown = '00000000-0000-7000-8000-000000000000';

  test('deletes the user and erases the username from the audit log', async () => {
    const person = await signedUp('erased');
    const { exitCode, stdout } = await latchkey('users erase erased --yes');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^Erased the user with the ID ${userIdOf(person)}\\. Changed 2 audit events\\.\n` +
            'The audit log now calls the user erased:[\\da-f]{16}\\.\n$',
        ),
      ),
    ]);
    expect(await sessionStatus(person)).toBe(401);
    expect(await lastEvent('user.erase')).toMatchObject({
      actor_name: operator,
      target_id: userIdOf(person),
    });
    const named =
      await database.sql`select from latchkey.audit_events where 'erased' in (actor_name, target_name)`;
    expect(named).toHaveLength(0);
  });

  test('accepts the ID of a deleted user in lowercase or uppercase, and prints JSON', async () => {
    const person = await signedUp('deleted-first');
    await latchkey('users delete deleted-first --yes');
    const erased = await json(`users erase ${userIdOf(person)} --yes`);
    expect(erased).toEqual({
      id: userIdOf(person),
      pseudonym: expect.stringMatching(/^erased:[\da-f]{16}$/),
      events: 2,
    });
    expect(await json(`users erase ${userIdOf(person).toUpperCase()} --yes`)).toEqual({
      ...erased,
      events: 0,
    });
  });

  test.each([
    ['a username', 'nobody-has-it'],
    ['an ID', unknown],
  ])('exits with 3 for %s that no user has', async (_, user) => {
    const { exitCode, stdout, stderr } = await latchkey(`users erase ${user} --yes`);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('error: Not found.');
  });
});
