import type { AuthServiceOptions } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  newUsername,
  signUp,
  signUpStart,
  stepUp,
} from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type Break, type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { isGone } from './support/own-postgres.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: ServiceOn;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  service = await startServiceOn(proxy.url);
});
/** Closing a pool with a killed connection takes two seconds, so tests leave the waiting to `afterAll`. */
const closing: Promise<void>[] = [];
afterAll(async () => {
  await Promise.all(closing);
  await service.close();
  await proxy.close();
  await database.drop();
});

/** Counts the rows of each kind, and the audit events of each kind with the outcome `success`. */
async function ledger() {
  const [row] = await database.sql<Record<string, number>[]>`
    select (select count(*)::int from latchkey.users) as users,
      (select count(*)::int from latchkey.passkeys) as passkeys,
      (select count(*)::int from latchkey.sessions) as sessions,
      (select count(*)::int from latchkey.users
        where not exists (select from latchkey.passkeys where user_id = users.id)) as locked_out`;
  const events = await database.sql<{ event: string; count: number }[]>`
    select event, count(*)::int as count from latchkey.audit_events where outcome = 'success' group by event`;
  const countOf = (name: string) => events.find(({ event }) => event === name)?.count ?? 0;
  return { ...(row as { users: number; passkeys: number; sessions: number; locked_out: number }), countOf };
}

/** Expects that the audit log contains exactly the events of the existing accounts, passkeys and sessions. */
async function expectWhole(): Promise<void> {
  const { users, passkeys, sessions, locked_out, countOf } = await ledger();
  expect({ users, passkeys, sessions, locked_out }).toEqual({
    users: countOf('account.signup'),
    passkeys: countOf('account.signup') + countOf('passkey.add') - countOf('passkey.remove'),
    sessions:
      countOf('account.signup') +
      countOf('passkey.login') -
      countOf('session.logout') -
      countOf('session.revoke'),
    locked_out: 0,
  });
}

/** Prepares an action. `done` is the response status without a fault. */
interface Prepared {
  act(): Promise<Answer>;
  done: number;
}

const actions: Record<string, () => Promise<Prepared>> = {
  async 'sign-up'() {
    const browser = service.browser();
    const credential = await newAuthenticator().create(await signUpStart(browser));
    return { act: () => browser.post('/auth/passkey/register/verify', { credential }), done: 201 };
  },
  async 'sign-in'() {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await authenticator.get(options);
    return { act: () => browser.post('/auth/passkey/login/verify', { credential }), done: 200 };
  },
  async 'step-up'() {
    const { browser, authenticator } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await authenticator.get(options);
    return { act: () => browser.post('/auth/passkey/stepup/verify', { credential }), done: 200 };
  },
  async 'passkey addition'() {
    const { browser } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    const credential = await newAuthenticator().create(options);
    return { act: () => browser.post('/auth/passkey/devices/add', { credential }), done: 201 };
  },
  async 'passkey removal'() {
    const { browser } = await signUp(service);
    const { device } = (await addPasskey(browser)).body;
    return { act: () => browser.delete(`/auth/passkey/devices/${device.id}`), done: 204 };
  },
  async 'sign-out'() {
    const { browser } = await signUp(service);
    return { act: () => browser.delete('/auth/session'), done: 204 };
  },
  async 'request to end a session'() {
    const { browser, authenticator } = await signUp(service);
    const { session } = (await logIn(service.browser(), authenticator)).body;
    return { act: () => browser.delete(`/auth/sessions/${session.id}`), done: 204 };
  },
};

describe.each(Object.entries(actions))('if the connection breaks during a %s,', (_, prepare) => {
  test.each<[when: string, how: Break]>([
    ['before the database receives a statement', 'unsent'],
    ['after a statement ran but before its result arrives', 'unanswered'],
  ])('%s, the response is 503 and the action is either complete or without effect', async (_, how) => {
    let broken = 0;
    for (;;) {
      const { act, done } = await prepare();
      proxy.breakAt(broken + 1, how);
      const { status, body, headers } = await act();
      await expectWhole();
      if (proxy.takeBreak()) {
        // The action ended before the planned statement, so no connection broke.
        expect(status).toBe(done);
        break;
      }
      expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
      broken += 1;
    }
    expect(broken).toBeGreaterThanOrEqual(2);
  });
});

