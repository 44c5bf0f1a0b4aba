import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runtimeOf } from '../../src/auth-service.ts';
import type { Runtime } from '../../src/core/runtime.ts';
import { removeExpired, startHousekeeping } from '../../src/housekeeping.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { logIn, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

describe('housekeeping', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ sessionTtl: 7200, sessionIdleTimeout: 7200 });
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

  test('leaves everything alone that still counts', async () => {
    await signUp(service);
    const before = await counts();
    expect(before).toEqual({ sessions: 1, challenges: 1, users: 1, passkeys: 1, events: 1 });
    await clean();
    expect(await counts()).toEqual(before);
  });

  test('forgets a spent challenge an hour after, to the second, and nothing else', async () => {
    const { browser } = await signUp(service);
    await service.turnClock({ seconds: 3599 });
    await clean();
    expect(await counts()).toMatchObject({ challenges: 1 });
    await service.turnClock({ seconds: 1 });
    await clean();
    expect(await counts()).toEqual({ sessions: 1, challenges: 0, users: 1, passkeys: 1, events: 1 });
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('removes the sessions that have expired, and nothing else', async () => {
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

  test('removes the recovery links whose hour is over, to the second, and nothing else', async () => {
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

  test('keeps recovery codes, used and expired ones too: they tell how many there were', async () => {
    const { browser, username } = await signUp(service);
    const { codes } = (await browser.post('/auth/recovery/codes/generate')).body;
    await service.browser().post('/auth/recovery/codes/use', { username, code: codes[0] });
    await service.database.sql`update latchkey.recovery_codes set expires_at = latchkey.clock()`;
    await clean();
    expect((await browser.get('/auth/recovery/codes')).body).toMatchObject({ total: 10, remaining: 0 });
  });

  test('may run in two processes at once', async () => {
    await signUp(service);
    await service.turnClock({ minutes: 121 });
    await Promise.all([clean(), clean(), clean()]);
    expect(await counts()).toMatchObject({ sessions: 0, challenges: 0, users: 1 });
    expect(service.logged).toEqual([]);
  });

  test('tells of a database that is away, and does not throw', async () => {
    await service.database.sql`alter table latchkey.sessions rename to away`;
    await clean();
    expect(service.logged).toMatchObject([{ level: 'warn', fields: { err: { code: '42P01' } } }]);
    await service.database.sql`alter table latchkey.away rename to sessions`;
  });
});

describe('the clean-up job', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('runs every ten minutes until it is stopped, and its stop waits for the round under way', async () => {
    const pending: (() => void)[] = [];
    const query = vi.fn(() => new Promise<never[]>((done) => pending.push(() => done([]))));
    const housekeeping = startHousekeeping({ db: { query } } as unknown as Runtime);
    await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
    expect(query).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(query).toHaveBeenCalledTimes(1);

    const stopped = vi.fn();
    const stopping = housekeeping.stop().then(stopped);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stopped).not.toHaveBeenCalled();
    // Sessions, challenges and links, one after the other.
    for (const asked of [2, 3]) {
      pending.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
      expect(query).toHaveBeenCalledTimes(asked);
      expect(stopped).not.toHaveBeenCalled();
    }
    pending.shift()?.();
    await stopping;
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(query).toHaveBeenCalledTimes(3);
  });
});
