import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { statuses } from '../support/many-requests.ts';
import { logIn, signUp, userIdOf } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type HeldDatabase, holdingDatabase } from './support/held-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { dropTriggers, type RememberingService, startRemembering } from './support/remembering.ts';

const clock = stopCacheExpiry();
let database: TestDatabase;
let held: HeldDatabase;
let service: RememberingService;
/** Another process on the same database. */
let neighbor: RememberingService;
beforeAll(async () => {
  database = await createTestDatabase();
  held = holdingDatabase(database.url);
  service = await startRemembering(held.database, { clock });
  neighbor = await startRemembering(database.url, { clock });
});
afterAll(async () => {
  await neighbor.close();
  await service.close();
  await held.end();
  await database.drop();
});

/** Sends a notification that invalidates the user's cached sessions. Waits until the service has processed it. */
async function invalidate(browser: TestAgent, id: string): Promise<void> {
  await service.untilRemembered(browser);
  await database.sql`select pg_notify('latchkey_sessions', ${id})`;
  const before = held.reads();
  await eventually(async () => {
    await service.check(browser);
    return held.reads() > before;
  });
}

/** Runs `act` after a check has read its row in the database, before the service receives the row. */
async function actDuringCheck(browser: TestAgent, act: () => Promise<unknown>): Promise<void> {
  const gate = held.hold();
  const before = held.reads();
  const checking = service.check(browser);
  await eventually(() => held.reads() > before);
  await act();
  gate.open();
  // The check succeeds, because it started while the session was valid.
  expect((await checking).status).toBe(200);
}

describe('concurrent checks of one session', () => {
  test('share one read of the database', async () => {
    const { browser } = await signUp(service);
    await service.untilRemembered(browser);
    const other = (await signUp(service)).browser;
    const gate = held.hold();
    const before = { reads: held.reads(), begun: service.begun() };
    const checking = Array.from({ length: 50 }, () => service.check(other));
    await eventually(() => service.begun() === before.begun + 50);
    gate.open();
    expect(new Set(statuses(await Promise.all(checking)))).toEqual(new Set([200]));
    expect(held.reads() - before.reads).toBe(1);
  });

  test('share no read with checks of other sessions', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => signUp(service)));
    const before = held.reads();
    const answers = await Promise.all(users.map(({ browser }) => service.check(browser)));
    expect(answers.map(({ body }) => body.user.username)).toEqual(users.map(({ username }) => username));
    expect(held.reads() - before).toBe(5);
  });

  test('all fail if their read fails, and the next check reads again', async () => {
    const { browser } = await signUp(service);
    await database.sql.unsafe('alter table latchkey.sessions rename to hidden');
    const failed = await Promise.all(Array.from({ length: 5 }, () => service.check(browser)));
    expect(new Set(statuses(failed))).toEqual(new Set([500]));
    await database.sql.unsafe('alter table latchkey.hidden rename to sessions');
    expect((await service.check(browser)).status).toBe(200);
  });
});

describe('if a user signs out while a check reads the row,', () => {
  const rounds = Array.from({ length: 20 }, (_, round) => round);

  test('the row is not cached (sign-out in the same process)', async () => {
    for (const _ of rounds) {
      const { browser } = await signUp(service);
      const before = browser.copy();
      await actDuringCheck(before, () => browser.delete('/auth/session'));
      expect((await service.check(before)).status).toBe(401);
    }
  });

  test('the row is not cached after the notification arrives (sign-out in another process)', async () => {
    const witness = await signUp(service);
    for (const _ of rounds) {
      const { browser } = await signUp(service);
      const before = browser.copy();
      await service.untilRemembered(witness.browser);
      await actDuringCheck(before, async () => {
        await neighbor.browser(browser.cookies).delete('/auth/session');
        const known = held.reads();
        // Notifications arrive in the order of their commits.
        await database.sql`select pg_notify('latchkey_sessions', ${userIdOf(witness)})`;
        await eventually(async () => {
          await service.check(witness.browser);
          return held.reads() > known;
        });
      });
      expect((await service.check(before)).status).toBe(401);
    }
  });

  test('a check that starts after the sign-out does not wait for the earlier read', async () => {
    const { browser } = await signUp(service);
    const before = browser.copy();
    await actDuringCheck(before, async () => {
      await browser.delete('/auth/session');
      expect((await service.check(before)).status).toBe(401);
    });
  });
});

test('a notification invalidates all cached sessions of its user, and no sessions of other users', async () => {
  const person = await signUp(service);
  const other = service.browser();
  await logIn(other, person.authenticator);
  await invalidate(person.browser, userIdOf(person));
  const stranger = (await signUp(service)).browser;
  for (const browser of [person.browser, other, stranger]) await service.untilRemembered(browser);
  await database.sql`update latchkey.users set display_name = 'Ada' where id = ${userIdOf(person)}`;
  await eventually(async () => (await service.check(other)).body.user.displayName === 'Ada');
  expect((await service.check(person.browser)).body.user.displayName).toBe('Ada');
  const before = held.reads();
  expect((await service.check(stranger)).body.user.displayName).toBeNull();
  expect(held.reads()).toBe(before);
});

describe('without notifications,', () => {
  beforeAll(() => dropTriggers(database.sql));

  test('a sign-out invalidates the cached session even if the result of its statement is lost', async () => {
    const { browser } = await signUp(service);
    const remembered = browser.copy();
    await service.untilRemembered(remembered);
    held.loseAnswer();
    expect((await browser.delete('/auth/session')).status).toBe(503);
    expect((await service.check(remembered)).status).toBe(401);
  });

  test('a row that is read during a sign-out is not cached', async () => {
    const { browser } = await signUp(service);
    const remembered = browser.copy();
    held.beforeOutdating(() => service.untilRemembered(remembered));
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await service.check(remembered)).status).toBe(401);
  });
});
