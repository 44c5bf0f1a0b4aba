import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreDump } from '../../db/support/restored-database.ts';
import { dropRoles, newRole, urlAs } from '../../db/support/roles.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { backendsWaiting, untilWaiting } from '../../support/waiting.ts';
import { commandsOn, jsonOn, runCommand } from './support/command.ts';

let database: TestDatabase;
const latchkey = commandsOn(() => database);
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
});
afterEach(() => database.drop());

test('`latchkey migrate status` prints pending migrations, and `latchkey migrate` applies them once', async () => {
  const before = await latchkey('migrate status');
  expect([before.exitCode, before.stderr]).toEqual([4, '']);
  expect(before.stdout).toMatch(/^Applied +none\nPending +1, 2, 3.*\n\nRun `latchkey migrate`\.\n$/);

  const migrated = await latchkey('migrate');
  expect([migrated.exitCode, migrated.stderr]).toEqual([0, '']);
  expect(migrated.stdout).toMatch(/^Applied migrations: 1, 2, 3.*\.\n$/);
  expect(await latchkey('users list')).toMatchObject({ exitCode: 0, stdout: 'No users match.\n' });

  const after = await latchkey('migrate status');
  expect(after.exitCode).toBe(0);
  expect(after.stdout).toMatch(/^Applied +1, 2, 3.*\nPending +none\n\nThe schema is up to date\.\n$/);
  expect(await latchkey('migrate')).toMatchObject({ exitCode: 0, stdout: 'The schema is up to date.\n' });
});

test('with --json, `latchkey migrate` and `latchkey migrate status` print JSON', async () => {
  const { exitCode, stdout } = await latchkey('migrate status --json');
  expect(exitCode).toBe(4);
  const { pending, ...state } = JSON.parse(stdout);
  expect(state).toEqual({ applied: [], breaking: [], newer: [], problem: null, current: false });
  expect(await jsonOn(() => database)('migrate')).toEqual({ applied: pending });
  expect(await jsonOn(() => database)('migrate')).toEqual({ applied: [] });
  expect(await jsonOn(() => database)('migrate status')).toEqual({
    applied: pending,
    pending: [],
    breaking: [],
    newer: [],
    problem: null,
    current: true,
  });
});

