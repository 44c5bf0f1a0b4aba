import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { inTurn, statuses, times, together } from '../support/many-requests.ts';
import { logIn, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { logInByPassword, signUpWithPassword, wrongPassword } from './support/passwords.ts';
import { useCode } from './support/recovery.ts';
import {
  addressNumber,
  from,
  type RefusalRow,
  refusalRows,
  sendRefusedSignIns,
  totalOf,
} from './support/refused-requests.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const running: ServiceOn[] = [];
/** The time of the clocks of all instances. Only `later` changes it. */
let now = Date.now();
let known: Set<string>;
afterEach(async () => {
  for (const instance of running.splice(0)) await instance.close();
});

/** Starts a process with the default threshold, behind one proxy. `newRows` then returns the rows since this call. */
async function start(options: Parameters<typeof startSecondInstance>[1] = {}): Promise<ServiceOn> {
  known = new Set((await refusalRows(service)).map(({ id }) => id));
  const instance = await startSecondInstance(service, {
    auditBurstThreshold: undefined,
    trustedProxies: 1,
    bcryptCost: 4,
    clock: () => new Date(now),
    ...options,
  });
  running.push(instance);
  return instance;
}
const later = (minutes: number) => {
  now += minutes * 60_000;
};
const newRows = async () => (await refusalRows(service)).filter(({ id }) => !known.has(id));

/** Closes the process, which records what it has counted. Returns the new rows: single refusals, and bursts. */
async function closed(
  instance: ServiceOn,
): Promise<{ single: RefusalRow[]; bursts: RefusalRow[]; total: number }> {
  await instance.close();
  running.splice(running.indexOf(instance), 1);
  const rows = await newRows();
  const single = rows.filter(({ count }) => count === null);
  return { single, bursts: rows.filter(({ count }) => count !== null), total: totalOf(rows) };
}

const guess = (browser: TestAgent, username: string) => logInByPassword(browser, { username }, wrongPassword);

describe('a flood of refused sign-ins', () => {
  test('from one IP address: the log records 2,000 refusals as 11 events, whose counts add up to 2,000', async () => {
    const instance = await start();
    await sendRefusedSignIns(instance, 2000);
    const { single, bursts, total } = await closed(instance);
    expect([single.length, bursts.length, total]).toEqual([10, 1, 2000]);
    expect(single[0]).toMatchObject({ user_agent: 'flood', request_id: expect.any(String) });
    const time = new Date(now).toISOString();
    expect(bursts).toMatchObject([
      {
        event: 'passkey.login',
        outcome: 'failure',
        actor_type: 'anonymous',
        target_type: null,
        ip: '127.0.0.1',
        user_agent: null,
        request_id: null,
        details: { reason: 'challenge_unknown', firstAt: time, lastAt: time },
        count: 1990,
      },
    ]);
  });

  test('from 2,000 IP addresses: the log records 2,000 refusals as 401 events, whose counts add up to 2,000', async () => {
    const instance = await start();
    await sendRefusedSignIns(instance, 2000, addressNumber);
    const { single, bursts, total } = await closed(instance);
    expect([single.length, bursts.length, total]).toEqual([300, 101, 2000]);
    const others = bursts.filter(({ ip }) => ip === null);
    expect(others).toMatchObject([{ event: 'passkey.login', count: 2000 - 300 - 100 }]);
  });

  test('from the IPv6 addresses of one /64 network has the network as its IP address', async () => {
    const instance = await start();
    await sendRefusedSignIns(instance, 40, (index) => `2001:db8::${(index + 1).toString(16)}`);
    const { single, bursts } = await closed(instance);
    expect(new Set(single.map(({ ip }) => ip)).size).toBe(10);
    expect(bursts).toMatchObject([{ ip: '2001:db8::/64', count: 30 }]);
  });

  test('is counted separately by each process', async () => {
    const instances = [await start(), await start()];
    await Promise.all(instances.map((instance) => sendRefusedSignIns(instance, 50)));
    for (const instance of instances) await closed(instance);
    expect((await newRows()).map(({ count }) => count)).toEqual([...times(20, null), 40, 40]);
  });

  test('has a separate event for each of its first refusals, and again after ten minutes', async () => {
    const instance = await start();
    await sendRefusedSignIns(instance, 15);
    later(9);
    await sendRefusedSignIns(instance, 5);
    expect(await newRows()).toHaveLength(10);
    later(1);
    await sendRefusedSignIns(instance, 15);
    expect(await newRows()).toHaveLength(20);
    const { bursts } = await closed(instance);
    const [firstAt, lastAt] = [now - 10 * 60_000, now].map((time) => new Date(time).toISOString());
    expect(bursts).toMatchObject([{ count: 15, details: { firstAt, lastAt } }]);
  });

  test('has a separate event for each of the first `auditBurstThreshold` refusals', async () => {
    const instance = await start({ auditBurstThreshold: 3 });
    await sendRefusedSignIns(instance, 20);
    const { single, bursts } = await closed(instance);
    expect([single.length, bursts.length]).toEqual([3, 1]);
  });

  test('is counted exactly, even if all requests arrive at the same moment', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const instance = await start();
      const browser = instance.browser();
      const answers = await together(times(60, () => guess(browser, 'unknown-name')));
      expect(new Set(statuses(answers))).toEqual(new Set([401]));
      const { single, bursts } = await closed(instance);
      expect([single.length, bursts.map(({ count }) => count)]).toEqual([10, [50]]);
    }
  });
});

