import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type HeldDatabase, holdingDatabase } from './support/held-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

const clock = stopCacheExpiry();
let database: TestDatabase;
let held: HeldDatabase;
let service: RememberingService;
/** Another process on the same database. */
let neighbor: RememberingService;
beforeEach(async () => {
  database = await createTestDatabase();
  held = holdingDatabase(database.url);
  neighbor = await startRemembering(database.url, { clock });
});
afterEach(async () => {
  await neighbor.close();
  await service.close();
  await held.end();
  await database.drop();
});

/**
 * Starts a check, and waits until the database has read the row. The returned function lets the service receive the
 * row.
 */
async function beginCheck(browser: Parameters<RememberingService['check']>[0]) {
  const gate = held.hold();
  const before = held.reads();
  const checking = service.check(browser);
  await eventually(() => held.reads() > before);
  return async () => {
    gate.open();
    return (await checking).status;
  };
}

describe('while the service does not listen,', () => {
  test('a check after a sign-out in another process does not use a read that started before the sign-out', async () => {
    const { query } = held.database;
    service = await startRemembering({ query }, { clock });
    const { browser } = await signUp(neighbor);
    const before = browser.copy();
    const finish = await beginCheck(before);
    await browser.delete('/auth/session');
    expect((await service.check(before)).status).toBe(401);
    expect(await finish()).toBe(200);
  });

  test('a check that starts caches no row, even if the service starts to listen before the row arrives', async () => {
    service = await startRemembering(held.database, { clock });
    const [{ browser }, other] = [await signUp(neighbor), await signUp(neighbor)];
    const finish = await beginCheck(browser);
    await service.untilRemembered(other.browser);
    expect(await finish()).toBe(200);
    const before = held.reads();
    expect((await service.check(browser)).status).toBe(200);
    expect(held.reads()).toBe(before + 1);
  });
});
