import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setRole } from '../features/support/accounts.ts';
import {
  cancelLink,
  createLink,
  enterByCode,
  enterByLink,
  ledger,
  postGenerate,
  revokeCodes,
  signUpWithCodes,
  useCode,
  useLink,
} from '../features/support/recovery.ts';
import type { Answer, TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { newAuthenticator, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';

const devices = '/auth/passkey/devices';
/** The advisory lock. While a test holds the lock, a statement waits before it inserts its audit event. */
const auditLock = 4711;

let service: TestService;
let proxy: DatabaseProxy;
/** An instance whose connection breaks at a statement that the test chooses. */
let breaking: ServiceOn;
/** An instance whose database rejects a statement that the test chooses. */
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
    throw Object.assign(new Error('message of the database'), { code });
  });
  await service.database.sql.unsafe(`
    create function public.wait_for_test() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock_shared(${auditLock}); return new; end';
    create trigger wait_for_test before insert on latchkey.audit_events
      for each row execute function public.wait_for_test();`);
});
/** Closing a pool with a killed connection takes two seconds, so tests leave the waiting to `afterAll`. */
const closing: Promise<void>[] = [];
afterAll(async () => {
  await Promise.all(closing);
  await refusing.close();
  await breaking.close();
  await proxy.close();
  await service.close();
});

type Instance = Pick<ServiceOn, 'browser'>;

/**
 * A prepared action. `done` is its status without a fault. `again` is its status when it is repeated. `change` contains
 * the changes that the action makes.
 */
interface Prepared {
  person: Person;
  act(): Promise<Answer>;
  done: number;
  again: number;
  change: Record<string, number>;
}

/** Completes a recovery on the given instance. */
const completing =
  (instance: Instance, recovering: TestAgent): (() => Promise<Answer>) =>
  async () => {
    const { body } = await recovering.post(`${devices}/add`, {});
    // Without a session, the response contains no options.
    if (!body.options) return recovering.post(`${devices}/add`, {});
    const credential = await newAuthenticator().create(body.options);
    return instance.browser(recovering.cookies).post(`${devices}/add`, { credential });
  };

const steps: Record<string, (instance: Instance) => Promise<Prepared>> = {
  async 'using a recovery code'(instance) {
    const { person, codes } = await signUpWithCodes(service);
    return {
      person,
      act: () => useCode(instance.browser(), person, codes[0]),
      ...{ done: 200, again: 401 },
      change: { used: 1, recoveries: 1, 'recovery_code.use': 1 },
    };
  },
  async 'using a recovery link'(instance) {
    const person = await signUp(service);
    const { token } = await createLink(service, person);
    return {
      person,
      act: () => useLink(instance.browser(), token),
      ...{ done: 200, again: 401 },
      change: { recoveries: 1, 'recovery_link.use': 1 },
    };
  },
  async 'creating recovery codes'(instance) {
    const { person, codes } = await signUpWithCodes(service);
    await useCode(service.browser(), person, codes[0]);
    const browser = instance.browser(person.browser.cookies);
    return {
      person,
      act: () => postGenerate(browser),
      ...{ done: 201, again: 201 },
      change: { used: -1, 'recovery_code.generate': 1 },
    };
  },
  async 'revoking the recovery codes'(instance) {
    const { person } = await signUpWithCodes(service);
    const browser = instance.browser(person.browser.cookies);
    return {
      person,
      act: () => revokeCodes(browser),
      ...{ done: 204, again: 204 },
      change: { codes: -10, 'recovery_code.revoke': 1 },
    };
  },
  async 'creating a recovery link'(instance) {
    const [maker, person] = [await signUp(service), await signUp(service)];
    await setRole(service, maker, 'superadmin');
    const browser = instance.browser(maker.browser.cookies);
    return {
      person,
      act: () => browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`),
      ...{ done: 201, again: 201 },
      change: { links: 1, 'recovery_link.create': 1 },
    };
  },
  async 'canceling a recovery link'(instance) {
    const person = await signUp(service);
    await enterByLink(service, (await createLink(service, person)).token);
    const browser = instance.browser(person.browser.cookies);
    return {
      person,
      act: () => cancelLink(browser),
      ...{ done: 204, again: 404 },
      change: { links: -1, recoveries: -1, 'recovery_link.cancel': 1 },
    };
  },
  async 'completing a recovery with a recovery link'(instance) {
    const [maker, person] = [await signUp(service), await signUp(service)];
    await setRole(service, maker, 'superadmin');
    const { token } = (await maker.browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`)).body;
    const recovering = await enterByLink(service, token);
    return {
      person,
      act: completing(instance, recovering),
      ...{ done: 201, again: 401 },
      change: {
        codes: 10,
        recoveries: -1,
        links: -1,
        'passkey.add': 1,
        'passkey.remove': 1,
        'recovery_code.generate': 1,
        'recovery.complete': 1,
      },
    };
  },
  async 'completing a recovery with a recovery code'(instance) {
    const { person, codes } = await signUpWithCodes(service);
    await createLink(service, person);
    const recovering = await enterByCode(service, person, codes[0]);
    await enterByCode(service, person, codes[1]);
    return {
      person,
      act: completing(instance, recovering),
      ...{ done: 201, again: 401 },
      change: {
        used: -2,
        recoveries: -2,
        links: -1,
        'passkey.add': 1,
        'passkey.remove': 1,
        'recovery_code.generate': 1,
        'recovery.complete': 1,
      },
    };
  },
};

