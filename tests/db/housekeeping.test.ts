import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Statement } from '../../src/core/database.ts';
import { createRefusalBursts } from '../../src/core/refusal-bursts.ts';
import type { Runtime } from '../../src/core/runtime.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired, startHousekeeping } from '../../src/service/housekeeping.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { logIn, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

describe('housekeeping', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ sessionTtlSeconds: 7200, sessionIdleTimeoutSeconds: 7200 });
    await freezeClock(service);
  });
  afterEach(() => service.close());

  const counts = async () => {
    const [row] = await service.database.sql`
      select (select count(*)::int from latchkey.sessions) as sessions,
        (select count(*)::int from latchkey.spent_challenges) as challenges,
        (select count(*)::int from latchkey.users) as users,
        (select count(*)::int from latchkey.passkeys) as passkeys,
        (select count(*)::int from latchkey.audit_events) as events`;
    return row;
  };
  const clean = () => removeExpired(runtimeOf(service.auth));

  test('keeps all rows that have not expired', async () => {
    await signUp(service);
    const before = await counts();
    expect(before).toEqual({ sessions: 1, challenges: 1, users: 1, passkeys: 1, events: 1 });
    await clean();
    expect(await counts()).toEqual(before);
  });

  test('deletes a used challenge exactly after one hour, and keeps other rows', async () => {
    const { browser } = await signUp(service);
    await service.turnClock({ seconds: 3599 });
    await clean();
    expect(await counts()).toMatchObject({ challenges: 1 });
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await counts()).toEqual({ sessions: 1, challenges: 0, users: 1, passkeys: 1, events: 1 });
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('deletes only expired sessions', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 90 });
    const later = service.browser();
    expect((await logIn(later, person.authenticator)).status).toBe(200);
    await service.turnClock({ seconds: 30 * 60 - 1 });
    await clean();
    expect(await counts()).toMatchObject({ sessions: 2, challenges: 1 });
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await counts()).toEqual({ sessions: 1, challenges: 1, users: 1, passkeys: 1, events: 2 });
    expect((await later.get('/auth/session')).status).toBe(200);
  });

  const links = async () => {
    const rows = await service.database.sql<{ username: string }[]>`
      select username from latchkey.recovery_links join latchkey.users on users.id = user_id order by username`;
    return rows.map(({ username }) => username);
  };

  test('deletes an impersonation link exactly five minutes after its creation', async () => {
    const { username } = await signUp(service);
    const impersonating = await startSecondInstance(service, { impersonation: true });
    await impersonating.auth.asOperator('ops').users.impersonate(username, { reason: 'Ticket 4711' });
    await impersonating.close();
    const left = () => service.database.sql`select token_hash from latchkey.impersonation_links`;
    await service.turnClock({ seconds: 299 });
    await clean();
    expect(await left()).toHaveLength(1);
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await left()).toHaveLength(0);
  });

  test('deletes a recovery link exactly one hour after its creation, and keeps other rows', async () => {
    const [early, late] = [
      await signUp(service, { username: 'ann' }),
      await signUp(service, { username: 'bob' }),
    ];
    const createLink = (username: string) =>
      service.auth.asOperator('ops').users.createRecoveryLink(username);
    await createLink(early.username);
    await service.turnClock({ seconds: 1 });
    const { token } = await createLink(late.username);
    await service.turnClock({ seconds: 3598 });
    const before = await counts();
    await clean();
    expect(await links()).toEqual(['ann', 'bob']);
    expect(await counts()).toEqual(before);
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await links()).toEqual(['bob']);
    expect(await counts()).toMatchObject({ users: 2, passkeys: 2, sessions: 2, events: 4 });
    const answer = await service.browser().post('/auth/recovery/assisted/use', { token });
    expect(answer.status).toBe(200);
    expect(service.logged).toEqual([]);
  });

  test('deletes a used recovery link exactly when its recovery session expires', async () => {
    const person = await signUp(service, { username: 'ann' });
    const { token } = await service.auth.asOperator('ops').users.createRecoveryLink(person.username);
    await service.turnClock({ minutes: 59 });
    expect((await service.browser().post('/auth/recovery/assisted/use', { token })).status).toBe(200);
    await service.turnClock({ seconds: 3599 });
    await clean();
    expect([await links(), await counts()]).toMatchObject([['ann'], { sessions: 2 }]);
    await service.turnClock({ seconds: 1 });
    await clean();
    expect([await links(), await counts()]).toMatchObject([[], { sessions: 1 }]);
  });

  test('keeps used and expired recovery codes, because the total number of codes includes these codes', async () => {
    const { browser, username } = await signUp(service);
    const { codes } = (await browser.post('/auth/recovery/codes/generate')).body;
    await service.browser().post('/auth/recovery/codes/use', { username, code: codes[0] });
    await service.database.sql`update latchkey.recovery_codes set expires_at = latchkey.clock()`;
    await clean();
    expect((await browser.get('/auth/recovery/codes')).body).toMatchObject({ total: 10, remaining: 0 });
  });

  test('can run concurrently', async () => {
    await signUp(service);
    await service.turnClock({ minutes: 121 });
    await Promise.all([clean(), clean(), clean()]);
    expect(await counts()).toMatchObject({ sessions: 0, challenges: 0, users: 1 });
    expect(service.logged).toEqual([]);
  });

  test('logs a database error instead of throwing', async () => {
    await service.database.sql`alter table latchkey.sessions rename to away`;
    await clean();
    expect(service.logged).toMatchObject([{ level: 'warn', fields: { err: { code: '42P01' } } }]);
    await service.database.sql`alter table latchkey.away rename to sessions`;
  });
});

