import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { addressBlock } from '../core/address-block.ts';
import type { BudgetName, Budgets } from '../core/budgets.ts';
import type { Runtime } from '../core/runtime.ts';
import { clientAddress } from './current-actor.ts';
import { boundedCache, type Counter } from './memory-store.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { connectRedis } from './redis-store.ts';

/** The rate limiters of each service. They are not part of `Runtime`, because core must not depend on HTTP. */
const limitersOf = new WeakMap<Runtime, Record<BudgetName, Record<keyof Budgets, RateLimiter | null>>>();

export interface RateLimits {
  close(): void;
}

/**
 * Creates the rate limiters of a service, one for each budget. Connects to Redis if REDIS_URL is set. A budget is the
 * number of requests that one IP address or account can send in a window of time.
 *
 * @throws ConfigurationError if REDIS_URL is set and the optional peer `ioredis` is not installed
 */
export async function startRateLimits(runtime: Runtime): Promise<RateLimits> {
  const { rateLimit, redisUrl, budgets } = runtime.config;
  if (!rateLimit) return { close: () => {} };
  const redis = redisUrl === null ? null : await connectRedis(redisUrl, runtime.log);
  const newCache = () => boundedCache<Counter>(runtime.clock);
  const addresses = newCache();
  const limiters = Object.entries(budgets).map(([budget, { address, account }]) => [
    budget,
    {
      address: createRateLimiter(runtime, redis, addresses, { budget, scope: 'address', ...address }),
      // Each account limiter has its own cache, so that requests from many IP addresses cannot evict an account's
      // counter.
      account:
        account && createRateLimiter(runtime, redis, newCache(), { budget, scope: 'account', ...account }),
    },
  ]);
  limitersOf.set(runtime, Object.fromEntries(limiters));
  return { close: () => redis?.close() };
}

/** Counts a request against the budget of the IP address. @throws AuthError `rate_limited` */
export const countAddress = (ctx: Context, runtime: Runtime, budget: BudgetName) =>
  limiterOf(
    runtime,
    budget,
    'address',
  )?.(ctx, addressBlock(clientAddress(ctx, runtime.config.trustedProxies)));

/** Counts a request against the budget of the signed-in user. @throws AuthError `rate_limited` */
export const countAccount = (ctx: Context, runtime: Runtime, budget: BudgetName, userId: string) =>
  limiterOf(runtime, budget, 'account')?.(ctx, `user:${userId}`);

/**
 * Counts a request against the budget of the username in the request, even if no account has this username. Any caller
 * can exhaust this budget, so signed-in users have a separate budget.
 *
 * @param username the canonical form, so that all spellings of a username share one budget
 * @throws AuthError `rate_limited`
 */
export const countName = (ctx: Context, runtime: Runtime, budget: BudgetName, username: string) =>
  limiterOf(runtime, budget, 'account')?.(ctx, `name:${hashedName(username)}`);

/** Hashes the username, so that all keys have the same length and Redis contains no usernames. */
const hashedName = (username: string) => createHash('sha256').update(username).digest('base64url');

function limiterOf(runtime: Runtime, budget: BudgetName, scope: keyof Budgets): RateLimiter | null {
  if (!runtime.config.rateLimit) return null;
  const limiters = limitersOf.get(runtime);
  // Without this check, a service that never called `startRateLimits` would have no rate limits.
  if (!limiters) throw new TypeError('startRateLimits was not called for this service');
  return limiters[budget][scope];
}