const changed = (before: Record<string, number>, change: Record<string, number>) => {
  const after = { ...before };
  for (const [name, by] of Object.entries(change)) after[name] = (after[name] ?? 0) + by;
  return after;
};

/** Opens a connection in advance, so only the statements of the action follow. */
const isConnected = async (instance: Instance) =>
  (await instance.browser().get('/auth/username/availability?username=a-name')).status === 200;

/** `plan` breaks the nth statement from now. `wasPlanned` returns whether it is still pending, and cancels it. */
type Breaker = { instance: () => Instance; plan(statement: number): void; wasPlanned(): boolean };
const breakers: Record<string, Breaker> = {
  'before the database receives the statement': {
    instance: () => breaking,
    plan: (statement) => proxy.breakAt(statement, 'unsent'),
    wasPlanned: () => proxy.takeBreak(),
  },
  'after the statement ran, before the result arrives': {
    instance: () => breaking,
    plan: (statement) => proxy.breakAt(statement, 'unanswered'),
    wasPlanned: () => proxy.takeBreak(),
  },
  'when the disk is full': {
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

describe.each(Object.entries(steps))('%s', (_, prepare) => {
  test.each(Object.entries(breakers))(
    'either completes or has no effect if one of its statements fails %s',
    async (when, breaker) => {
      const lost = when.startsWith('after');
      let prepared = await prepare(breaker.instance());
      let broken = 0;
      let happened = false;
      for (;;) {
        const { person, act, done, again, change } = prepared;
        const before = await ledger(service, person);
        await eventually(() => isConnected(breaker.instance()));
        breaker.plan(broken + 1);
        const { status, body, headers } = await act();
        const missed = breaker.wasPlanned();
        const after = await ledger(service, person);
        if (missed) {
          // The action ended before the planned statement, so no statement broke.
          expect(status).toBe(done);
          expect(after).toEqual(changed(before, change));
          break;
        }
        expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
        expect(headers.getSetCookie()).toEqual([]);
        happened = !isDeepStrictEqual(after, before);
        expect(after).toEqual(happened ? changed(before, change) : before);
        expect(happened && !lost).toBe(false);
        broken += 1;
        // Without an effect, the next turn repeats the action, so the last turn shows that a repetition succeeds.
        if (!happened) continue;
        expect((await act()).status).toBe(again);
        prepared = await prepare(breaker.instance());
      }
      expect(broken).toBeGreaterThanOrEqual(2);
      // Only the last statement changes data.
      expect(happened).toBe(lost);
    },
  );

  test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
    'has no effect if %s interrupts it before the audit event is written',
    async (interruption) => {
      const { sql, url } = service.database;
      // postgres.js may report a killed connection twice, the second time to a later request. So this test has its own
      // pool.
      const instance = await startServiceOn(url);
      const { person, act, done, change } = await prepare(instance);
      const before = await ledger(service, person);
      const held = await sql.reserve();
      await held`select pg_advisory_lock(${auditLock})`;
      const answering = act();
      await eventually(async () => {
        const hit = await held.unsafe(`
          select ${interruption}(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'latchkey%' and wait_event = 'advisory'`);
        return hit.length === 1;
      });
      const { status, body } = await answering;
      await held`select pg_advisory_unlock(${auditLock})`;
      held.release();
      expect([status, body.code]).toEqual([503, 'unavailable']);
      expect(await ledger(service, person)).toEqual(before);
      expect((await act()).status).toBe(done);
      expect(await ledger(service, person)).toEqual(changed(before, change));
      closing.push(instance.close());
    },
  );

  test('has no effect if the audit event cannot be written', async () => {
    const { sql } = service.database;
    const { person, act, done, change } = await prepare(refusing);
    const before = await ledger(service, person);
    await sql.unsafe('alter table latchkey.audit_events add constraint full_log check (false) not valid');
    try {
      expect((await act()).status).toBe(500);
      expect(await ledger(service, person)).toEqual(before);
    } finally {
      await sql.unsafe('alter table latchkey.audit_events drop constraint full_log');
    }
    expect((await act()).status).toBe(done);
    expect(await ledger(service, person)).toEqual(changed(before, change));
  });
});
