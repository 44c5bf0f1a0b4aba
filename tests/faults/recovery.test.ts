import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { newAuthenticator, type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';

const codesPath = '/auth/recovery/codes';
const devices = '/auth/passkey/devices';
/** What the tests hold to make a statement wait between its changes and its audit row. */
const auditLock = 4711;

let service: TestService;
let proxy: DatabaseProxy;
/** The same, by way of a connection that breaks when it is told to. */
let breaking: ServiceOn;
/** The same, on a database that refuses a chosen statement. */
let refusing: ServiceOn;
let refuseAt: { statement: number; code: string } | null = null;
beforeAll(async () => {
  service = await startTestService();
  proxy = await startDatabaseProxy(service.database.url);
  breaking = await startServiceOn(proxy.url);
  refusing = await startSecondInstance(service, {}, () => {
    if (refuseAt === null) return;
    refuseAt.statement -= 1;
    if (refuseAt.statement > 0) return;
    const { code } = refuseAt;
    refuseAt = null;
    throw Object.assign(new Error('as the database would say'), { code });
  });
  await service.database.sql.unsafe(`
    create function public.wait_for_test() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock_shared(${auditLock}); return new; end';
    create trigger wait_for_test before insert on latchkey.audit_events
      for each row execute function public.wait_for_test();`);
});
afterAll(async () => {
  await refusing.close();
  await breaking.close();
  await proxy.close();
  await service.close();
});

type Instance = Pick<ServiceOn, 'browser'>;
const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;

/** Everything of an account that recovering changes, beside what the audit log says has happened. */
async function ledger(person: Person) {
  const id = userIdOf(person);
  const { sql } = service.database;
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id} and used_at is not null) as used,
      (select count(*)::int from latchkey.recovery_links where user_id = ${id}) as links,
      (select count(*)::int from latchkey.sessions where user_id = ${id} and kind = 'full') as full_sessions,
      (select count(*)::int from latchkey.sessions where user_id = ${id} and kind = 'recovery') as recoveries,
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys`;
  const events = await sql<{ event: string; count: number }[]>`
    select event, count(*)::int as count from latchkey.audit_events
    where outcome = 'success' and (actor_id = ${id} or target_id = ${id}) group by event`;
  return { ...row, ...Object.fromEntries(events.map(({ event, count }) => [event, count])) };
}

/** An act of recovering, made ready: what it changes, and what it is answered the first and the second time. */
interface Prepared {
  person: Person;
  act(): Promise<Answer>;
  done: number;
  again: number;
  change: Record<string, number>;
}

async function withCodes() {
  const person = await signUp(service);
  const { codes } = (await person.browser.post(`${codesPath}/generate`)).body;
  return { person, codes: codes as string[] };
}

const useCode = (browser: TestAgent, { username }: Person, code = '') =>
  browser.post(`${codesPath}/use`, { username, code });
const createLink = ({ username }: Person) => service.auth.recovery.createLink(username, { operator: 'ops' });

const steps: Record<string, (instance: Instance) => Promise<Prepared>> = {
  async 'the use of a code'(instance) {
    const { person, codes } = await withCodes();
    return {
      person,
      act: () => useCode(instance.browser(), person, codes[0]),
      ...{ done: 200, again: 401 },
      change: { used: 1, recoveries: 1, 'recovery_code.use': 1 },
    };
  },
  async 'the use of a link'(instance) {
    const person = await signUp(service);
    const { token } = await createLink(person);
    return {
      person,
      act: () => instance.browser().post('/auth/recovery/assisted/use', { token }),
      ...{ done: 200, again: 401 },
      change: { links: -1, recoveries: 1, 'recovery_link.use': 1 },
    };
  },
  async 'making new codes'(instance) {
    const { person, codes } = await withCodes();
    await useCode(service.browser(), person, codes[0]);
    const browser = instance.browser(person.browser.cookies);
    return {
      person,
      act: () => browser.post(`${codesPath}/generate`),
      ...{ done: 201, again: 201 },
      change: { used: -1, 'recovery_code.generate': 1 },
    };
  },
  async 'revoking the codes'(instance) {
    const { person } = await withCodes();
    const browser = instance.browser(person.browser.cookies);
    return {
      person,
      act: () => browser.delete(`${codesPath}/revoke`),
      ...{ done: 204, again: 204 },
      change: { codes: -10, 'recovery_code.revoke': 1 },
    };
  },
  async 'making a link'(instance) {
    const [maker, person] = [await signUp(service), await signUp(service)];
    await service.database.sql`update latchkey.users set role = 'superadmin' where id = ${userIdOf(maker)}`;
    const browser = instance.browser(maker.browser.cookies);
    return {
      person,
      act: () => browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`),
      ...{ done: 201, again: 201 },
      change: { links: 1, 'recovery_link.create': 1 },
    };
  },
  async 'completing a recovery'(instance) {
    const { person, codes } = await withCodes();
    await createLink(person);
    const recovering = service.browser();
    await useCode(recovering, person, codes[0]);
    await useCode(service.browser(), person, codes[1]);
    const act = async () => {
      const { body } = await recovering.post(`${devices}/add`, {});
      // Without a session there is nothing to finish.
      if (!body.options) return recovering.post(`${devices}/add`, {});
      const credential = await newAuthenticator().create(body.options);
      return instance.browser(recovering.cookies).post(`${devices}/add`, { credential });
    };
    return {
      person,
      act,
      ...{ done: 201, again: 401 },
      change: { passkeys: 1, recoveries: -2, links: -1, 'passkey.add': 1, 'recovery.complete': 1 },
    };
  },
};

