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
  logInByPassword,
  otherPassword,
  password,
  removePassword,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
} from './support/passwords.ts';

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

const sessionsOf = async (person: Person): Promise<number> =>
  (await service.database.sql`select from latchkey.sessions where user_id = ${userIdOf(person)}`).length;

/** An action made ready, the status it ends with where nothing breaks, and what has to hold whatever did. */
interface Prepared {
  person: Person;
  act(browser: TestAgent): Promise<Answer>;
  done: number;
  /** @param happened whether the audit log has a row of it */
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
  async 'login that hashes anew'() {
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
        expect((await storedHash(service, person))?.slice(0, 7)).toBe(happened ? '$2b$05$' : '$2b$04$');
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
  async 'password in place of another'() {
    const person = await signUpWithPassword(service);
    return {
      person,
      act: (browser) => addPassword(browser, otherPassword),
      done: 200,
      event: 'password.replace',
      expectWhole: (happened) => expectPassword(person, happened ? otherPassword : password),
    };
  },
  async removal() {
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
    const person = await signUpWithPassword(service);
    const old = person.browser.copy();
    return {
      person,
      act: (browser) => stepUpByPassword(browser),
      done: 200,
      event: 'password.stepup',
      expectWhole: async (happened) => {
        // Where it has happened the old token is dead, even if nobody was told of the new one.
        expect((await old.get('/auth/session')).status).toBe(happened ? 401 : 200);
        expect(await sessionsOf(person)).toBe(1);
        await expectPassword(person, password);
      },
    };
  },
};

/** What became of it: its row is in the audit log once or not at all, and everything else is as that says. */
async function expectWhole({ person, event, expectWhole: whole }: Prepared): Promise<boolean> {
  const rows = await countAuditRows(service, person, event);
  expect([0, 1]).toContain(rows);
  const happened = rows === 1;
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
      // With a connection open: its opening is no statement, and would be counted as one. Not by what begins to listen.
      expect((await browser.get('/auth/sessions')).status).toBe(200);
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
  const person = await signUpWithPassword(service);
  for (const at of [1, 2]) {
    failure = { at, error: Object.assign(new Error('gone'), { code: '57P01' }) };
    const answer = await logInByPassword(failing.browser(), person, otherPassword);
    expect([answer.status, failure]).toEqual([503, null]);
  }
});