describe('deletion in batches', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ auditRetentionDays: 0 });
    await freezeClock(service);
    await signUp(service);
    const { sql } = service.database;
    await sql`
      insert into latchkey.sessions
        (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at)
      select gen_random_uuid(), users.id, 'expired-' || n, 'full', 'passkey', latchkey.clock(), latchkey.clock(),
        latchkey.clock(), latchkey.clock(), latchkey.clock() - n * interval '1 microsecond'
      from latchkey.users, generate_series(1, 2500) as n`;
    await sql`
      insert into latchkey.spent_challenges (nonce, forget_at)
      select 'spent-' || n, latchkey.clock() - n * interval '1 microsecond' from generate_series(1, 1001) as n`;
  });
  afterEach(() => service.close());

  const left = async () => {
    const [row] = await service.database.sql`
      select (select count(*)::int from latchkey.sessions) as sessions,
        (select count(*)::int from latchkey.spent_challenges) as challenges`;
    return row;
  };

  /** Deletes expired rows. Returns the table and the number of deleted rows of each batch. */
  async function clean() {
    const batches: [table: string, removed: number][] = [];
    const runtime = runtimeOf(service.auth);
    const query = async <Row extends object>(statement: Statement) => {
      const rows = await runtime.db.query<Row>(statement);
      const [, table] = /delete from latchkey\.(\w+)/.exec(statement.text) ?? [];
      if (table !== undefined) batches.push([table, (rows as { removed?: number }[])[0]?.removed ?? 0]);
      return rows;
    };
    await removeExpired({ ...runtime, db: { query } });
    return batches;
  }

  test('deletes 1,000 rows per statement until a statement deletes fewer', async () => {
    expect(await clean()).toEqual([
      ['sessions', 1000],
      ['sessions', 1000],
      ['sessions', 500],
      ['spent_challenges', 1000],
      ['spent_challenges', 1],
      ['recovery_links', 0],
      ['impersonation_links', 0],
    ]);
    expect(await left()).toEqual({ sessions: 1, challenges: 1 });
    expect(service.logged).toEqual([]);
  });

  test('skips a row that a request has locked, and deletes this row in the next round', async () => {
    const request = await service.database.sql.reserve();
    await request`begin`;
    await request`select from latchkey.sessions where token_hash = 'expired-2500' for update`;
    await request`select from latchkey.spent_challenges where nonce = 'spent-1' for update`;

    const batches = (await Promise.all([clean(), clean()])).flat();
    const removed = (table: string) =>
      batches.reduce((sum, [of, count]) => (of === table ? sum + count : sum), 0);
    expect([removed('sessions'), removed('spent_challenges')]).toEqual([2499, 1000]);
    expect(await left()).toEqual({ sessions: 2, challenges: 2 });

    await request`commit`;
    request.release();
    await clean();
    expect(await left()).toEqual({ sessions: 1, challenges: 1 });
    expect(service.logged).toEqual([]);
  });

  test('keeps a session that a request extends during the deletion', async () => {
    const request = await service.database.sql.reserve();
    await request`begin`;
    await request`
      update latchkey.sessions set expires_at = latchkey.clock() + interval '1 hour' where token_hash = 'expired-1'`;
    const cleaning = clean();
    await request`commit`;
    request.release();
    await cleaning;
    await clean();
    expect(await left()).toEqual({ sessions: 2, challenges: 1 });
  });
});

