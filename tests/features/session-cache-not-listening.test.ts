import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type HeldDatabase, holdingDatabase } from './support/held-database.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

let database: TestDatabase;
let held: HeldDatabase;
let service: RememberingService;
/** Another process on the same database. */
let neighbour: RememberingService;
beforeEach(async () => {
  database = await createTestDatabase();
  held = holdingDatabase(database.url);
  neighbour = await startRemembering(database.url);
});
afterEach(async () => {
  await neighbour.close();
  await service.close();
  await held.end();
  await database.drop();
});

/** A check whose row has been read, and has not arrived. */
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

describe('as long as nothing is heard of what ends sessions', () => {
  test('a check after a logout elsewhere does not wait for the row of one before it', async () => {
    const { query } = held.database;
    service = await startRemembering({ query });
    const { browser } = await signUp(neighbour);
    const before = browser.copy();
    const finish = await beginCheck(before);
    await browser.delete('/auth/session');
    expect((await service.check(before)).status).toBe(401);
    expect(await finish()).toBe(200);
  });

  test('a row is asked for that is not remembered, even if it arrives later', async () => {
    service = await startRemembering(held.database);
    const [{ browser }, other] = [await signUp(neighbour), await signUp(neighbour)];
    const finish = await beginCheck(browser);
    await service.untilRemembered(other.browser);
    expect(await finish()).toBe(200);
    const before = held.reads();
    expect((await service.check(browser)).status).toBe(200);
    expect(held.reads()).toBe(before + 1);
  });
});
