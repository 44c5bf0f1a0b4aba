import type { AuditEvent } from 'latchkey';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { eventually } from '../support/eventually.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import type { TestService } from '../support/test-service.ts';

const day = 86_400;
const retentionDays = 90;
const retention = retentionDays * day;

let service: TestService;
beforeEach(async () => {
  service = await startFrozenService({ auditRetentionDays: retentionDays });
});
afterEach(() => service.close());

/** Only events with a position are deleted. */
const clean = async (of = service) => {
  await sequence(of.database.sql);
  await removeExpired(runtimeOf(of.auth));
};
const events = async (of = service) => (await of.auditRows()).map(({ event }) => event);

/** Inserts expired events. The newest event expired one second ago. */
const putOldEvents = async (count: number) => {
  await service.database.sql`
  insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
  select gen_random_uuid(), latchkey.clock() - n * interval '1 second' - ${`${retention} seconds`}::interval,
    'session.logout', 'success', 'anonymous', '{}'
  from generate_series(1, ${count}::integer) as n`;
  await sequence(service.database.sql);
};
const countOldEvents = async () =>
  (await service.database.sql`select from latchkey.audit_events where event = 'session.logout'`).length;
const removals = async () =>
  (await service.auditRows())
    .filter(({ event }) => event === 'audit.prune')
    .map(({ details }) => details.removed);

describe('an event', () => {
  test('is deleted exactly after the configured period, and the service records the deletion', async () => {
    const heard: AuditEvent[] = [];
    service.auth.on('audit.prune', (event) => void heard.push(event));
    await signUp(service);
    const before = await timeOf(service, 1);
    await service.turnClock({ seconds: retention });
    await clean();
    expect(await events()).toEqual(['account.signup']);

    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await service.auditRows()).toEqual([
      {
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
        at: new Date(await timeOf(service)),
        event: 'audit.prune',
        outcome: 'success',
        actor_type: 'system',
        actor_id: null,
        actor_name: null,
        target_type: null,
        target_id: null,
        target_name: null,
        organization_id: null,
        ip: null,
        user_agent: null,
        request_id: null,
        details: { before, removed: 1 },
        count: null,
        impersonator_type: null,
        impersonator_id: null,
        impersonator_name: null,
      },
    ]);
    await eventually(() => heard.length > 0);
    expect(heard).toMatchObject([{ actor: { type: 'system' }, details: { before, removed: 1 } }]);
    expect(service.logged).toEqual([]);
  });

  test('is kept for 400 days by default', async () => {
    const byDefault = await startFrozenService();
    await signUp(byDefault);
    await byDefault.turnClock({ minutes: 400 * 24 * 60 });
    await clean(byDefault);
    expect(await events(byDefault)).toEqual(['account.signup']);
    await byDefault.turnClock({ seconds: 1 });
    await clean(byDefault);
    expect(await events(byDefault)).toEqual(['audit.prune']);
    await byDefault.close();
  });

  test('is kept permanently with a period of 0', async () => {
    const withoutRetention = await startFrozenService({ auditRetentionDays: 0 });
    await signUp(withoutRetention);
    await withoutRetention.turnClock({ minutes: 60 * 24 * 3650 });
    await clean(withoutRetention);
    expect(await events(withoutRetention)).toEqual(['account.signup']);
    await withoutRetention.close();
  });
});

describe('the audit log is pruned', () => {
  test('in batches, and the service records one event for each batch', async () => {
    await putOldEvents(10_001);
    await signUp(service);
    await clean();
    expect(await removals()).toEqual([10_000, 1]);
    expect(await events()).toEqual(expect.arrayContaining(['account.signup', 'audit.prune', 'audit.prune']));
    expect(await countOldEvents()).toBe(0);
  });

  test('only if an event has expired, and otherwise the service records no deletion', async () => {
    await signUp(service);
    await clean();
    expect(await events()).toEqual(['account.signup']);
  });

  test('at most once an hour', async () => {
    await putOldEvents(1);
    await clean();
    await putOldEvents(1);
    await service.turnClock({ seconds: 3599 });
    await clean();
    expect(await removals()).toEqual([1]);
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await removals()).toEqual([1, 1]);
  });

  test('by concurrent runs, and each run records only its own deletions', async () => {
    await putOldEvents(10_500);
    await signUp(service);
    await Promise.all([clean(), clean(), clean()]);
    const removed = (await removals()) as number[];
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(10_500);
    expect(removed).not.toContain(0);
    expect(await countOldEvents()).toBe(0);
    expect(await events()).toContain('account.signup');
    expect(service.logged).toEqual([]);
  });

  test('only if the service can record the deletion', async () => {
    await putOldEvents(3);
    await service.database.sql`
      alter table latchkey.audit_events add constraint full_log check (event <> 'audit.prune') not valid`;
    await clean();
    expect(await countOldEvents()).toBe(3);
    expect(service.logged).toMatchObject([{ level: 'warn', fields: { err: { code: '23514' } } }]);
  });
});

