import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';
import { startDatabaseProxy } from './database-proxy.ts';

/** What the tests hold to make a statement wait between its changes and its audit row. */
const auditLock = 4711;

/** How an act ended: as HTTP tells it, or as an error that was thrown would. */
export interface Outcome {
  status: number;
  code: string | null;
  retryAfter: string | null;
}

export type Facts = Record<string, unknown>;

/** An act made ready. */
export interface Prepared {
  act(): Promise<Outcome>;
  /** All that it could change, as the database has it. */
  facts(): Promise<Facts>;
  /** What of that is otherwise once it is done. */
  change(before: Facts): Facts;
  /** How it ends, and how it ends when it is done already. */
  done: number;
  again: number;
}

export type Prepare = (instance: ServiceOn) => Promise<Prepared>;

/** Breaks the nth statement; tells afterwards whether there was one. */
interface Breaker {
  instance: ServiceOn;
  plan(statement: number): void;
  wasPlanned(): boolean;
}

const breaks = [
  'before the database has the statement',
  'after the statement has run, before its answer is back',
  'with the database full',
] as const;

/** A service once more, by ways that break when they are told to. */
export interface BrokenServices {
  breakers: Record<(typeof breaks)[number], Breaker>;
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
    throw Object.assign(new Error('as the database would say'), { code: '53100' });
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
      'before the database has the statement': byProxy('unsent'),
      'after the statement has run, before its answer is back': byProxy('unanswered'),
      'with the database full': {
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
    close: async () => {
      await refusing.close();
      await breaking.close();
      await proxy.close();
    },
  };
}

/** An open connection waits: the next statements are all that is sent. */
const isConnected = async (instance: ServiceOn) =>
  (await instance.browser().get('/auth/username/availability?username=anybody')).status === 200;

/** Declares the tests of acts that happen whole, or not at all, whatever befalls their statements. */
export function describeBroken(
  acts: Record<string, Prepare>,
  started: () => { service: TestService; broken: BrokenServices },
): void {
  /** A pool waits its two seconds for a connection that was killed, while the next test goes on. */
  const closing: Promise<void>[] = [];
  afterAll(() => Promise.all(closing));

  describe.each(Object.entries(acts))('%s, broken at any of its statements,', (_, prepare) => {
    test.each(breaks)('%s, has happened whole or not at all', async (when) => {
      const breaker = started().broken.breakers[when];
      const lost = when.startsWith('after');
      let broken = 0;
      let happened = false;
      for (;;) {
        const { act, facts, change, done, again } = await prepare(breaker.instance);
        const before = await facts();
        await eventually(() => isConnected(breaker.instance));
        breaker.plan(broken + 1);
        const outcome = await act();
        const missed = breaker.wasPlanned();
        const after = await facts();
        if (missed) {
          // It has fewer statements than that; nothing broke.
          expect(outcome.status).toBe(done);
          expect(after).toEqual({ ...before, ...change(before) });
          break;
        }
        expect(outcome).toEqual({ status: 503, code: 'unavailable', retryAfter: '1' });
        happened = JSON.stringify(after) !== JSON.stringify(before);
        expect(after).toEqual(happened ? { ...before, ...change(before) } : before);
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
        const { sql, url } = started().service.database;
        // With a pool of its own: postgres.js may tell of a killed connection twice, the second time to a request after.
        const instance = await startServiceOn(url, options);
        const { act, facts, change, done } = await prepare(instance);
        const before = await facts();
        const held = await sql.reserve();
        await held`select pg_advisory_lock(${auditLock})`;
        const acting = act();
        await eventually(async () => {
          const hit = await held.unsafe(`
            select ${interruption}(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'latchkey' and wait_event = 'advisory'`);
          return hit.length === 1;
        });
        const outcome = await acting;
        await held`select pg_advisory_unlock(${auditLock})`;
        held.release();
        expect(outcome).toMatchObject({ status: 503, code: 'unavailable' });
        expect(await facts()).toEqual(before);
        expect((await act()).status).toBe(done);
        expect(await facts()).toEqual({ ...before, ...change(before) });
        closing.push(instance.close());
      },
    );

    test('is not done where it cannot be written down', async () => {
      const { service, broken } = started();
      const { sql } = service.database;
      const { act, facts, change, done } = await prepare(broken.breakers['with the database full'].instance);
      const before = await facts();
      await sql.unsafe('alter table latchkey.audit_events add constraint full_log check (false) not valid');
      try {
        expect((await act()).status).toBe(500);
        expect(await facts()).toEqual(before);
      } finally {
        await sql.unsafe('alter table latchkey.audit_events drop constraint full_log');
      }
      expect((await act()).status).toBe(done);
      expect(await facts()).toEqual({ ...before, ...change(before) });
    });
  });
}
