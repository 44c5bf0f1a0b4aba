import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { createKeptRows, type KeptRows } from './kept-rows.ts';

/** The advisory lock. While a test holds the lock, a statement waits before it inserts its audit event. */
const auditLock = 4711;

/** The HTTP response of an action, or the HTTP status of the error that an operation threw. */
export interface Outcome {
  status: number;
  code: string | null;
  retryAfter: string | null;
}

export type Facts = Record<string, unknown>;

/** A prepared action. */
export interface Prepared {
  /** Acts on this instance. Each call starts with the same cookies. */
  act(instance: ServiceOn): Promise<Outcome>;
  /** Reads everything from the database that the action could change. */
  facts(): Promise<Facts>;
  /** Returns the facts that are different after the action. */
  change(before: Facts): Facts;
  /** `done` is the status of the action without a fault. `again` is the status when the action is repeated. */
  done: number;
  again: number;
}

export type Prepare = () => Promise<Prepared>;

/** `plan` breaks the nth statement from now. `wasPlanned` returns whether it is still pending, and cancels it. */
interface Breaker {
  instance: ServiceOn;
  plan(statement: number): void;
  wasPlanned(): boolean;
}

const breaks = [
  'before the database receives the statement',
  'after the statement ran, before the result arrives',
  'when the disk is full',
] as const;

/** Instances of a service in which a test can break a statement. */
export interface BrokenServices {
  breakers: Record<(typeof breaks)[number], Breaker>;
  /** The rows before the current action. */
  rows: KeptRows;
  close(): Promise<void>;
}

const options = { bcryptCost: 4 };

export async function startBrokenServices(service: TestService): Promise<BrokenServices> {
  const proxy = await startDatabaseProxy(service.database.url);
  const breaking = await startServiceOn(proxy.url, options);
  let refuseAt: number | null = null;
  const refusing = await startSecondInstance(service, options, () => {
    if (refuseAt === null) return;
    refuseAt -= 1;
    if (refuseAt > 0) return;
    refuseAt = null;
    throw Object.assign(new Error('message of the database'), { code: '53100' });
  });
  await service.database.sql.unsafe(`
    create function public.wait_for_test() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock_shared(${auditLock}); return new; end';
    create trigger wait_for_test before insert on latchkey.audit_events
      for each row execute function public.wait_for_test();`);
  const byProxy = (how: 'unsent' | 'unanswered'): Breaker => ({
    instance: breaking,
    plan: (statement) => proxy.breakAt(statement, how),
    wasPlanned: () => proxy.takeBreak(),
  });
  return {
    breakers: {
      'before the database receives the statement': byProxy('unsent'),
      'after the statement ran, before the result arrives': byProxy('unanswered'),
      'when the disk is full': {
        instance: refusing,
        plan: (statement) => {
          refuseAt = statement;
        },
        wasPlanned: () => {
          const planned = refuseAt !== null;
          refuseAt = null;
          return planned;
        },
      },
    },
    rows: await createKeptRows(service.database.sql),
    close: async () => {
      await refusing.close();
      await breaking.close();
      await proxy.close();
    },
  };
}

/** Returns whether a request succeeds. It opens a connection before the test counts the statements of the action. */
const isConnected = async (instance: ServiceOn) =>
  (await instance.browser().get('/auth/username/availability?username=a-name')).status === 200;

/** Declares tests: each action either completes or has no effect if one of its statements fails. */
export function describeBroken(
  acts: Record<string, Prepare>,
  started: () => { service: TestService; broken: BrokenServices },
): void {
  /** Closing a pool with a killed connection takes two seconds, so tests leave the waiting to `afterAll`. */
  const closing: Promise<void>[] = [];
  afterAll(() => Promise.all(closing));

  describe.each(Object.entries(acts))('%s', (_, prepare) => {
    let prepared: Prepared | undefined;
    /** Prepares the action once. Later calls restore the rows, which costs less. */
    async function prepareOrRestore(): Promise<Prepared> {
      const { rows } = started().broken;
      if (prepared) {
        await rows.restore();
        return prepared;
      }
      prepared = await prepare();
      await rows.keep();
      return prepared;
    }

    test.each(breaks)('either completes or has no effect if one of its statements fails %s', async (when) => {
      const breaker = started().broken.breakers[when];
      const lost = when.startsWith('after');
      const { act, facts, change, done, again } = await prepareOrRestore();
      let broken = 0;
      let happened = false;
      for (;;) {
        const before = await facts();
        await eventually(() => isConnected(breaker.instance));
        breaker.plan(broken + 1);
        const outcome = await act(breaker.instance);
        const missed = breaker.wasPlanned();
        const after = await facts();
        if (missed) {
          // The action ended before the planned statement, so no statement broke.
          expect(outcome.status).toBe(done);
          expect(after).toEqual({ ...before, ...change(before) });
          break;
        }
        expect(outcome).toEqual({ status: 503, code: 'unavailable', retryAfter: '1' });
        happened = !isDeepStrictEqual(after, before);
        expect(after).toEqual(happened ? { ...before, ...change(before) } : before);
        expect(happened && !lost).toBe(false);
        broken += 1;
        // If the action had no effect, the next iteration repeats it. So the last iteration shows that the action
        // succeeds after the failures.
        if (!happened) continue;
        expect((await act(breaker.instance)).status).toBe(again);
        await prepareOrRestore();
      }
      expect(broken).toBeGreaterThanOrEqual(2);
      // Only the last statement changes data.
      expect(happened).toBe(lost);
    });

    test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
      'has no effect if %s interrupts it before the audit event is written',
      async (interruption) => {
        const { sql, url } = started().service.database;
        // postgres.js may report a killed connection twice, the second time to a later request. So this test has its
        // own pool.
        const instance = await startServiceOn(url, options);
        const { act, facts, change, done } = await prepareOrRestore();
        const before = await facts();
        const held = await sql.reserve();
        await held`select pg_advisory_lock(${auditLock})`;
        const acting = act(instance);
        await eventually(async () => {
          const hit = await held.unsafe(`
            select ${interruption}(pid) from pg_stat_activity
            where datname = current_database() and application_name like 'latchkey%' and wait_event = 'advisory'`);
          return hit.length === 1;
        });
        const outcome = await acting;
        await held`select pg_advisory_unlock(${auditLock})`;
        held.release();
        expect(outcome).toMatchObject({ status: 503, code: 'unavailable' });
        expect(await facts()).toEqual(before);
        expect((await act(instance)).status).toBe(done);
        expect(await facts()).toEqual({ ...before, ...change(before) });
        closing.push(instance.close());
      },
    );

    test('has no effect if the audit event cannot be written', async () => {
      const { service, broken } = started();
      const { sql } = service.database;
      const { instance } = broken.breakers['when the disk is full'];
      const { act, facts, change, done } = await prepareOrRestore();
      const before = await facts();
      await sql.unsafe('alter table latchkey.audit_events add constraint full_log check (false) not valid');
      try {
        expect((await act(instance)).status).toBe(500);
        expect(await facts()).toEqual(before);
      } finally {
        await sql.unsafe('alter table latchkey.audit_events drop constraint full_log');
      }
      expect((await act(instance)).status).toBe(done);
      expect(await facts()).toEqual({ ...before, ...change(before) });
    });
  });
}
