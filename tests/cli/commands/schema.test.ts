import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn } from './support/command.ts';

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
  expect(state).toEqual({ applied: [], problem: null, current: false });
  expect(await jsonOn(() => database)('migrate')).toEqual({ applied: pending });
  expect(await jsonOn(() => database)('migrate')).toEqual({ applied: [] });
  expect(await jsonOn(() => database)('migrate status')).toEqual({
    applied: pending,
    pending: [],
    problem: null,
    current: true,
  });
});

test('four concurrent runs of `latchkey migrate` succeed and apply each migration only once', async () => {
  const ended = await Promise.all(Array.from({ length: 4 }, () => jsonOn(() => database)('migrate')));
  const applied = ended.flatMap(({ applied }) => applied);
  expect(applied.sort()).toEqual([...new Set(applied)]);
  expect(applied.length).toBeGreaterThan(0);
  expect((await latchkey('migrate status')).exitCode).toBe(0);
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
