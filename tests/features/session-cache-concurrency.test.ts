import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { statuses } from '../support/many-requests.ts';
import { logIn, signUp, userIdOf } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type HeldDatabase, holdingDatabase } from './support/held-database.ts';
import { dropTriggers, type RememberingService, startRemembering } from './support/remembering.ts';

let database: TestDatabase;
let held: HeldDatabase;
let service: RememberingService;
/** Another process on the same database. */
let neighbour: RememberingService;
beforeAll(async () => {
  database = await createTestDatabase();
  held = holdingDatabase(database.url);
  service = await startRemembering(held.database);
  neighbour = await startRemembering(database.url);
});
afterAll(async () => {
  await neighbour.close();
  await service.close();
  await held.end();
  await database.drop();
});

/** Outdates everything that is remembered of a person, and is done when the service has heard so. */
async function outdate(browser: TestAgent, id: string): Promise<void> {
  await service.untilRemembered(browser);
  await database.sql`select pg_notify('latchkey_sessions', ${id})`;
  const before = held.reads();
  await eventually(async () => {
    await service.check(browser);
    return held.reads() > before;
  });
}

/** Lets a check read its row, which does not arrive before something has been done. */
async function overtake(browser: TestAgent, act: () => Promise<unknown>): Promise<void> {
  const gate = held.hold();
  const before = held.reads();
  const checking = service.check(browser);
  await eventually(() => held.reads() > before);
  await act();
  gate.open();
  // It began while the session was alive.
  expect((await checking).status).toBe(200);
}

describe('checks of one session at once', () => {
  test('share one query', async () => {
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

  test('do not share one of sessions of others', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => signUp(service)));
    const before = held.reads();
    const answers = await Promise.all(people.map(({ browser }) => service.check(browser)));
    expect(answers.map(({ body }) => body.user.username)).toEqual(people.map(({ username }) => username));
    expect(held.reads() - before).toBe(5);
  });

  test('fail together where the one query fails, and the next asks anew', async () => {
    const { browser } = await signUp(service);
    await database.sql.unsafe('alter table latchkey.sessions rename to hidden');
    const failed = await Promise.all(Array.from({ length: 5 }, () => service.check(browser)));
    expect(new Set(statuses(failed))).toEqual(new Set([500]));
    await database.sql.unsafe('alter table latchkey.hidden rename to sessions');
    expect((await service.check(browser)).status).toBe(200);
  });
});

describe('a row that has been read before', () => {
  const rounds = Array.from({ length: 50 }, (_, round) => round);

  test('a logout here is not remembered after it', async () => {
    for (const _ of rounds) {
      const { browser } = await signUp(service);
      const before = browser.copy();
      await overtake(before, () => browser.delete('/auth/session'));
      expect((await service.check(before)).status).toBe(401);
    }
  });

  test('a logout elsewhere is not remembered after it is told of', async () => {
    const witness = await signUp(service);
    for (const _ of rounds) {
      const { browser } = await signUp(service);
      const before = browser.copy();
      await service.untilRemembered(witness.browser);
      await overtake(before, async () => {
        await neighbour.browser(browser.cookies).delete('/auth/session');
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

  test('a logout is not what a check that begins after it waits for', async () => {
    const { browser } = await signUp(service);
    const before = browser.copy();
    await overtake(before, async () => {
      await browser.delete('/auth/session');
      expect((await service.check(before)).status).toBe(401);
    });
  });
});

test('what outdates one session of a person outdates what they have', async () => {
  const person = await signUp(service);
  const other = service.browser();
  await logIn(other, person.authenticator);
  await outdate(person.browser, userIdOf(person));
  const stranger = (await signUp(service)).browser;
  for (const browser of [person.browser, other, stranger]) await service.untilRemembered(browser);
  await database.sql`update latchkey.users set display_name = 'Ada' where id = ${userIdOf(person)}`;
  await eventually(async () => (await service.check(other)).body.user.displayName === 'Ada', 2000);
  expect((await service.check(person.browser)).body.user.displayName).toBe('Ada');
  const before = held.reads();
  expect((await service.check(stranger)).body.user.displayName).toBeNull();
  expect(held.reads()).toBe(before);
});

describe('without a word from the database', () => {
  beforeAll(() => dropTriggers(database.sql));

  test('a logout whose answer was lost is known all the same', async () => {
    const { browser } = await signUp(service);
    const remembered = browser.copy();
    await service.untilRemembered(remembered);
    held.loseAnswer();
    expect((await browser.delete('/auth/session')).status).toBe(503);
    expect((await service.check(remembered)).status).toBe(401);
  });

  test('a row that was read on the way of a logout is not believed after it', async () => {
    const { browser } = await signUp(service);
    const remembered = browser.copy();
    held.beforeOutdating(() => service.untilRemembered(remembered));
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await service.check(remembered)).status).toBe(401);
  });
});
