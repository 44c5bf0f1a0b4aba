import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStore } from '../../src/http/memory-store.ts';
import { createRateCounter, type RateCounter } from '../../src/http/rate-counter.ts';
import { inTurn } from '../support/many-requests.ts';
import { newUsername } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { signOut, signUpWithPassword } from './support/guesses.ts';

const day = 86_400;

describe('in a service', () => {
  let service: TestService;
  /** The counters that the service has created. */
  let stores: Map<string, MemoryStore>;
  beforeEach(async () => {
    const account = { max: 2, seconds: day };
    service = await startTestService({
      rateLimit: true,
      rateLimits: {
        read: { address: { max: 1, seconds: day } },
        password: { account, address: { max: 1000, seconds: day } },
      },
      trustedProxies: 1,
      bcryptCost: 4,
    });
    stores = new Map();
    const { set } = MemoryStore.prototype;
    const setting = vi.spyOn(MemoryStore.prototype, 'set').mockImplementation(function (
      this: MemoryStore,
      ...given
    ) {
      stores.set(given[0].replace(/:[^:]*$/, ''), this);
      return set.apply(this, given);
    });
    return () => setting.mockRestore();
  });
  afterEach(() => service.close());

  /** Counts a request of 100,001 other keys directly, because so many requests would take a minute. */
  function flood(namespace: string, keys = 100_001): void {
    const store = stores.get(namespace);
    if (!store) throw new Error(`no counters of ${namespace}: ${[...stores.keys()]}`);
    vi.restoreAllMocks();
    for (let n = 0; n < keys; n += 1) store.set(`${namespace}:other-${n}`, { remaining: 2 });
  }

  const guess = async (username: string, browser = service.browser()): Promise<number> => {
    const body = { username, password: 'a guess of a password' };
    return (await browser.post('/auth/password/login', body)).status;
  };
  const askFrom = async (address: string): Promise<number> =>
    (await service.browser().get('/auth/session', { 'X-Forwarded-For': address })).status;

  test('guesses for 100,001 other usernames do not restore a guess for a username', async () => {
    const [victim, other] = [newUsername(), newUsername()];
    expect([await guess(victim), await guess(victim), await guess(victim)]).toEqual([401, 401, 429]);
    flood('latchkey:localhost:password:account:name');
    expect(await guess(victim)).toBe(429);
    // Usernames without an earlier guess share counters now, and still have a limit.
    const answers = await inTurn(4, () => guess(other));
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(2);
    expect(answers.at(-1)).toBe(429);
  });

  test('guesses for 300,000 other usernames take no guess from a browser that has signed in before', async () => {
    const user = await signUpWithPassword(service);
    const browser = await signOut(user.browser);
    expect(await guess(newUsername())).toBe(401);
    // With so many usernames, each shared counter has counted a guess.
    flood('latchkey:localhost:password:account:name', 300_000);
    const answers = await inTurn(3, () => guess(user.username, browser));
    expect(answers).toEqual([401, 401, 429]);
  });

  test('requests from 100,001 other IP addresses do not restore a request of an IP address', async () => {
    expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([401, 429]);
    flood('latchkey:localhost:read:address');
    expect(await askFrom('192.0.2.1')).toBe(429);
  });
});

describe('a counter in memory', () => {
  const seconds = 60;
  const max = 3;
  let now: number;
  let store: MemoryStore;
  let counter: RateCounter;
  beforeEach(() => {
    now = 1_000_000;
    store = new MemoryStore(() => new Date(now), seconds * 1000);
    counter = createRateCounter(store, null, { namespace: 'test', max, seconds, countsFailures: true });
  });

  const passes = async (id: string): Promise<boolean> => (await counter.count(id)).passed;
  /** Counts a request of many other keys, without koa-ratelimit, because it would take ten times as long. */
  function flood(keys: number): void {
    for (let n = 0; n < keys; n += 1) {
      const key = `test:other-${n}`;
      if (!store.get(key)) store.set(key, { remaining: max });
    }
  }

  test('accepts no key more often than its maximum, whichever other keys are counted in between', async () => {
    const victims = Array.from({ length: 50 }, (_, n) => `victim-${n}`);
    const passed = new Map(victims.map((victim) => [victim, 0]));
    for (const keys of [10_000, 49_000, 60_000, 90_000, 100_001]) {
      for (const victim of victims)
        if (await passes(victim)) passed.set(victim, (passed.get(victim) ?? 0) + 1);
      flood(keys);
    }
    expect([...new Set(passed.values())]).toEqual([max]);
  });

  test('accepts no key of a shared counter more often than its maximum', async () => {
    flood(60_000);
    for (let n = 0; n < 1000; n += 1) {
      const accepted = await inTurn(5, () => passes(`late-${n}`));
      expect(accepted.filter(Boolean).length).toBeLessThanOrEqual(max);
    }
  });

  test('is one of at most 66,384, however many keys are counted', () => {
    flood(200_000);
    expect(store.size).toBeGreaterThan(60_000);
    expect(store.size).toBeLessThanOrEqual(66_384);
  });

  test('accepts every key again when its window ends, even after a flood', async () => {
    await inTurn(4, () => passes('victim'));
    flood(100_001);
    expect(await passes('victim')).toBe(false);
    now += seconds * 1000;
    expect(await inTurn(4, () => passes('victim'))).toEqual([true, true, true, false]);
    // The memory of the flood is used again, so new keys have their own counters.
    for (let n = 0; n < 1000; n += 1) {
      expect(await inTurn(4, () => passes(`new-${n}`))).toEqual([true, true, true, false]);
    }
  });

  test('accepts a key again after the time of its window, even if the clock was set back', async () => {
    for (const setBack of [1, 3600, 10 * 365 * 86_400]) {
      await inTurn(4, () => passes('victim'));
      now += 20_000;
      expect(await passes('victim')).toBe(false);
      now -= setBack * 1000;
      expect(await passes('victim')).toBe(false);
      now += 39_999;
      expect(await passes('victim')).toBe(false);
      now += 1;
      expect(await inTurn(4, () => passes('victim'))).toEqual([true, true, true, false]);
      now += seconds * 1000;
    }
  });

  test('does not count a request that is given back, even if its memory is shared', async () => {
    // The last key is the only one that has a shared counter.
    for (const keys of [0, 50_000]) {
      flood(keys);
      const id = `returning-${keys}`;
      for (let n = 0; n < 10; n += 1) {
        const counted = await counter.count(id);
        expect([counted.passed, counted.remaining]).toEqual([true, max - 1]);
        await counted.giveBack();
      }
    }
  });
});
