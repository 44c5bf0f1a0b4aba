import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signUp } from '../support/person.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

const program = findPgBouncer();

describe.skipIf(program === null)('behind PgBouncer in transaction mode,', () => {
  const clock = stopCacheExpiry();
  let database: TestDatabase;
  let pooler: PgBouncer;
  let client: postgres.Sql;
  let service: RememberingService;
  /** Another process that is connected directly to PostgreSQL. */
  let neighbor: RememberingService;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(`${program}`, database.url);
    client = postgres(pooler.url, { prepare: false, fetch_types: false, onnotice: () => {} });
    service = await startRemembering(client, { clock });
    neighbor = await startRemembering(database.url, { clock });
  });
  afterAll(async () => {
    await neighbor.close();
    await service.close();
    await client.end({ timeout: 1 });
    await pooler.remove();
    await database.drop();
  });

  test('the service logs one warning, and every check reads the database', async () => {
    const { browser } = await signUp(service);
    expect((await service.check(browser)).status).toBe(200);
    await eventually(() => service.logged.length > 0);
    const before = service.reads();
    for (let n = 0; n < 20; n += 1) expect((await service.check(browser)).status).toBe(200);
    expect(service.reads()).toBe(before + 20);
    expect(service.logged).toMatchObject([
      {
        level: 'warn',
        message: expect.stringMatching(/^notifications do not arrive \(a transaction pooler\?\)/),
      },
    ]);
  });

  test('a session that ends in the service also ends in a process that receives notifications', async () => {
    const { browser } = await signUp(service);
    const before = browser.copy();
    await neighbor.untilRemembered(before);
    await browser.delete('/auth/session');
    await eventually(async () => (await neighbor.check(before)).status === 401);
  });
});