describe('with a role for the service,', () => {
  const role = newRole('service');
  const owner = newRole('owner');
  beforeEach(async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql.unsafe(`
      create role ${role} login password 'of its own';
      create role ${owner} login password 'of its own';
      grant create on database ${name} to ${owner};`);
  });
  afterEach(async () => {
    await database.sql.unsafe(`drop owned by ${owner} cascade; drop owned by ${role}`);
    await dropRoles(role, owner);
  });
  const as = (name: string) => urlAs(database.url, name);
  const migrate = (flags = '', env = {}) =>
    runCommand(`migrate ${flags}`, {
      env: { MIGRATION_DATABASE_URL: as(owner), DATABASE_URL: as(role), ...env },
    });

  test('`latchkey migrate` uses MIGRATION_DATABASE_URL, and `users list` uses DATABASE_URL', async () => {
    const first = await migrate(`--service-role=${role}`);
    expect([first.exitCode, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(
      new RegExp(`^Applied migrations: 1, 2, 3.*\\.\nThe role ${role} has the rights of the service\\.\n$`),
    );
    expect(await migrate()).toMatchObject({ exitCode: 0, stdout: 'The schema is up to date.\n' });
    expect((await migrate('status')).exitCode).toBe(0);
    const env = { DATABASE_URL: as(role) };
    expect(await runCommand('users list', { env })).toMatchObject({ exitCode: 0, stderr: '' });
    const [users] = await database.sql`select tableowner from pg_tables where tablename = 'users'`;
    expect(users).toEqual({ tableowner: owner });
  });

  test('`latchkey migrate` needs only MIGRATION_DATABASE_URL in production, and never prints its password', async () => {
    const env = { DATABASE_URL: undefined, JWT_SECRET: undefined, NODE_ENV: 'production' };
    expect((await migrate(`--service-role=${role}`, env)).exitCode).toBe(0);
    const invalid = await migrate('', { ...env, MIGRATION_DATABASE_URL: 'mysql://ada:open-sesame@db/shop' });
    expect([invalid.exitCode, invalid.stdout]).toEqual([2, '']);
    expect(invalid.stderr).toMatch(/MIGRATION_DATABASE_URL: given .+; expected postgresql:\/\//);
    expect(invalid.stderr).not.toContain('open-sesame');
  });

  test('`latchkey migrate` changes the minimum retention of the audit log, and records the operator', async () => {
    const changed = await migrate(`--service-role=${role} --audit-retention-minimum=30`);
    expect(changed.stdout).toMatch(/\nThe audit log keeps each event for at least 30 days\.\n$/);
    const { stdout } = await runCommand('audit tail --json', { env: { DATABASE_URL: as(role) } });
    expect(JSON.parse(stdout).events).toMatchObject([
      { event: 'audit.change_minimum', actor: { type: 'operator' }, details: { from: 90, to: 30 } },
    ]);
    expect((await migrate('--audit-retention-minimum=0')).exitCode).toBe(2);
  });

  test.each([
    ['that does not exist', 'nobody_at_all', /does not exist\. Create it: create role nobody_at_all/],
    ['that owns the schema', owner, /owns the schema latchkey/],
  ])('`latchkey migrate` rejects a role %s, and says what to do', async (_, name, message) => {
    const ended = await migrate(`--service-role=${name}`);
    expect([ended.exitCode, ended.stdout]).toEqual([4, '']);
    expect(ended.stderr).toMatch(message);
  });

  test('a command whose role has no rights exits with 4 and names `latchkey migrate --service-role`', async () => {
    await migrate();
    const ended = await runCommand('users list', { env: { DATABASE_URL: as(role) } });
    expect([ended.exitCode, ended.stdout]).toEqual([4, '']);
    expect(ended.stderr).toContain('latchkey migrate --service-role=');
  });
});

test('four concurrent runs of `latchkey migrate` succeed and apply each migration only once', async () => {
  const ended = await Promise.all(Array.from({ length: 4 }, () => jsonOn(() => database)('migrate')));
  const applied = ended.flatMap(({ applied }) => applied);
  expect(applied.sort()).toEqual([...new Set(applied)]);
  expect(applied.length).toBeGreaterThan(0);
  expect((await latchkey('migrate status')).exitCode).toBe(0);
});

test('`latchkey migrate` says that it waits for a lock of another transaction, and then migrates', async () => {
  const old = await restoreDump(18);
  const before = await commandsOn(() => old)('migrate status');
  expect([before.exitCode, before.stdout]).toEqual([
    4,
    expect.stringMatching(
      /\n\nStop all processes of the earlier version, .*: 19\b.*\. Then run `latchkey migrate`\.\n$/,
    ),
  ]);
  const other = await old.sql.reserve();
  await other.unsafe('begin');
  await other.unsafe('select from latchkey.migrations');
  const migrating = commandsOn(() => old)('migrate');
  await untilWaiting(old.sql);
  await eventually(async () => (await backendsWaiting(old.sql)).length === 0);
  await other.unsafe('commit');
  other.release();
  const { exitCode, stdout, stderr } = await migrating;
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Applied migrations: 19\b.*\.\n$/)]);
  expect(stderr).toContain('Migration 19 waits for a lock that another transaction holds.\n');
  await old.drop();
});

test('after a compatible migration of a newer version, both commands succeed and say so', async () => {
  await latchkey('migrate');
  await database.sql`
    insert into latchkey.migrations (version, name, checksum, compatible_with) values (9999, 'later', 'x', 19)`;
  const words = 'The schema (version 9999) is newer than this version of Latchkey, and compatible with it.\n';
  expect(await latchkey('migrate')).toMatchObject({ exitCode: 0, stdout: words });
  const { exitCode, stdout } = await latchkey('migrate status');
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\nPending +none\n\n/)]);
  expect(stdout.endsWith(words)).toBe(true);
  expect(await jsonOn(() => database)('migrate status')).toMatchObject({ newer: [9999], current: true });
  expect(await latchkey('users list')).toMatchObject({ exitCode: 0, stdout: 'No users match.\n' });
});

test.each([
  [
    `insert into latchkey.migrations (version, name, checksum) values (9999, 'later', 'x')`,
    'newer',
    'Upgrade Latchkey',
  ],
  [`update latchkey.migrations set checksum = 'other' where version = 1`, 'edited', 'Reinstall Latchkey'],
])('after %s, `latchkey migrate status` exits with 4 and says what to do', async (change, problem, words) => {
  await latchkey('migrate');
  await database.sql.unsafe(change);
  const { exitCode, stdout } = await latchkey('migrate status');
  expect([exitCode, stdout]).toEqual([4, expect.stringContaining(words)]);
  const forPrograms = await latchkey('migrate status --json');
  expect(forPrograms.exitCode).toBe(4);
  expect(JSON.parse(forPrograms.stdout)).toMatchObject({ problem, current: false });
  expect(await latchkey('migrate')).toMatchObject({ exitCode: 4, stdout: '' });
});