describe('latchkey.forget_audit_events', () => {
  test('deletes the oldest events first and returns their number', async () => {
    await putOldEvents(5);
    const { sql } = service.database;
    const forget = () =>
      sql`select latchkey.forget_audit_events(latchkey.clock() - interval '2160 hours', 3) as removed`;
    expect([...(await forget())]).toEqual([{ removed: 3 }]);
    const [oldest] = await sql`
      select at = latchkey.clock() - interval '2160 hours 2 seconds' as is_second
      from latchkey.audit_events order by at limit 1`;
    expect(oldest).toEqual({ is_second: true });
    expect([...(await forget()), ...(await forget())]).toEqual([{ removed: 2 }, { removed: 0 }]);
    expect((await removals()).toSorted()).toEqual([2, 3]);
  });

  test('skips events that another transaction is deleting', async () => {
    await putOldEvents(5);
    const { sql } = service.database;
    const other = await sql.reserve();
    await other`begin`;
    const [first] =
      await other`select latchkey.forget_audit_events(latchkey.clock() - interval '2160 hours', 2) as removed`;
    const [second] =
      await sql`select latchkey.forget_audit_events(latchkey.clock() - interval '2160 hours', 9) as removed`;
    expect([first, second]).toEqual([{ removed: 2 }, { removed: 3 }]);
    await other`rollback`;
    other.release();
    expect(await countOldEvents()).toBe(2);
    expect(await removals()).toEqual([3]);
  });

  test('rejects a deletion of events that are younger than the minimum, even by the owner', async () => {
    await signUp(service);
    const { sql } = service.database;
    for (const before of ['infinity', '2999-01-01Z', await timeOf(service, 1 - 90 * day)])
      await expect(
        sql`select latchkey.forget_audit_events(${before}::text::timestamptz, 1000)`,
        before,
      ).rejects.toMatchObject({ code: '22023', message: expect.stringContaining('at least 90 days') });
    const before = await timeOf(service, -90 * day);
    await sql`select latchkey.forget_audit_events(${before}::text::timestamptz, 1000)`;
    expect(await events()).toEqual(['account.signup']);
  });

  test('uses a minimum of 90 days if the table of settings has no row', async () => {
    const { sql } = service.database;
    await sql`delete from latchkey.settings`;
    await expect(
      sql`select latchkey.forget_audit_events(latchkey.clock() - interval '2159 hours', 1)`,
    ).rejects.toMatchObject({ code: '22023', message: expect.stringContaining('at least 90 days') });
  });

  test('cannot be executed by a database role that has no `execute` privilege', async () => {
    const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
    const { sql } = service.database;
    await sql.unsafe(`create role ${role}; grant usage on schema latchkey to ${role}`);
    const [row] = await sql`
      select has_function_privilege(${role}, 'latchkey.forget_audit_events(timestamptz, integer, uuid)', 'execute') as may`;
    expect(row).toEqual({ may: false });
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  });

  test('keeps the log append-only for later statements of the same transaction', async () => {
    await putOldEvents(2);
    const { sql } = service.database;
    for (const change of [
      'delete from latchkey.audit_events',
      `update latchkey.audit_events set event = 'nothing.happened'`,
      'truncate latchkey.audit_events',
    ]) {
      const changing = sql.begin(async (transaction) => {
        await transaction`select latchkey.forget_audit_events(latchkey.clock() - interval '2160 hours', 1)`;
        await transaction.unsafe(change);
      });
      await expect(changing, change).rejects.toThrow('append-only');
    }
    expect(await countOldEvents()).toBe(2);
  });

  test('uses a setting that allows the owner to delete events, but not to update events or truncate the log', async () => {
    await putOldEvents(1);
    const { sql } = service.database;
    for (const change of [
      `update latchkey.audit_events set event = 'nothing.happened'`,
      'truncate latchkey.audit_events',
      `insert into latchkey.audit_events select * from latchkey.audit_events
       on conflict (id) do update set event = 'nothing.happened'`,
    ]) {
      const changing = sql.begin(async (transaction) => {
        await transaction`set local latchkey.forgetting = 'on'`;
        await transaction.unsafe(change);
      });
      await expect(changing, change).rejects.toThrow('append-only');
    }
    expect(await countOldEvents()).toBe(1);
  });
});
