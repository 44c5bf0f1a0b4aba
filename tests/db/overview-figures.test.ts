import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired, updateFigures } from '../../src/service/housekeeping.ts';
import { signUpAs } from '../features/support/authority.ts';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { sequence } from '../support/sequencing.ts';
import type { TestService } from '../support/test-service.ts';

let service: TestService;
let root: TestAgent;
beforeEach(async () => {
  service = await startFrozenService({ auditRetentionDays: 90 });
  // Signs up at the start of 2026-06-15, before all other events of a test.
  await setClock('2026-06-15T00:00:00Z');
  root = (await signUpAs(service, 'superadmin')).browser;
});
afterEach(() => service.close());

/** Sets the clock, and renews the superadmin's session, because the tests move the clock by months. */
async function setClock(time: string): Promise<void> {
  await service.database.sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${time}' $$`);
  await service.database.sql`
    update latchkey.sessions set created_at = ${time}, last_seen_at = ${time}, authenticated_at = ${time},
      ends_at = ${time}::timestamptz + interval '400 days', expires_at = ${time}::timestamptz + interval '400 days'`;
}
const clean = async () => {
  // Only events with a position are deleted.
  await sequence(service.database.sql);
  await removeExpired(runtimeOf(service.auth));
};

/** Inserts an event, as a transaction that started at this time. */
const put = (
  at: string,
  event: string,
  { outcome = 'success', actorId = null as string | null, count = null as number | null } = {},
) =>
  service.database.sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, details, count)
    values (gen_random_uuid(), ${at}, ${event}, ${outcome}, ${actorId === null ? 'anonymous' : 'user'}, ${actorId}, '{}', ${count})`;

/** Inserts users directly, because signing up takes longer. */
async function putUsers(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids)
    await service.database.sql`
      insert into latchkey.users (id, username, skeleton, user_handle, created_at)
      values (${id}, ${id}, ${id}, ${id}, latchkey.clock())`;
  return ids;
}

async function overview(query = 'period=24h') {
  const { status, body } = await root.get(`/auth/admin/overview?${query}`);
  if (status !== 200) throw new Error(`the overview returned ${status} ${body.code}`);
  return body;
}
const totals = async (query?: string) => {
  const { signIns } = await overview(query);
  return [signIns.signIns, signIns.refusals, signIns.previous.signIns, signIns.previous.refusals];
};
const activeIn = async (query?: string) => {
  const { activeUsers } = await overview(query);
  return [activeUsers.count, activeUsers.previous];
};
const hoursCounted = async () => {
  const rows = await service.database.sql<{ hour: string }[]>`
    select to_char(hour at time zone 'UTC', 'DD"T"HH24') as hour from latchkey.sign_in_hours group by 1 order by 1`;
  return rows.map(({ hour }) => hour);
};
/** Everything that counting writes. */
const figures = async () => ({
  hours: await service.database.sql`select * from latchkey.sign_in_hours order by hour, method`,
  users: await service.database.sql`select * from latchkey.active_user_counts order by unit, start, previous`,
  last: await service.database.sql`select * from latchkey.last_active_hours order by user_id`,
  until: await service.database.sql`select until from latchkey.counted_sign_ins`,
});

describe('sign-ins', () => {
  test('are the same before and after they are counted, by hour, by method and with bursts', async () => {
    await put('2026-06-15T01:10:00Z', 'passkey.login');
    await put('2026-06-15T01:50:00Z', 'password.login');
    await put('2026-06-15T03:00:00Z', 'recovery_code.use');
    await put('2026-06-15T03:00:00Z', 'recovery_link.use');
    await put('2026-06-15T01:20:00Z', 'password.login', { outcome: 'failure', count: 40 });
    await put('2026-06-15T04:59:59.999Z', 'passkey.login', { outcome: 'failure' });
    for (const event of ['passkey.stepup', 'password.stepup', 'impersonation.start', 'session.logout'])
      await put('2026-06-15T01:30:00Z', event);
    await setClock('2026-06-15T09:30:00Z');
    const live = await overview();
    expect(live.isComplete).toBe(true);
    expect(live.signIns).toMatchObject({ signIns: 4, refusals: 41, previous: { signIns: 0, refusals: 0 } });
    expect(live.signIns.methods).toEqual([
      { method: 'passkey', signIns: 1, refusals: 1 },
      { method: 'password', signIns: 1, refusals: 40 },
      { method: 'recovery_code', signIns: 1, refusals: 0 },
      { method: 'recovery_link', signIns: 1, refusals: 0 },
    ]);
    expect(
      live.signIns.buckets.filter(
        ({ signIns, refusals }: { signIns: number; refusals: number }) => signIns + refusals,
      ),
    ).toEqual([
      { start: '2026-06-15T01:00:00.000Z', signIns: 2, refusals: 40 },
      { start: '2026-06-15T03:00:00.000Z', signIns: 2, refusals: 0 },
      { start: '2026-06-15T04:00:00.000Z', signIns: 0, refusals: 1 },
    ]);

    await clean();
    expect(await hoursCounted()).toEqual(['15T01', '15T03', '15T04']);
    expect(await overview()).toEqual(live);
    await service.database.sql`alter table latchkey.audit_events disable trigger all`;
    await service.database.sql`delete from latchkey.audit_events where event ~ 'login|use'`;
    expect(await overview()).toEqual(live);
  });

  test('stay in the figures after the audit log is pruned', async () => {
    await put('2026-06-15T01:10:00Z', 'passkey.login');
    await setClock('2026-09-12T12:00:00Z');
    expect((await overview('period=90d')).isComplete).toBe(false);
    await clean();
    expect(
      await service.database.sql`select from latchkey.audit_events where event = 'passkey.login'`,
    ).toHaveLength(1);
    await setClock('2026-09-14T06:00:00Z');
    await clean();
    expect(
      await service.database.sql`select from latchkey.audit_events where event = 'passkey.login'`,
    ).toHaveLength(0);
    const pruned = await overview('period=90d');
    expect(pruned.isComplete).toBe(true);
    expect(pruned.signIns.previous.signIns + pruned.signIns.signIns).toBe(1);
  });

  test('are counted even if the audit log loses events of an hour between its two counts', async () => {
    await put('2026-06-15T01:10:00Z', 'passkey.login');
    await setClock('2026-06-15T12:00:00Z');
    await clean();
    await service.database.sql`alter table latchkey.audit_events disable trigger all`;
    await service.database.sql`delete from latchkey.audit_events where event = 'passkey.login'`;
    await setClock('2026-06-16T12:00:00Z');
    await clean();
    expect(await totals('period=7d')).toEqual([1, 0, 0, 0]);
  });

  test('belong to the days of the time zone in the request', async () => {
    await put('2026-06-15T21:59:59Z', 'passkey.login');
    await put('2026-06-15T22:00:00Z', 'passkey.login');
    await setClock('2026-06-16T12:00:00Z');
    await clean();
    const { signIns, from } = await overview('period=7d&timeZone=Europe/Berlin');
    expect(from).toBe('2026-06-09T22:00:00.000Z');
    expect(signIns.buckets.slice(-2)).toEqual([
      { start: '2026-06-14T22:00:00.000Z', signIns: 1, refusals: 0 },
      { start: '2026-06-15T22:00:00.000Z', signIns: 1, refusals: 0 },
    ]);
  });

  test('of the previous period are counted separately', async () => {
    await put('2026-06-15T01:10:00Z', 'passkey.login');
    await put('2026-06-16T01:10:00Z', 'passkey.login', { outcome: 'failure' });
    await setClock('2026-06-16T12:00:00Z');
    expect(await totals()).toEqual([0, 1, 1, 0]);
    await clean();
    expect(await totals()).toEqual([0, 1, 1, 0]);
  });
});

describe('an hour is counted', () => {
  test('when it has been over for an hour', async () => {
    await put('2026-06-15T01:10:00Z', 'passkey.login');
    await setClock('2026-06-15T02:59:59Z');
    await clean();
    expect(await hoursCounted()).toEqual([]);
    await setClock('2026-06-15T03:00:00Z');
    await clean();
    expect(await hoursCounted()).toEqual(['15T01']);
  });

  test('again a day later, so an event that was committed late is found', async () => {
    const [id = ''] = await putUsers(1);
    await setClock('2026-06-15T12:00:00Z');
    await clean();
    await put('2026-06-15T05:10:00Z', 'passkey.login', { actorId: id });
    await clean();
    expect(await totals()).toEqual([0, 0, 0, 0]);
    await setClock('2026-06-16T07:00:00Z');
    await clean();
    expect(await totals('period=7d')).toEqual([1, 0, 0, 0]);
    expect(await activeIn('period=7d')).toEqual([2, 0]);
    const before = await figures();
    await setClock('2026-06-16T07:30:00Z');
    await clean();
    expect(await figures()).toEqual(before);
  });

  test('without counting an event twice, even by several processes at the same time', async () => {
    const ids = await putUsers(3);
    for (const actorId of ids) await put('2026-06-15T01:10:00Z', 'passkey.login', { actorId });
    await setClock('2026-06-16T12:00:00Z');
    await Promise.all(Array.from({ length: 8 }, clean));
    await clean();
    expect(await totals('period=7d')).toEqual([3, 0, 0, 0]);
    expect(await activeIn('period=7d')).toEqual([4, 0]);
  });

  test('completely or not at all if the process is stopped', async () => {
    const [id = ''] = await putUsers(1);
    await put('2026-06-15T01:10:00Z', 'passkey.login', { actorId: id });
    await setClock('2026-06-15T12:00:00Z');
    const before = await figures();
    const [holder, counter] = [
      await service.database.sql.reserve(),
      postgres(service.database.url, { max: 1, onnotice: () => {} }),
    ];
    const [process] = await counter`select pg_backend_pid() as pid`;
    await holder`begin`;
    // The function writes this table last.
    await holder`lock table latchkey.last_active_hours in share mode`;
    const code = counter`select latchkey.count_sign_ins(24)`.then(
      () => 'counted',
      (error) => error.code,
    );
    await eventually(async () => {
      const [state] = await service.database.sql`
        select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = ${process?.pid}`;
      return state?.waits === true;
    });
    await holder`select pg_cancel_backend(${process?.pid})`;
    expect(await code).toBe('57014');
    await holder`rollback`;
    holder.release();
    await counter.end({ timeout: 1 });
    expect(await figures()).toEqual(before);
    await clean();
    expect(await totals()).toEqual([1, 0, 0, 0]);
    expect(await activeIn()).toEqual([2, 0]);
  });

  test('even after the clock moved back', async () => {
    const [id = ''] = await putUsers(1);
    await setClock('2026-06-20T12:00:00Z');
    await clean();
    await setClock('2026-06-15T12:00:00Z');
    await put('2026-06-15T12:10:00Z', 'passkey.login', { actorId: id });
    await setClock('2026-06-15T12:20:00Z');
    expect(await totals()).toEqual([1, 0, 0, 0]);
    await clean();
    await setClock('2026-06-15T16:00:00Z');
    await clean();
    expect(await hoursCounted()).toEqual(['15T12']);
    expect(await totals()).toEqual([1, 0, 0, 0]);
    expect(await activeIn('period=7d')).toEqual([2, 0]);
  });
});

describe('active users', () => {
  test('are the same before and after they are counted, and each user counts once', async () => {
    const [ada = '', ben = '', cleo = ''] = await putUsers(3);
    // The last hour is not counted by housekeeping yet.
    for (const at of [
      '2026-06-13T09:00:00Z',
      '2026-06-15T02:00:00Z',
      '2026-06-15T05:00:00Z',
      '2026-06-15T09:10:00Z',
    ])
      await put(at, 'passkey.login', { actorId: ada });
    await put('2026-06-14T20:00:00Z', 'password.login', { actorId: ben });
    await put('2026-06-14T21:00:00Z', 'password.login', { actorId: cleo, outcome: 'failure' });
    await setClock('2026-06-15T09:30:00Z');
    // The superadmin's sign-up counts.
    const live = [await activeIn(), await activeIn('period=7d')];
    expect(live).toEqual([
      [3, 0],
      [3, 0],
    ]);
    await clean();
    expect([await activeIn(), await activeIn('period=7d')]).toEqual(live);
  });

  test('agree with a count of the audit log for each period', async () => {
    const ids = await putUsers(12);
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const start = Date.parse('2026-06-15T00:00:00Z');
    for (let index = 0; index < 150; index += 1)
      await put(new Date(start + next(75 * 24 * 60) * 60_000).toISOString(), 'passkey.login', {
        actorId: ids[next(ids.length)] ?? null,
      });
    await setClock('2026-08-28T23:30:00Z');
    await clean();
    await setClock('2026-08-29T11:20:00Z');
    const expected = async (from: string, to: string) => {
      const [row] = await service.database.sql`
        select count(distinct actor_id)::int as users from latchkey.audit_events
        where event in ('passkey.login', 'account.signup') and at >= ${from} and at < ${to}`;
      return row?.users;
    };
    for (const [query, present, previous] of [
      ['period=24h', '2026-08-28T12:00:00Z', '2026-08-27T12:00:00Z'],
      ['period=7d', '2026-08-23T00:00:00Z', '2026-08-16T00:00:00Z'],
      ['period=30d', '2026-07-31T00:00:00Z', '2026-07-01T00:00:00Z'],
      ['period=90d', '2026-06-01T00:00:00Z', '2026-03-03T00:00:00Z'],
    ] as const)
      expect([query, await activeIn(query)]).toEqual([
        query,
        [await expected(present, '2026-08-29T11:20:00Z'), await expected(previous, present)],
      ]);
  });

  test('of a deleted account stay in the figures, and the row of the account is deleted', async () => {
    const [id = ''] = await putUsers(1);
    await put('2026-06-15T01:10:00Z', 'passkey.login', { actorId: id });
    await setClock('2026-06-15T12:00:00Z');
    await clean();
    await service.database.sql`update latchkey.users set deleted_at = latchkey.clock() where id = ${id}`;
    expect(await activeIn()).toEqual([2, 0]);
    expect(await service.database.sql`select from latchkey.last_active_hours where user_id = ${id}`).toEqual(
      [],
    );
  });
});

describe('the accounts', () => {
  test('are counted by each request while there are few', async () => {
    await updateFigures(runtimeOf(service.auth));
    await putUsers(2);
    expect((await overview()).users).toMatchObject({ total: 3, asOf: '2026-06-15T00:00:00.000Z' });
  });

  test('are counted by housekeeping every hour while there are many', async () => {
    await putUsers(1);
    await updateFigures(runtimeOf(service.auth));
    await service.database.sql`
      update latchkey.user_figures set figures = jsonb_set(figures, '{total}', '30000')`;
    await setClock('2026-06-15T00:59:00Z');
    await updateFigures(runtimeOf(service.auth));
    expect((await overview()).users).toMatchObject({ total: 30_000, asOf: '2026-06-15T00:00:00.000Z' });
    await setClock('2026-06-15T01:00:00Z');
    await updateFigures(runtimeOf(service.auth));
    expect((await overview()).users).toMatchObject({ total: 2, asOf: '2026-06-15T01:00:00.000Z' });
    await setClock('2026-06-14T00:00:00Z');
    await updateFigures(runtimeOf(service.auth));
    const [row] = await service.database.sql`select at from latchkey.user_figures`;
    expect(row?.at).toEqual(new Date('2026-06-14T00:00:00Z'));
  });
});