describe('the housekeeping job', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Starts the job on a database that responds to a query only when the test calls `answer`. */
  function start() {
    const pending: ((row: object) => void)[] = [];
    const query = vi.fn(
      (_statement: Statement) => new Promise<object[]>((done) => pending.push((row) => done([row]))),
    );
    const bursts = createRefusalBursts(() => new Date(), 1);
    const config = { auditRetentionDays: null, deletedUsernameReleaseDays: 0 };
    const runtime = { db: { query }, bursts, config } as unknown as Runtime;
    const answer = async (removed: number, until: Date | null = null) => {
      pending.shift()?.({ removed, until });
      await vi.advanceTimersByTimeAsync(0);
    };
    return { query, answer, bursts, ...startHousekeeping(runtime) };
  }

  test('runs every ten minutes until it stops', async () => {
    const { query, answer, stop } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
    expect(query).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    // One query each for sessions, challenges, recovery links, impersonation links, hours of sign-ins and user figures.
    for (const count of [1, 2, 3, 4, 5, 6]) {
      expect(query).toHaveBeenCalledTimes(count);
      await answer(0);
    }
    await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
    expect(query).toHaveBeenCalledTimes(6);
    await vi.advanceTimersByTimeAsync(1);
    expect(query).toHaveBeenCalledTimes(7);
    for (let answered = 0; answered < 6; answered += 1) await answer(0);
    await stop();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(query).toHaveBeenCalledTimes(12);
  });

  test('records the counted refusals in each round, before it deletes rows', async () => {
    const { query, answer, bursts } = start();
    const refusal = { event: 'passkey.login', reason: 'test', actor: null, target: null, ip: '192.0.2.7' };
    expect([1, 2, 3].map(() => bursts.count(refusal))).toEqual([false, true, true]);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    const [[{ text = '', values = [] } = {}] = []] = query.mock.calls;
    expect(text).toContain('insert into latchkey.audit_events');
    expect(values).toEqual(expect.arrayContaining(['passkey.login', '192.0.2.7', 2]));
    expect(query).toHaveBeenCalledTimes(1);
    await answer(0);
    expect(query).toHaveBeenCalledTimes(2);
    expect(bursts.unrecorded).toBe(0);
  });

  test('starts no round while the previous round is running', async () => {
    const { query, answer } = start();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(query).toHaveBeenCalledTimes(1);
    await answer(0);
    expect(query).toHaveBeenCalledTimes(2);
  });

  test('pauses for 50 ms between batches and continues where the last batch ended', async () => {
    const { query, answer } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await answer(1000, new Date('2026-01-02T03:04:05.678Z'));
    await vi.advanceTimersByTimeAsync(49);
    expect(query).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(query.mock.calls.map(([{ values }]) => values)).toEqual([
      ['1970-01-01T00:00:00Z'],
      ['2026-01-02T03:04:05.678Z'],
    ]);
  });

  test('pauses twice as long as the last batch took', async () => {
    const { query, answer } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await vi.advanceTimersByTimeAsync(300);
    await answer(1000, new Date());
    await vi.advanceTimersByTimeAsync(599);
    expect(query).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(query).toHaveBeenCalledTimes(2);
  });

  test('waits for the running batch when the job is stopped, and starts no other batch', async () => {
    const { query, answer, stop } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    const stopped = vi.fn();
    const stopping = stop().then(stopped);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stopped).not.toHaveBeenCalled();
    await answer(1000, new Date());
    await stopping;
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(query).toHaveBeenCalledTimes(1);
  });

  test('stops immediately during the pause between batches', async () => {
    const { query, answer, stop } = start();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await answer(1000, new Date());
    await stop();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(query).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