const changed = (before: Record<string, number>, change: Record<string, number>) => {
  const after = { ...before };
  for (const [name, by] of Object.entries(change)) after[name] = (after[name] ?? 0) + by;
  return after;
};

/** An open connection waits: the next statements are all that is sent. */
const isConnected = async (instance: Instance) =>
  (await instance.browser().get('/auth/username/availability?username=anybody')).status === 200;

/** Breaks the nth statement; tells afterwards whether there was one. */
type Breaker = { instance: () => Instance; plan(statement: number): void; wasPlanned(): boolean };
const breakers: Record<string, Breaker> = {
  'before the database has the statement': {
    instance: () => breaking,
    plan: (statement) => proxy.breakAt(statement, 'unsent'),
    wasPlanned: () => proxy.takeBreak(),
  },
  'after the statement has run, before its answer is back': {
    instance: () => breaking,
    plan: (statement) => proxy.breakAt(statement, 'unanswered'),
    wasPlanned: () => proxy.takeBreak(),
  },
  'with the database full': {
    instance: () => refusing,
    plan: (statement) => {
      refuseAt = { statement, code: '53100' };
    },
    wasPlanned: () => {
      const planned = refuseAt !== null;
      refuseAt = null;
      return planned;
    },
  },
};

describe.each(Object.entries(steps))('%s, broken at any of its statements,', (_, prepare) => {
  test.each(Object.entries(breakers))('%s, has happened whole or not at all', async (when, breaker) => {
    const lost = when.startsWith('after');
    let broken = 0;
    let happened = false;
    for (;;) {
      const { person, act, done, again, change } = await prepare(breaker.instance());
      const before = await ledger(person);
      await eventually(() => isConnected(breaker.instance()));
      breaker.plan(broken + 1);
      const { status, body, headers } = await act();
      const missed = breaker.wasPlanned();
      const after = await ledger(person);
      if (missed) {
        // It has fewer statements than that; nothing broke.
        expect(status).toBe(done);
        expect(after).toEqual(changed(before, change));
        break;
      }
      expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
      expect(headers.getSetCookie()).toEqual([]);
      happened = JSON.stringify(after) !== JSON.stringify(before);
      expect(after).toEqual(happened ? changed(before, change) : before);
      expect(happened && !lost).toBe(false);
      expect((await act()).status).toBe(happened ? again : done);
      broken += 1;
    }
    expect(broken).toBeGreaterThanOrEqual(2);
    // The last statement is the one that changes everything.
    expect(happened).toBe(lost);
  });

  test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
    'ended by %s when all is changed but not written down, has not happened',
    async (interruption) => {
      const { sql, url } = service.database;
      // With a pool of its own: postgres.js may tell of a killed connection twice, the second time to a request after.
      const instance = await startServiceOn(url);
      const { person, act, done, change } = await prepare(instance);
      const before = await ledger(person);
      const held = await sql.reserve();
      await held`select pg_advisory_lock(${auditLock})`;
      const answering = act();
      await eventually(async () => {
        const hit = await held.unsafe(`
          select ${interruption}(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'latchkey' and wait_event = 'advisory'`);
        return hit.length === 1;
      });
      const { status, body } = await answering;
      await held`select pg_advisory_unlock(${auditLock})`;
      held.release();
      expect([status, body.code]).toEqual([503, 'unavailable']);
      expect(await ledger(person)).toEqual(before);
      expect((await act()).status).toBe(done);
      expect(await ledger(person)).toEqual(changed(before, change));
      await instance.close();
    },
  );

  test('is not done where it cannot be written down', async () => {
    const { sql } = service.database;
    const { person, act, done, change } = await prepare(refusing);
    const before = await ledger(person);
    await sql.unsafe('alter table latchkey.audit_events add constraint full_log check (false) not valid');
    try {
      expect((await act()).status).toBe(500);
      expect(await ledger(person)).toEqual(before);
    } finally {
      await sql.unsafe('alter table latchkey.audit_events drop constraint full_log');
    }
    expect((await act()).status).toBe(done);
    expect(await ledger(person)).toEqual(changed(before, change));
  });
});
