import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type HeldDatabase, holdingDatabase } from './support/held-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { dropTriggers, type RememberingService, startRemembering } from './support/remembering.ts';

let database: TestDatabase;
let held: HeldDatabase;
let service: RememberingService;
/** The clock of the process. Only the tests move this clock. */
let now = Number(stopCacheExpiry()());
let person: Person;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropTriggers(database.sql);
  held = holdingDatabase(database.url);
  service = await startRemembering(held.database, { clock: () => new Date(now) });
});
beforeEach(async () => {
  person = await signUp(service);
  await service.untilRemembered(person.browser);
});
afterAll(async () => {
  await service.close();
  await held.end();
  await database.drop();
});

const deleteRow = () => database.sql`delete from latchkey.sessions where user_id = ${userIdOf(person)}`;
const status = async () => (await service.check(person.browser)).status;

test('a cached session that ends without a notification is accepted for less than five seconds', async () => {
  await deleteRow();
  now += 4999;
  expect(await status()).toBe(200);
  now += 1;
  expect(await status()).toBe(401);
});

test('the limit of five seconds also applies when the clock is set back', async () => {
  await deleteRow();
  now -= 3_600_000;
  vi.mocked(performance.now).mockReturnValue(performance.now() + 5001);
  expect(await status()).toBe(401);
});

test('after a slow read of the session, the five seconds are counted from the start of the read', async () => {
  await database.sql`select pg_notify('latchkey_sessions', ${userIdOf(person)})`;
  await eventually(async () => {
    const before = held.reads();
    await service.check(person.browser);
    return held.reads() > before;
  });
  now += 5000;
  const gate = held.hold();
  const before = held.reads();
  const checking = service.check(person.browser);
  await eventually(() => held.reads() > before);
  await deleteRow();
  now += 3000;
  gate.open();
  expect((await checking).status).toBe(200);
  now += 1999;
  expect(await status()).toBe(200);
  now += 1;
  expect(await status()).toBe(401);
});
