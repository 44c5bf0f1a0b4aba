import { afterEach, beforeEach, expect, test } from 'vitest';
import { startStartUpProxy } from '../../faults/support/start-up-proxy.ts';
import { logInByPassword } from '../../features/support/passwords.ts';
import { eventually } from '../../support/eventually.ts';
import { startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { backendsWaiting, untilWaiting } from '../../support/waiting.ts';
import { startCommand } from './support/command.ts';
import {
  bootstrapOn,
  countOf,
  credentials,
  eventsOf,
  password,
  superadminsOf,
} from './support/superadmin.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const expectUsable = async (username: string) => {
  const service = await startServiceOn(database.url);
  const { status, body } = await logInByPassword(service.browser(), { username }, password);
  await service.close();
  expect([status, body.user.role]).toEqual([200, 'superadmin']);
};

test('one of five concurrent bootstraps succeeds, and the other four fail with the same message', async () => {
  const names = Array.from({ length: 5 }, (_, number) => `admin-${number}`);
  const ended = await Promise.all(
    names.map((name) => bootstrapOn(database, '', { ...credentials, BOOTSTRAP_ADMIN_USERNAME: name })),
  );
  const refused = ended.filter(({ exitCode }) => exitCode === 3);
  const done = ended.filter(({ exitCode }) => exitCode === 0);
  expect([done.length, refused.length]).toEqual([1, 4]);
  expect(new Set(refused.map(({ stderr }) => stderr)).size).toBe(1);
  expect(refused[0]?.stderr).toContain('The first superadmin was already created');
  expect(refused.map(({ stdout }) => stdout).join('')).toBe('');

  const superadmins = await superadminsOf(database);
  expect(superadmins).toHaveLength(1);
  expect(done[0]?.stdout).toContain(`${superadmins[0]?.username} is a superadmin`);
  await expectUsable(superadmins[0]?.username);
});

test('if three bootstraps all find no superadmin, one succeeds and the others fail with the same message', async () => {
  // Each bootstrap has found no superadmin, and then waits for this lock.
  const holding = await database.sql.reserve();
  await holding`begin`;
  await holding`lock table latchkey.bootstrap in share mode`;
  const started = ['ada', 'grace', 'mary'].map((name) =>
    startCommand(['bootstrap'], {
      env: { DATABASE_URL: database.url, ...credentials, BOOTSTRAP_ADMIN_USERNAME: name },
    }),
  );
  await untilWaiting(holding, 3);
  await holding`commit`;
  holding.release();
  const ended = await Promise.all(started.map(({ ended }) => ended));
  expect(ended.map(({ exitCode }) => exitCode).sort()).toEqual([0, 3, 3]);
  const refusals = ended.filter(({ exitCode }) => exitCode === 3).map(({ stderr }) => stderr);
  expect(refusals[0]).toContain('List superadmins with `latchkey users list --role superadmin`');
  expect(refusals[1]).toBe(refusals[0]);
  expect(await countOf(database, 'users')).toBe(1);
});

test('if a bootstrap is killed at any moment, there is either a superadmin who can sign in or no superadmin', async () => {
  const proxy = await startStartUpProxy(database.url);
  await bootstrapOn({ ...database, url: proxy.url });
  await expectUsable('ada');
  await proxy.close();
  // Kills a bootstrap after its last message to PostgreSQL. Each further round kills one message earlier, until a
  // kill leaves no superadmin. The last round kills before the first statement: after the six messages that start a
  // connection.
  let after = proxy.passed - 1;
  while (after > 6) after = (await killBootstrapAfter(after)) === 0 ? 6 : after - 1;
  expect(await killBootstrapAfter(6)).toBe(0);
  expect(proxy.passed).toBeGreaterThan(8);
});

/**
 * Stops the connection of a bootstrap after this many messages and kills the bootstrap. Returns the number of
 * superadmins.
 */
async function killBootstrapAfter(messages: number): Promise<number> {
  await database.drop();
  database = await createTestDatabase();
  const proxy = await startStartUpProxy(database.url);
  proxy.decide = () => ({ after: messages, how: 'silence' });
  const running = startCommand(['bootstrap'], { env: { DATABASE_URL: proxy.url, ...credentials } });
  await eventually(() => proxy.failed > 0 || running.process.exitCode !== null);
  running.process.kill('SIGKILL');
  await running.ended;
  await proxy.close();
  // PostgreSQL can still finish a statement that it received before the kill.
  await eventually(async () => {
    const [row] = await database.sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    return row?.count === 0;
  });
  const made = await countOf(database, 'users');
  expect(await countOf(database, 'bootstrap')).toBe(made);
  expect(await eventsOf(database, 'superadmin.bootstrap')).toHaveLength(made);
  const again = await bootstrapOn(database);
  expect(again.exitCode).toBe(made === 0 ? 0 : 3);
  await expectUsable('ada');
  return made;
}

test('a bootstrap that is killed while its statement waits for a lock changes nothing', async () => {
  const holding = await database.sql.reserve();
  await holding`begin`;
  await holding`lock table latchkey.audit_events in access exclusive mode`;
  const running = startCommand(['bootstrap'], { env: { DATABASE_URL: database.url, ...credentials } });
  await untilWaiting(holding);
  running.process.kill('SIGKILL');
  await running.ended;
  const rows = await holding`select count(*)::int as count from latchkey.users`;
  expect(rows[0]?.count).toBe(0);
  for (const { pid } of await backendsWaiting(holding)) await holding`select pg_terminate_backend(${pid})`;
  await holding`commit`;
  holding.release();
  expect(await countOf(database, 'users')).toBe(0);
  expect((await bootstrapOn(database)).exitCode).toBe(0);
  await expectUsable('ada');
});
