import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Break, type DatabaseProxy, startDatabaseProxy } from '../faults/support/database-proxy.ts';
import type { Answer, TestAgent } from '../support/agent.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { countAuditRows } from './support/audit-log.ts';
import {
  addPassword,
  costOf,
  logInByPassword,
  otherPassword,
  password,
  removePassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
} from './support/passwords.ts';

/** An instance without faults, for preparing and inspecting accounts. */
let service: TestService;
let proxy: DatabaseProxy;
/** Connects through the proxy. Has a higher bcrypt cost, so sign-ins hash the password again. */
let broken: ServiceOn;
/** Throws the error in `failure` before the statement with the number `failure.at`. */
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

const sessionsOf = async (person: Person): Promise<number> =>
  (await service.database.sql`select from latchkey.sessions where user_id = ${userIdOf(person)}`).length;

/** A prepared action. `done` is its status without a fault. */
interface Prepared {
  person: Person;
  act(browser: TestAgent): Promise<Answer>;
  done: number;
  /** @param happened whether the audit log records the action. If `happened` is false, expects unchanged data. */
  expectWhole(happened: boolean): Promise<void>;
  event: string;
}

async function expectPassword(person: Person, works: string | null): Promise<void> {
  for (const given of [password, otherPassword]) {
    const { status } = await logInByPassword(service.browser(), person, given);
    expect([given, status]).toEqual([given, given === works ? 200 : 401]);
  }
}

const actions: Record<string, () => Promise<Prepared>> = {
  async 'sign-in that hashes the password again'() {
    const person = await signUpWithPassword(service);
    const sessions = await sessionsOf(person);
    return {
      person,
      act: (browser) => {
        browser.cookies.clear();
        return logInByPassword(browser, person);
      },
      done: 200,
      event: 'password.login',
      expectWhole: async (happened) => {
        expect(await sessionsOf(person)).toBe(sessions + (happened ? 1 : 0));
        expect(costOf(await storedHash(service, person))).toBe(happened ? '05' : '04');
        await expectPassword(person, password);
      },
    };
  },
  async 'first password'() {
    const person = await signUp(service);
    return {
      person,
      act: (browser) => addPassword(browser),
      done: 201,
      event: 'password.add',
      expectWhole: async (happened) => {
        await expectPassword(person, happened ? password : null);
        expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
      },
    };
  },
  async 'password replacement'() {
    const person = await signUpWithPassword(service);
    return {
      person,
      act: (browser) => addPassword(browser, otherPassword),
      done: 200,
      event: 'password.replace',
      expectWhole: (happened) => expectPassword(person, happened ? otherPassword : password),
    };
  },
  async 'password removal'() {
    const person = await signUpWithPassword(service);
    return {
      person,
      act: removePassword,
      done: 204,
      event: 'password.remove',
      expectWhole: async (happened) => {
        await expectPassword(person, happened ? null : password);
        expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
      },
    };
  },
  async 'step-up'() {
    const person = await signUpWithOnlyPassword(service);
    const old = person.browser.copy();
    return {
      person,
      act: (browser) => stepUpByPassword(browser),
      done: 200,
      event: 'password.stepup',
      expectWhole: async (happened) => {
        // After a step-up, the old token fails, even if the client never received the new token.
        expect((await old.get('/auth/session')).status).toBe(happened ? 401 : 200);
        expect(await sessionsOf(person)).toBe(1);
        await expectPassword(person, password);
      },
    };
  },
};

/** Expects that the action happened completely or not at all. Returns whether the audit log records the action. */
async function expectWhole({ person, event, expectWhole: expectState }: Prepared): Promise<boolean> {
  const rows = await countAuditRows(service, person, event);
  expect([0, 1]).toContain(rows);
  const happened = rows === 1;
  await expectState(happened);
  return happened;
}

/** Returns a browser that has the user's cookies and sends its requests to the instance `at`. */
const browserAt = ({ person }: Prepared, at: ServiceOn) => at.browser(person.browser.cookies);

describe.each(Object.entries(actions))('a %s', (_, prepare) => {
  test.each<[when: string, how: Break]>([
    ['before the database receives a statement', 'unsent'],
    ['before the result of a statement arrives', 'unanswered'],
  ])('returns 503 and happens completely or not at all if its connection is killed %s', async (_, how) => {
    let breaks = 0;
    const happened: boolean[] = [];
    for (;;) {
      const prepared = await prepare();
      const browser = browserAt(prepared, broken);
      // Opens the connection, so that opening it does not count as a statement. This request does not start LISTEN.
      expect((await browser.get('/auth/sessions')).status).toBe(200);
      proxy.breakAt(breaks + 1, how);
      const { status, body, headers } = await prepared.act(browser);
      const pending = proxy.takeBreak();
      happened.push(await expectWhole(prepared));
      if (pending) {
        // The action ran all of its statements before the break.
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
      'a database shutdown',
      () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
      503,
      'unavailable',
    ],
    ['an unexpected error', () => new Error('a slip'), 500, 'internal_error'],
  ])('does not happen if %s interrupts any of its statements', async (_, error, status, code) => {
    let failed = 0;
    for (;;) {
      const prepared = await prepare();
      const browser = browserAt(prepared, failing);
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
      // A retry succeeds, because the failed attempt changed nothing.
      expect((await prepared.act(browser)).status).toBe(prepared.done);
      failed += 1;
    }
    expect(failed).toBeGreaterThanOrEqual(2);
  });
});

test('a sign-in with a wrong password returns 503, not 401, if its audit row cannot be written', async () => {
  const person = await signUpWithPassword(service);
  for (const at of [1, 2]) {
    failure = { at, error: Object.assign(new Error('gone'), { code: '57P01' }) };
    const answer = await logInByPassword(failing.browser(), person, otherPassword);
    expect([answer.status, failure]).toEqual([503, null]);
  }
});
