import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Break, type DatabaseProxy, startDatabaseProxy } from '../faults/support/database-proxy.ts';
import type { Answer, TestAgent } from '../support/agent.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const before = 'a wet towel in Oslo';
const after = 'nine lamps, one dark';

/** Undisturbed: people are made ready and looked after by it. */
let service: TestService;
let proxy: DatabaseProxy;
/** Behind the proxy, with a higher cost, so that a login hashes anew. */
let broken: ServiceOn;
/** Whose statements a test makes fail with an error of its choice. */
let failing: ServiceOn;
let failure: { at: number; error: Error } | null = null;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  proxy = await startDatabaseProxy(service.database.url);
  broken = await startServiceOn(proxy.url, { bcryptCost: 5 });
  failing = await startSecondInstance(service, { bcryptCost: 5 }, () => {
    if (!failure) return;
    failure.at -= 1;
    if (failure.at > 0) return;
    const { error } = failure;
    failure = null;
    throw error;
  });
});
afterAll(async () => {
  await broken.close();
  await proxy.close();
  await failing.close();
  await service.close();
});

const enter = ({ username }: Person, password: string) =>
  service.browser().post('/auth/password/login', { username, password });

const sessionsOf = async ({ signedUp }: Person): Promise<number> =>
  (
    await service.database.sql`
      select from latchkey.sessions where user_id = ${signedUp.body.user.id}`
  ).length;

/** An action made ready, the status it ends with where nothing breaks, and what has to hold whatever did. */
interface Prepared {
  person: Person;
  act(browser: TestAgent): Promise<Answer>;
  done: number;
  /** @param happened whether the audit log has a row of it */
  expectWhole(happened: boolean): Promise<void>;
  event: string;
}

async function withPassword(): Promise<Person> {
  const person = await signUp(service);
  await person.browser.post('/auth/password/add', { password: before });
  return person;
}

async function expectPassword(person: Person, works: string | null): Promise<void> {
  for (const password of [before, after]) {
    expect([password, (await enter(person, password)).status]).toEqual([
      password,
      password === works ? 200 : 401,
    ]);
  }
}

const actions: Record<string, () => Promise<Prepared>> = {
  async 'login that hashes anew'() {
    const person = await withPassword();
    const { username } = person;
    const sessions = await sessionsOf(person);
    return {
      person,
      act: (browser) => {
        browser.cookies.clear();
        return browser.post('/auth/password/login', { username, password: before });
      },
      done: 200,
      event: 'password.login',
      expectWhole: async (happened) => {
        expect(await sessionsOf(person)).toBe(sessions + (happened ? 1 : 0));
        const [row] = await service.database.sql`
          select password_hash from latchkey.users where username = ${username}`;
        expect(row?.password_hash.slice(0, 7)).toBe(happened ? '$2b$05$' : '$2b$04$');
        await expectPassword(person, before);
      },
    };
  },
  async 'first password'() {
    const person = await signUp(service);
    return {
      person,
      act: (browser) => browser.post('/auth/password/add', { password: before }),
      done: 201,
      event: 'password.add',
      expectWhole: async (happened) => {
        await expectPassword(person, happened ? before : null);
        expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
      },
    };
  },
  async 'password in place of another'() {
    const person = await withPassword();
    return {
      person,
      act: (browser) => browser.post('/auth/password/add', { password: after }),
      done: 200,
      event: 'password.replace',
      expectWhole: (happened) => expectPassword(person, happened ? after : before),
    };
  },
  async removal() {
    const person = await withPassword();
    return {
      person,
      act: (browser) => browser.delete('/auth/password/remove'),
      done: 204,
      event: 'password.remove',
      expectWhole: async (happened) => {
        await expectPassword(person, happened ? null : before);
        expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
      },
    };
  },
  async 'step-up'() {
    const person = await withPassword();
    const old = person.browser.copy();
    return {
      person,
      act: (browser) => browser.post('/auth/password/stepup', { password: before }),
      done: 200,
      event: 'password.stepup',
      expectWhole: async (happened) => {
        // Where it has happened the old token is dead, even if nobody was told of the new one.
        expect((await old.get('/auth/session')).status).toBe(happened ? 401 : 200);
        expect(await sessionsOf(person)).toBe(1);
        await expectPassword(person, before);
      },
    };
  },
};

/** What became of it: its row is in the audit log once or not at all, and everything else is as that says. */
async function expectWhole({ person, event, expectWhole: whole }: Prepared): Promise<boolean> {
  const rows = await service.database.sql`
    select from latchkey.audit_events
    where event = ${event} and outcome = 'success' and target_id = ${person.signedUp.body.user.id}`;
  expect([0, 1]).toContain(rows.length);
  const happened = rows.length === 1;
  await whole(happened);
  return happened;
}

/** The person's browser, with its session, at another instance. */
const kept = ({ person }: Prepared, at: ServiceOn) => at.browser(person.browser.cookies);

describe.each(Object.entries(actions))('a %s,', (_, prepare) => {
  test.each<[when: string, how: Break]>([
    ['before the database has the statement', 'unsent'],
    ['after the statement has run, before its answer is back', 'unanswered'],
  ])('whose connection is killed %s, is 503 and has happened whole or not at all', async (_, how) => {
    let breaks = 0;
    const happened: boolean[] = [];
    for (;;) {
      const prepared = await prepare();
      const browser = kept(prepared, broken);
      // With a connection open: its opening is no statement, and would be counted as one.
      expect((await browser.get('/auth/session')).status).toBe(200);
      proxy.breakAt(breaks + 1, how);
      const { status, body, headers } = await prepared.act(browser);
      const pending = proxy.takeBreak();
      happened.push(await expectWhole(prepared));
      if (pending) {
        // It has fewer statements than that; nothing broke.
        expect(status).toBe(prepared.done);
        break;
      }
      expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
      breaks += 1;
    }
    expect(breaks).toBeGreaterThanOrEqual(2);
    const last = how === 'unanswered' ? [true, true] : [false, true];
    expect(happened).toEqual([...Array(breaks - 1).fill(false), ...last]);
  });

  test.each<[what: string, error: () => Error, status: number, code: string]>([
    [
      'the database shutting down',
      () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
      503,
      'unavailable',
    ],
    ['a fault of ours', () => new Error('a slip'), 500, 'internal_error'],
  ])('met by %s at any of its statements, has not happened', async (_, error, status, code) => {
    let failed = 0;
    for (;;) {
      const prepared = await prepare();
      const browser = kept(prepared, failing);
      failure = { at: failed + 1, error: error() };
      const answer = await prepared.act(browser);
      if (failure) {
        failure = null;
        expect(answer.status).toBe(prepared.done);
        expect(await expectWhole(prepared)).toBe(true);
        break;
      }
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(JSON.stringify(answer.body)).not.toMatch(/slip|terminating/);
      expect(await expectWhole(prepared)).toBe(false);
      // The same once more goes through: nothing was left behind.
      expect((await prepared.act(browser)).status).toBe(prepared.done);
      failed += 1;
    }
    expect(failed).toBeGreaterThanOrEqual(2);
  });
});

test('a refused login whose failure cannot be written down is 503, not 401', async () => {
  const { username } = await withPassword();
  for (const at of [1, 2]) {
    failure = { at, error: Object.assign(new Error('gone'), { code: '57P01' }) };
    const answer = await failing.browser().post('/auth/password/login', { username, password: after });
    expect([answer.status, failure]).toEqual([503, null]);
  }
});
