import bcrypt from 'bcrypt';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGate } from '../features/support/hooks.ts';
import { eventually } from '../support/eventually.ts';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, sortedStatuses, statuses, times, together } from '../support/many-requests.ts';
import { newUsername, type Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { findRedis, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { holdRedisTimeouts, redisTimeouts } from '../support/redis-timeouts.ts';
import { rounds } from '../support/rounds.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { guessPassword, logInByPassword, signUpWithPassword } from './support/guesses.ts';

const hasRedis = findRedis();
const limits = limitedServices();

/** Runs a function before each comparison of a password. */
function beforeComparing(act: () => Promise<void>) {
  const compare = bcrypt.compare as (given: string, hash: string) => Promise<boolean>;
  const waiting = async (given: string, hash: string) => {
    await act();
    return compare(given, hash);
  };
  return vi.spyOn(bcrypt, 'compare').mockImplementation(waiting as typeof bcrypt.compare);
}

describe.skipIf(!hasRedis)('processes on one Redis', () => {
  holdRedisTimeouts(...Object.values(redisTimeouts));
  let service: TestService;
  let redis: RedisServer;
  beforeAll(async () => {
    service = await startTestService({ bcryptCost: 4 });
    redis = await startRedisServer();
  });
  afterAll(async () => {
    await redis.remove();
    await service.close();
  });
  beforeEach(async () => {
    await redis.client.flushall();
    // koa-ratelimit uses this clock. Two requests in Redis must not have the same time.
    let nanoseconds = process.hrtime.bigint();
    const ticking = vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => (nanoseconds += 1000n));
    return () => ticking.mockRestore();
  });

  const startBoth = async (max: number): Promise<[ServiceOn, ServiceOn]> => {
    const rateLimits = { password: { account: { max, seconds: 900 } } };
    const options = { rateLimits, trustedProxies: 1, bcryptCost: 4, redisUrl: redis.url };
    return [await limits.start(service, options), await limits.start(service, options)];
  };
  const signIn = (instance: ServiceOn, person: Person) => logInByPassword(instance.browser(), person);

  test('share a budget of wrong passwords, which successful sign-ins do not use up', async () => {
    const [one, other] = await startBoth(4);
    const owner = await signUpWithPassword(one);
    const successes = await inTurn(5, async () => [await signIn(one, owner), await signIn(other, owner)]);
    expect(statuses(successes.flat())).toEqual(times(10, 200));
    const guesses = [];
    for (const instance of [one, other, one, other, one, other])
      guesses.push(await guessPassword(instance, owner));
    expect(statuses(guesses)).toEqual([401, 401, 401, 401, 429, 429]);
    expectProblem(await signIn(other, owner), 'rate_limited');
  });

  test('check exactly as many of 50 concurrent guesses as the budget allows', async () => {
    const both = await startBoth(10);
    for (let round = 0; round < rounds; round += 1) {
      const owner = { username: newUsername() };
      const answers = await together(
        times(25, both)
          .flat()
          .map((instance) => () => guessPassword(instance, owner)),
      );
      expect(sortedStatuses(answers)).toEqual([...times(10, 401), ...times(40, 429)]);
    }
  });

  test('count a request that is being checked, and uncount it in all processes when it succeeds', async () => {
    const [one, other] = await startBoth(1);
    const owner = await signUpWithPassword(one);
    const gate = createGate();
    const comparing = beforeComparing(() => gate.opened);
    const first = signIn(one, owner);
    await eventually(() => comparing.mock.calls.length === 1);
    expectProblem(await signIn(other, owner), 'rate_limited');
    gate.open();
    expect((await first).status).toBe(200);
    expect(statuses([await signIn(other, owner), await signIn(one, owner)])).toEqual([200, 200]);
    comparing.mockRestore();
  });

  test('share the budget of a browser that has signed in before', async () => {
    const [one, other] = await startBoth(2);
    const owner = await signUpWithPassword(one);
    const browserAt = (instance: ServiceOn) => instance.browser(owner.browser.cookies);
    await inTurn(3, () => guessPassword(one, owner));
    const answers = [];
    for (const instance of [one, other, one, other])
      answers.push(await guessPassword(instance, owner, browserAt(instance)));
    expect(statuses(answers)).toEqual([401, 401, 429, 429]);
  });

  test('store no request after successes, and only keys that expire and contain no username', async () => {
    const [one] = await startBoth(5);
    const owner = await signUpWithPassword(one);
    await logInByPassword(owner.browser, owner);
    const accountKeys = async () => (await redis.client.keys('*:password:account:*')).sort();
    expect(await accountKeys()).toEqual([]);
    await guessPassword(one, owner);
    await guessPassword(one, owner, owner.browser);
    const keys = await accountKeys();
    expect(keys).toEqual([
      expect.stringMatching(/^latchkey:localhost:password:account:device:[\w-]{22}$/),
      expect.stringMatching(/^latchkey:localhost:password:account:name:[\w-]{43}$/),
    ]);
    for (const key of keys) expect(await redis.client.pttl(key)).toBeGreaterThan(0);
  });

  test('log one warning for a budget of wrong passwords that other processes have used up', async () => {
    const [one, other] = await startBoth(3);
    const owner = { username: newUsername() };
    await inTurn(3, () => guessPassword(one, owner));
    await inTurn(5, () => guessPassword(other, owner));
    const warning = { budget: 'password', scope: 'account', ip: expect.any(String) };
    expect(other.logged.map(({ fields }) => fields)).toEqual([warning]);
  });

  test('complete a sign-in if Redis is lost while the password is checked', async () => {
    const lost = await startRedisServer();
    const options = { trustedProxies: 1, bcryptCost: 4, redisUrl: lost.url };
    const instance = await limits.start(service, options);
    const owner = await signUpWithPassword(instance);
    const comparing = beforeComparing(() => lost.crash());
    expect((await signIn(instance, owner)).status).toBe(200);
    comparing.mockRestore();
    await lost.start();
    await lost.remove();
  });
});
