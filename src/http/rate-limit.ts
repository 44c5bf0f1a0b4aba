import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { addressBlocks, blockShares } from '../core/address-block.ts';
import { type BudgetName, type Budgets, countsFailures } from '../core/budgets.ts';
import type { GuessLimit, Reservation } from '../core/guess-limit.ts';
import type { Runtime } from '../core/runtime.ts';
import { clientAddress } from './current-actor.ts';
import { knownBrowser } from './device-cookie.ts';
import { createRateLimiter, type Limit, type RateLimiter } from './rate-limiter.ts';
import type { RedisClient } from './redis-client.ts';
import { connectRedis } from './redis-store.ts';

/** The rate limiters of one budget. */
interface Limiters {
  addresses: RateLimiter;
  /** Anyone can send any username. */
  usernames: RateLimiter | null;
  /** Signed-in users, and browsers that have signed in. */
  users: RateLimiter | null;
}

/** The rate limiters of each service. They are not part of `Runtime`, because core must not depend on HTTP. */
const limitersOf = new WeakMap<Runtime, Record<BudgetName, Limiters>>();

export interface RateLimits {
  /** Whether the processes count together in Redis now. Null: the service does not use Redis. */
  areShared(): boolean | null;
  close(): void;
}

/**
 * Creates the rate limiters of a service. Connects to Redis if REDIS_URL is set. A budget is the number of requests
 * that one IP address or account can send in a window of time.
 *
 * @param client a Redis client of the application, which replaces REDIS_URL
 * @throws ConfigurationError if REDIS_URL is set and the optional peer `ioredis` is not installed
 */
export async function startRateLimits(runtime: Runtime, client?: RedisClient): Promise<RateLimits> {
  const { rateLimit, redisUrl, budgets } = runtime.config;
  if (!rateLimit) return { areShared: () => null, close: () => {} };
  const source = client ?? redisUrl;
  const redis = source === null ? null : await connectRedis(source, runtime.log);

  function limitersFor(budget: BudgetName, { address, account }: Budgets): Limiters {
    const newLimiter = (limit: Limit) => createRateLimiter(runtime, redis, limit);
    const ofAddress = { budget, scope: 'address', ...address, shares: blockShares } as const;
    const ofAccount =
      account &&
      ({
        budget,
        scope: 'account',
        ...account,
        shares: [1],
        countsFailures: countsFailures(budget),
      } as const);
    return {
      addresses: newLimiter({ ...ofAddress, countsFailures: false }),
      // Two limiters with separate memory, so that a flood of usernames does not affect the counters of users.
      usernames: ofAccount && newLimiter(ofAccount),
      users: ofAccount && newLimiter(ofAccount),
    };
  }
  const limiters = Object.entries(budgets).map(([name, given]) => [
    name,
    limitersFor(name as BudgetName, given),
  ]);
  limitersOf.set(runtime, Object.fromEntries(limiters));
  return { areShared: () => redis?.isShared() ?? null, close: () => redis?.close() };
}

/** Counts a request against the budget of the IP address. @throws AuthError `rate_limited` */
export async function countAddress(ctx: Context, runtime: Runtime, budget: BudgetName): Promise<void> {
  const blocks = addressBlocks(clientAddress(ctx, runtime.config.trustedProxies));
  await limitersIn(runtime, budget)?.addresses(ctx, blocks);
}

/**
 * Counts a request against the budget of the signed-in user.
 *
 * @returns what to give back if the request succeeds; null: the budget also counts successful requests
 * @throws AuthError `rate_limited`
 */
export async function countUser(
  ctx: Context,
  runtime: Runtime,
  budget: BudgetName,
  userId: string,
): Promise<Reservation | null> {
  const counted = await limitersIn(runtime, budget)?.users?.(ctx, [`user:${userId}`]);
  return counted && countsFailures(budget) ? counted : null;
}

/**
 * Returns the limit of guesses for the username in the request, even if no account has this username.
 *
 * A browser that has signed in to the account before has a budget of its own (OWASP, Slow Down Online Guessing Attacks
 * with Device Cookies). All other browsers share the budget of the username, and strangers can use it up.
 *
 * @param username the canonical form, so that all spellings of a username share one budget
 */
export function limitGuesses(
  ctx: Context,
  runtime: Runtime,
  budget: 'password' | 'recovery',
  username: string,
): GuessLimit {
  return {
    async reserve(account) {
      const limiters = limitersIn(runtime, budget);
      const browserId = account && knownBrowser(ctx, runtime, account);
      const counted = browserId
        ? limiters?.users?.(ctx, [`device:${browserId}`])
        : limiters?.usernames?.(ctx, [`name:${hashedName(username)}`]);
      return (await counted) ?? { giveBack: async () => {} };
    },
  };
}

/** Hashes the username, so that all keys have the same length and Redis contains no usernames. */
const hashedName = (username: string) => createHash('sha256').update(username).digest('base64url');

/** Returns null if the service has no rate limits. */
function limitersIn(runtime: Runtime, budget: BudgetName): Limiters | null {
  if (!runtime.config.rateLimit) return null;
  const limiters = limitersOf.get(runtime);
  // Without this check, a service that never called `startRateLimits` would have no rate limits.
  if (!limiters) throw new TypeError('startRateLimits was not called for this service');
  return limiters[budget];
}
