import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { type RememberingService, startRemembering } from '../features/support/remembering.ts';
import { acts } from '../features/support/session-acts.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let service: RememberingService;
const received: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.listen('latchkey_sessions', (payload) => received.push(payload));
  service = await startRemembering(database.url, { bcryptCost: 4 });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** Waits until all notifications that were sent so far have arrived. */
async function waitForNotifications(): Promise<void> {
  const last = crypto.randomUUID();
  await database.sql`select pg_notify('latchkey_sessions', ${last})`;
  await eventually(() => received.includes(last));
  received.splice(received.indexOf(last), 1);
}

test('each change of a session sends a notification that contains only user ids', async () => {
  const { browser } = await signUp(service);
  await service.untilRemembered(browser);
  const ids = new Set<string>();
  const keepIds = async () => {
    const rows = await database.sql<{ id: string }[]>`select id from latchkey.users`;
    for (const { id } of rows) ids.add(id);
  };
  for (const [name, prepare] of Object.entries(acts)) {
    const { act } = await prepare({ service, sql: database.sql });
    await keepIds();
    await waitForNotifications();
    const before = received.length;
    await act();
    await waitForNotifications();
    expect([name, received.length > before]).toEqual([name, true]);
  }
  await keepIds();
  const [probe, ...others] = [...new Set(received.filter((payload) => !ids.has(payload)))];
  // At startup, the service sends one test notification, the probe, to learn whether notifications arrive.
  expect([probe, others]).toEqual([expect.stringMatching(/^probe:[\da-f-]{36}$/), []]);
});

test('signing up, signing in, session checks and deleting expired rows send no notification', async () => {
  await waitForNotifications();
  received.length = 0;
  const { browser, authenticator } = await signUp(service);
  await logIn(service.browser(), authenticator);
  await database.sql`update latchkey.sessions set last_seen_at = last_seen_at - interval '1 hour'`;
  expect((await browser.get('/auth/sessions')).status).toBe(200);
  await database.sql`update public.test_clock set ahead = ahead + interval '10 years'`;
  await removeExpired(runtimeOf(service.auth));
  expect(await database.sql`select from latchkey.sessions`).toHaveLength(0);
  await waitForNotifications();
  expect(received).toEqual([]);
});
