import { createInMemoryDatabase } from 'latchkey/testing';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { backendsWaiting } from '../support/waiting.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import {
  databaseOn,
  listeningBackends,
  probeMs,
  type RememberingService,
  startChecking,
  startRemembering,
} from './support/remembering.ts';

const clock = stopCacheExpiry();
const timeouts = holdTimeouts(probeMs);
let database: TestDatabase;
let client: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { fetch_types: false, onnotice: () => {} });
});
afterAll(async () => {
  await client.end({ timeout: 1 });
  await database.drop();
});

/** Expects every check to read the session from the database. */
async function expectRows(service: RememberingService): Promise<void> {
  const { browser } = await signUp(service);
  const before = service.reads();
  for (let n = 0; n < 5; n += 1) expect((await service.check(browser)).status).toBe(200);
  expect(service.reads()).toBe(before + 5);
}

describe('sessions are not cached', () => {
  test('with a database object that has no `listen`, and no warning is logged', async () => {
    const { query } = databaseOn(client);
    const service = await startRemembering({ query }, { clock });
    await expectRows(service);
    await service.close();
    expect(service.logged).toEqual([]);
  });

  test('with the in-memory database, and no warning is logged', async () => {
    const service = await startRemembering(createInMemoryDatabase(), { migrate: true, clock });
    await expectRows(service);
    await service.close();
    expect(service.logged.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test('with a single pg client, and no warning is logged', async () => {
    const single = new pg.Client({ connectionString: database.url });
    await single.connect();
    const service = await startRemembering(single as never, { clock });
    await expectRows(service);
    await service.close();
    expect(service.logged).toEqual([]);
    await single.end();
  });

  test('when no notification arrives; then one warning is logged', async () => {
    const { query } = databaseOn(client);
    let closed = 0;
    const listen = async () => ({
      close: async () => {
        closed += 1;
      },
    });
    const service = await startRemembering({ query, listen }, { clock });
    await expectRows(service);
    await eventually(() => timeouts.pending(probeMs) === 1);
    timeouts.expire(probeMs);
    await eventually(() => service.logged.length > 0);
    await expectRows(service);
    expect(service.logged).toMatchObject([{ level: 'warn', fields: { channel: 'latchkey_sessions' } }]);
    expect(service.logged[0]?.message).toMatch(/^notifications do not arrive/);
    await service.close();
    expect(closed).toBe(1);
  });
});

describe('sessions are cached', () => {
  test.each<[string, () => [given: never, end: () => Promise<unknown>]]>([
    [
      'a postgres.js client with one connection',
      () => {
        const own = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} });
        return [own as never, () => own.end()];
      },
    ],
    [
      'a pg pool with one connection',
      () => {
        const pool = new pg.Pool({ connectionString: database.url, max: 1 });
        return [pool as never, () => pool.end()];
      },
    ],
  ])('with %s, and the service listens on a separate connection until it closes', async (_, give) => {
    const [given, end] = give();
    const service = await startRemembering(given, { clock });
    const { browser } = await signUp(service);
    await service.untilRemembered(browser);
    expect(await listeningBackends(database.sql)).toHaveLength(1);
    // These statements must not run on the listening connection.
    await Promise.all(Array.from({ length: 5 }, () => browser.get('/auth/sessions')));
    const before = browser.copy();
    await browser.delete('/auth/session');
    expect((await service.check(before)).status).toBe(401);
    await service.close();
    await eventually(async () => (await listeningBackends(database.sql)).length === 0);
    expect(service.logged).toEqual([]);
    await end();
  });

  test('with a pg pool, even after the listening connection was terminated', async () => {
    const pool = new pg.Pool({ connectionString: database.url });
    const service = await startRemembering(pool, { clock });
    const { browser } = await signUp(service);
    await service.untilRemembered(browser);
    for (const pid of await listeningBackends(database.sql))
      await database.sql`select pg_terminate_backend(${pid}::int)`;
    await eventually(() => service.logged.length === 2);
    await service.untilRemembered(browser);
    await service.close();
    await pool.end();
    expect(service.logged.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  test('only after the first check, because listening starts with the first check', async () => {
    const service = await startRemembering(database.url, { clock });
    const { browser } = await signUp(service);
    await browser.get('/auth/sessions');
    expect(await listeningBackends(database.sql)).toEqual([]);
    await service.untilRemembered(browser);
    expect(await listeningBackends(database.sql)).toHaveLength(1);
    await service.close();
  });

  test('with a URL, and a cached check does not read the table', async () => {
    const service = await startChecking(database.url, { clock });
    const { browser } = await signUp(service);
    await service.check(browser);
    await eventually(async () => (await listeningBackends(database.sql)).length === 1);
    const locked = await database.sql.reserve();
    await eventually(async () => {
      await service.check(browser);
      await locked`begin`;
      await locked`lock table latchkey.sessions in access exclusive mode`;
      let answered = false;
      const checking = service.check(browser).finally(() => {
        answered = true;
      });
      // A check that needs the database waits for the locked table.
      let waits = false;
      await eventually(async () => {
        waits = (await backendsWaiting(database.sql)).length > 0;
        return waits || answered;
      });
      await locked`rollback`;
      expect((await checking).status).toBe(200);
      return !waits;
    });
    locked.release();
    await service.close();
    await eventually(async () => (await listeningBackends(database.sql)).length === 0);
    expect(service.logged.filter(({ fields }) => 'channel' in fields)).toEqual([]);
  });
});