describe('if the connection of a sign-up breaks', () => {
  const prepare = async () => {
    const username = newUsername();
    const browser = service.browser();
    const authenticator = newAuthenticator();
    const credential = await authenticator.create(await signUpStart(browser, username));
    const verify = async () => (await browser.post('/auth/passkey/register/verify', { credential })).status;
    return { username, browser, authenticator, verify };
  };

  test.each<[when: string, statement: number, how: Break, again: number, made: boolean]>([
    ['before the challenge is used, the same request succeeds later', 1, 'unsent', 201, false],
    ['after the challenge is used, the same request fails later', 1, 'unanswered', 400, false],
    ['before the account is created, the challenge stays used', 2, 'unsent', 400, false],
    [
      'after the account is created, the challenge stays used and the account is complete',
      2,
      'unanswered',
      400,
      true,
    ],
  ])('%s', async (_, statement, how, again, made) => {
    const { username, browser, authenticator, verify } = await prepare();
    proxy.breakAt(statement, how);
    expect(await verify()).toBe(503);
    expect(proxy.takeBreak()).toBe(false);
    const { available } = (await browser.get(`/auth/username/availability?username=${username}`)).body;
    expect(available).toBe(!made);
    // The response with the session cookie was lost.
    expect((await browser.get('/auth/session')).status).toBe(401);
    expect(await verify()).toBe(again);
    if (made) expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    else if (again !== 201) expect((await signUp(service, { username })).signedUp.status).toBe(201);
  });
});

describe('if the connection of a sign-in breaks', () => {
  test.each<[when: string, statement: number, how: Break, again: number, sessions: number]>([
    ['before the challenge is used, the same request succeeds later', 1, 'unsent', 200, 1],
    ['after the challenge is used, the same request fails later', 1, 'unanswered', 401, 1],
    ['before the session is created, the challenge stays used', 2, 'unsent', 401, 1],
    ['after the session is created, the challenge stays used', 2, 'unanswered', 401, 2],
  ])('%s', async (_, statement, how, again, sessions) => {
    const { browser: first, authenticator } = await signUp(service, {
      authenticator: newAuthenticator({ counter: 1 }),
    });
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await authenticator.get(options);
    const verify = async () => (await browser.post('/auth/passkey/login/verify', { credential })).status;
    proxy.breakAt(statement, how);
    expect(await verify()).toBe(503);
    expect(proxy.takeBreak()).toBe(false);
    expect((await first.get('/auth/sessions')).body.sessions).toHaveLength(sessions);
    expect(await verify()).toBe(again);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
  });
});

describe('a sign-up', () => {
  /** Signs up while the audit log is locked, interrupts the waiting backend and returns the response. */
  async function interrupted(interruption: 'pg_terminate_backend' | 'pg_cancel_backend') {
    const username = newUsername();
    const browser = service.browser();
    const authenticator = newAuthenticator();
    const credential = await authenticator.create(await signUpStart(browser, username));
    const locked = await database.sql.reserve();
    await locked`begin`;
    // The audit event is inserted last, so the account, the passkey and the session are already written.
    await locked`lock table latchkey.audit_events in exclusive mode`;
    const answering = browser.post('/auth/passkey/register/verify', { credential });
    await eventually(async () => {
      const hit = await locked.unsafe(`
        select ${interruption}(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'latchkey%' and wait_event_type = 'Lock'`);
      return hit.length === 1;
    });
    const answer = await answering;
    await locked`rollback`;
    locked.release();
    return { answer, username, browser };
  }

  test.each(['pg_terminate_backend', 'pg_cancel_backend'] as const)(
    'returns 503 and has no effect if %s ends its running statement',
    async (interruption) => {
      const { answer, username, browser } = await interrupted(interruption);
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      await expectWhole();
      expect((await browser.get(`/auth/username/availability?username=${username}`)).body.available).toBe(
        true,
      );
      expect((await signUp(service, { username, browser })).signedUp.status).toBe(201);
    },
  );
});

describe('after all connections are killed between requests', () => {
  const adapters: Record<string, () => [given: AuthServiceOptions['database'], end: () => Promise<void>]> = {
    'a database URL': () => [database.url, async () => {}],
    'a postgres.js client': () => {
      // Without the query for the array types, whose failure postgres.js does not handle.
      const client = postgres(database.url, { fetch_types: false, onnotice: () => {} });
      return [client, () => client.end({ timeout: 1 })];
    },
    'a pg pool': () => {
      const pool = new pg.Pool({ connectionString: database.url });
      // The application has to handle the error event that pg emits for a broken idle connection.
      pool.on('error', () => {});
      return [pool, () => pool.end()];
    },
  };

  test.each(Object.entries(adapters))(
    'the next request succeeds or returns 503, and later requests succeed (option `database`: %s)',
    async (_, adapter) => {
      const [given, end] = adapter();
      const service = await startServiceOn(given);
      const { browser, authenticator } = await signUp(service);
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(Array.from({ length: 5 }, () => browser.get('/auth/session')));
        const killed = await database.sql<{ pid: number }[]>`
          select pid, pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
        expect(killed.length).toBeGreaterThan(0);
        // The connection of a backend is closed when its process no longer exists.
        await eventually(() => killed.every(({ pid }) => isGone(pid)));
        const statuses = [];
        for (let n = 0; n < 3; n += 1) statuses.push((await browser.get('/auth/session')).status);
        expect([200, 503]).toContain(statuses[0]);
        expect(statuses.slice(1)).toEqual([200, 200]);
        expect((await stepUp(browser, authenticator)).status).toBe(200);
      }
      closing.push(service.close().then(end));
    },
  );
});
