import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { BudgetName, Budgets } from '../core/budgets.ts';
import type { Runtime } from '../core/runtime.ts';
import { addressBlock } from './address-block.ts';
import { clientAddress } from './current-actor.ts';
import { boundedCache, type Counter } from './memory-store.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { connectRedis } from './redis-store.ts';

/** All routers of a service share its limiters. */
const limitersOf = new WeakMap<Runtime, Record<BudgetName, Record<keyof Budgets, RateLimiter | null>>>();

export interface RateLimits {
  close(): void;
}

/**
 * Creates the limiters of a service and connects to Redis if REDIS_URL is set.
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
      // In its own cache, so that requests from many addresses cannot evict the counter of an account under attack.
      account:
        account && createRateLimiter(runtime, redis, newCache(), { budget, scope: 'account', ...account }),
    },
  ]);
  limitersOf.set(runtime, Object.fromEntries(limiters));
  return { close: () => redis?.close() };
}

/** Counts a request against its address's budget. @throws AuthError `rate_limited` */
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
 * Counts a request against the budget of the username it names, whether or not the account exists. Anyone can exhaust
 * this budget, so it is not the one of the signed-in user.
 *
 * @param username canonical, so that its spellings share one budget
 * @throws AuthError `rate_limited`
 */
export const countName = (ctx: Context, runtime: Runtime, budget: BudgetName, username: string) =>
  limiterOf(runtime, budget, 'account')?.(ctx, `name:${hashedName(username)}`);

/** Hashed, so that keys have a bounded length and Redis holds no usernames. */
const hashedName = (username: string) => createHash('sha256').update(username).digest('base64url');

function limiterOf(runtime: Runtime, budget: BudgetName, scope: keyof Budgets): RateLimiter | null {
  if (!runtime.config.rateLimit) return null;
  const limiters = limitersOf.get(runtime);
  // Without this check, a missing start would silently disable the limits.
  if (!limiters) throw new TypeError('startRateLimits was not called for this service');
  return limiters[budget][scope];
}
