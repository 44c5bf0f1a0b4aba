import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockWaiting } from '../../src/db/apply-migration.ts';
import { migrate, migrations, newestOf } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/migration.ts';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { buildChildProgram } from '../support/child-program.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, signUp } from '../support/person.ts';
import { bundleProgram } from '../support/program-bundle.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { untilWaiting } from '../support/waiting.ts';
import { restoreDump } from './support/restored-database.ts';

const next = newestOf(migrations) + 1;
const addingColumn: Migration = {
  version: next,
  name: 'adding-column',
  compatibleWith: next,
  script: 'alter table latchkey.users add column later_name text;',
};
const known = [...migrations, addingColumn];

let database: TestDatabase;
let clients: Sql[];
const connect = (target = database) => {
  const client = postgres(target.url, { max: 1, onnotice: () => {} });
  clients.push(client);
  return client;
};
beforeEach(async () => {
  clients = [];
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end({ timeout: 0 })));
  await database.drop();
});

/** Starts a transaction that has read a table, like a long report. Returns a function that ends it. */
async function startLongTransaction(table: string, target = database): Promise<() => Promise<unknown>> {
  const client = connect(target);
  await client.unsafe('begin');
  await client.unsafe(`select from ${table}`);
  return () => client.unsafe('commit');
}

const versionsIn = async ({ sql }: TestDatabase) => {
  const rows = await sql<{ version: number }[]>`select version from latchkey.migrations order by version`;
  return rows.map(({ version }) => version);
};
const knownVersions = migrations.map(({ version }) => version);

describe('while a long transaction holds a lock that a migration needs', () => {
  test('the service responds between the attempts, and the migration succeeds after the transaction', async () => {
    const service = await startServiceOn(database.url);
    const { authenticator, browser } = await signUp(service);
    const end = await startLongTransaction('latchkey.users');
    const waited: number[] = [];
    const migrated = migrate(fromPostgresClient(connect()), known, {
      timeoutMs: 100,
      pausesMs: Array(10_000).fill(20),
      onWait: (version) => waited.push(version),
    });
    let failure: unknown;
    migrated.catch((error) => {
      failure = error;
    });
    // The sign-in reads and changes the table while the migration waits for its lock.
    for (let round = 1; round <= 3; round += 1) {
      await eventually(() => failure !== undefined || waited.length >= round);
      expect(failure).toBeUndefined();
      expect((await logIn(service.browser(), authenticator)).status).toBe(200);
      expect((await browser.get('/auth/sessions')).status).toBe(200);
    }
    expect(await versionsIn(database)).toEqual(knownVersions);
    await end();
    expect(await migrated).toEqual([next]);
    expect(new Set(waited)).toEqual(new Set([next]));
    await service.close();
  });

  test('the migration fails after the last attempt, says what to do, and has changed nothing', async () => {
    const end = await startLongTransaction('latchkey.users');
    const waited: number[] = [];
    const client = connect();
    const migrated = migrate(fromPostgresClient(client), known, {
      timeoutMs: 50,
      pausesMs: [0, 0],
      onWait: (version) => waited.push(version),
    });
    await expect(migrated).rejects.toMatchObject({
      name: 'SchemaError',
      code: 'schema_locked',
      message: expect.stringMatching(
        new RegExp(`^Migration ${next} needs a lock.*changed nothing in 3 attempts.*pg_stat_activity`),
      ),
    });
    expect(waited).toEqual([next, next]);
    expect(await versionsIn(database)).toEqual(knownVersions);
    const [setting] = await client`show lock_timeout`;
    expect(setting).toEqual({ lock_timeout: '0' });
    await end();
  });

  test('a service with `migrate: true` logs that it waits, and then starts', async () => {
    const old = await restoreDump(18);
    const end = await startLongTransaction('latchkey.migrations', old);
    const warned: object[] = [];
    const log = { info() {}, error() {}, warn: (fields: object) => void warned.push(fields) };
    const starting = startServiceOn(old.url, { migrate: true, log });
    await eventually(() => warned.some((fields) => 'version' in fields));
    await end();
    const service = await starting;
    expect(warned).toContainEqual({ version: 19 });
    expect(await service.auth.isReady()).toBe(true);
    await service.close();
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await old.drop();
  });
});

test('the default lock timeout is longer than the deadlock timeout, and shorter than the statement timeout', () => {
  expect(lockWaiting.timeoutMs).toBeGreaterThan(1000);
  expect(lockWaiting.timeoutMs).toBeLessThan(4000);
  const total = lockWaiting.pausesMs.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThan(60_000);
  expect(total).toBeLessThan(180_000);
});

test('a migration that PostgreSQL ends because of a deadlock runs again', async () => {
  const db = fromPostgresClient(connect());
  let deadlocks = 0;
  const interrupted: typeof db = {
    query: (statement) => {
      if (!statement.text.includes('later_name') || deadlocks > 0) return db.query(statement);
      deadlocks += 1;
      return Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
    },
  };
  expect(await migrate(interrupted, known, { pausesMs: [0] })).toEqual([next]);
  expect(deadlocks).toBe(1);
});

test('a migration waits for another migration without a time limit', async () => {
  const end = await startLongTransaction('latchkey.users');
  const first = migrate(fromPostgresClient(connect()), known, { timeoutMs: 0, pausesMs: [] });
  await untilWaiting(database.sql);
  const second = migrate(fromPostgresClient(connect()), known, { timeoutMs: 1, pausesMs: [] });
  const settled = second.then(
    () => 'settled',
    () => 'settled',
  );
  await untilWaiting(database.sql, 2);
  // The round trips give PostgreSQL the time to apply the limit of one millisecond.
  for (let round = 0; round < 20; round += 1) await database.sql`select 1`;
  expect(await Promise.race([settled, Promise.resolve('waiting')])).toBe('waiting');
  await end();
  expect([await first, await second]).toEqual([[next], []]);
});

test('after a process is killed during a migration, the next process applies the remaining migrations', async () => {
  const old = await restoreDump(17);
  const end = await startLongTransaction('latchkey.users', old);
  const script = await bundleProgram('tests/db/support/migrate-program.ts', `killed-${process.pid}.mjs`);
  const child = spawn(process.execPath, [script, old.url], { stdio: ['pipe', 'ignore', 'ignore'] });
  const exit = once(child, 'exit');
  child.stdin.end('go\n');
  await untilWaiting(old.sql);
  child.kill('SIGKILL');
  await exit;
  rmSync(script, { force: true });
  await end();
  const program = await buildChildProgram('tests/db/support/migrate-program.ts');
  const answers = await program.runAtOnce(2, { args: [old.url] });
  program.remove();
  expect(answers.map(({ errors }) => errors)).toEqual(['', '']);
  // PostgreSQL may have completed the script of the killed process.
  expect(await versionsIn(old)).toEqual(knownVersions);
  expect(new Set(answers.flatMap(({ answer }) => answer)).size).toBe(
    answers.flatMap(({ answer }) => answer).length,
  );
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await old.drop();
});
