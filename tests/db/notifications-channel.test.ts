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
const heard: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.listen('latchkey_sessions', (payload) => heard.push(payload));
  service = await startRemembering(database.url, { bcryptCost: 4 });
});
beforeEach(() => {
  heard.length = 0;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** Until everything that has been notified so far has arrived. */
async function untilHeard(): Promise<void> {
  const last = crypto.randomUUID();
  await database.sql`select pg_notify('latchkey_sessions', ${last})`;
  await eventually(() => heard.includes(last));
  heard.splice(heard.indexOf(last), 1);
}

test('the channel holds ids of users and nothing else, whatever is done to sessions', async () => {
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
    await untilHeard();
    const before = heard.length;
    await act();
    await untilHeard();
    expect([name, heard.length > before]).toEqual([name, true]);
  }
  await keepIds();
  const [probe, ...others] = [...new Set(heard.filter((payload) => !ids.has(payload)))];
  // Of the service itself, to learn whether notifications arrive.
  expect([probe, others]).toEqual([expect.stringMatching(/^probe:[\da-f-]{36}$/), []]);
});

test('signups, logins, uses and the removal of what has expired say nothing', async () => {
  await untilHeard();
  heard.length = 0;
  const { browser, authenticator } = await signUp(service);
  await logIn(service.browser(), authenticator);
  await database.sql`update latchkey.sessions set last_seen_at = last_seen_at - interval '1 hour'`;
  expect((await browser.get('/auth/sessions')).status).toBe(200);
  await database.sql`update public.test_clock set ahead = ahead + interval '10 years'`;
  await removeExpired(runtimeOf(service.auth));
  expect(await database.sql`select from latchkey.sessions`).toHaveLength(0);
  await untilHeard();
  expect(heard).toEqual([]);
});