describe('the refusals about an account', () => {
  let ada: Person;
  beforeAll(async () => {
    ada = await signUpWithPassword(service);
  });
  const aboutAda = (rows: RefusalRow[]) => rows.filter(({ target_id: id }) => id === userIdOf(ada));

  test('stay visible during a flood from many IP addresses', async () => {
    const instance = await start();
    await sendRefusedSignIns(instance, 1500, addressNumber);
    const browser = from(instance.browser(), '203.0.113.9');
    await inTurn(3, () => guess(browser, ada.username));
    const { bursts } = await closed(instance);
    expect(aboutAda(bursts)).toMatchObject([
      { target_name: ada.username, ip: '203.0.113.9', details: { reason: 'password_wrong' }, count: 3 },
    ]);
  });

  test('stay visible during a flood about 250 other accounts', async () => {
    const others = await Promise.all(Array.from({ length: 250 }, () => insertUser(service)));
    const instance = await start({ auditBurstThreshold: 1 });
    const send = (index: number, username: string) =>
      guess(from(instance.browser(), addressNumber(index)), username);
    // Exhausts the number of refusals that get an event of their own.
    for (let index = 0; index < 30; index += 1) await send(index, 'unknown-name');
    for (const [index, username] of others.slice(0, 150).entries()) await send(1000 + index, username);
    await send(1, ada.username);
    await send(2, ada.username);
    for (const [index, username] of others.slice(150).entries()) await send(2000 + index, username);
    const { bursts, total } = await closed(instance);
    expect(aboutAda(bursts)).toMatchObject([{ ip: null, count: 2 }]);
    expect(total).toBe(30 + 250 + 2);
    // 100 with an IP address, 100 without, and the rest in one event.
    const about = bursts.filter(({ target_id: id }) => id !== null);
    expect([about.length, about.filter(({ ip }) => ip === null).length]).toEqual([200, 100]);
    expect(bursts.filter(({ target_id: id, ip }) => id === null && ip === null)).toMatchObject([
      { count: 51 },
    ]);
  });

  test('name the actor if the request has proved who the user is', async () => {
    const person = await signUp(service);
    await setStatus(service, person, 'disabled');
    const instance = await start();
    const browser = instance.browser();
    await inTurn(12, () => logIn(browser, person.authenticator));
    const { single, bursts } = await closed(instance);
    const actor = { actor_type: 'user', actor_id: userIdOf(person), details: { reason: 'user_disabled' } };
    expect([single.length, single[0]]).toMatchObject([10, actor]);
    expect(bursts).toMatchObject([{ ...actor, target_type: 'passkey', count: 2 }]);
  });

  test('are separate for each reason', async () => {
    const instance = await start();
    const browser = instance.browser();
    await inTurn(10, () => guess(browser, ada.username));
    await inTurn(2, () => guess(browser, ada.username));
    await inTurn(3, () => guess(browser, newUsername('unknown')));
    await inTurn(12, () => useCode(browser, ada, 'CCCCC-9QHFV-2WC8P-JR46X'));
    const { bursts } = await closed(instance);
    expect(bursts.map(({ event, details: { reason }, count }) => [event, reason, count]).sort()).toEqual([
      ['password.login', 'password_wrong', 2],
      ['password.login', 'username_unknown', 3],
      ['recovery_code.use', 'code_unknown', 2],
    ]);
  });

  test('cause the same number of statements as the refusals of an unknown username, in and out of a burst', async () => {
    const flooded = await startTestService({ bcryptCost: 4, auditBurstThreshold: undefined });
    const { username } = await signUpWithPassword(flooded);
    const browser = flooded.browser();
    const statementsOf = async (name: string) => {
      flooded.statements.length = 0;
      await guess(browser, name);
      return flooded.statements.length;
    };
    const before = [await statementsOf(username), await statementsOf('unknown-name')];
    await inTurn(8, () => guess(browser, 'unknown-name'));
    const within = [await statementsOf(username), await statementsOf('unknown-name')];
    // One statement reads the account. The other one records the event, or in a burst, waits for a standby.
    expect([before, within]).toEqual([
      [2, 2],
      [2, 2],
    ]);
    await flooded.close();
  });
});

describe('refusals that are recorded one by one, however many there are', () => {
  test('are those of a signed-in user', async () => {
    const { browser } = await signUp(service);
    const instance = await start();
    const signedIn = instance.browser(browser.cookies);
    await inTurn(15, () => signedIn.get('/auth/admin/audit'));
    expect(await newRows()).toMatchObject(times(15, { event: 'audit.list', count: null }));
    expect((await closed(instance)).bursts).toEqual([]);
  });

  test('are those of an operator', async () => {
    const instance = await start();
    await signUp(service, { username: 'taken' });
    const operator = instance.auth.asOperator('ops');
    for (let attempt = 0; attempt < 15; attempt += 1)
      await expect(operator.bootstrap({ username: 'taken' })).rejects.toThrow();
    expect((await closed(instance)).single).toHaveLength(15);
  });

  test('do not include changes: every sign-in has its event during a burst', async () => {
    const { authenticator, username } = await signUp(service);
    const instance = await start();
    await sendRefusedSignIns(instance, 30);
    const browser = instance.browser();
    const answers = await inTurn(12, () => logIn(browser, authenticator));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const successes = await service.database.sql`
      select count from latchkey.audit_events
      where event = 'passkey.login' and outcome = 'success' and actor_name = ${username}`;
    expect(successes.map(({ count }) => count)).toEqual(times(12, null));
  });
});

/** Inserts a user without a way to sign in. Returns the username. */
async function insertUser({ database }: TestService): Promise<string> {
  const username = newUsername('other');
  await database.sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    values (gen_random_uuid(), ${username}, ${username}, latchkey.clock())`;
  return username;
}
