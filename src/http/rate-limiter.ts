import type { Context, Middleware } from 'koa';
import ratelimit from 'koa-ratelimit';
import type { LRUCache } from 'lru-cache';
import type { Budget, Budgets } from '../core/budgets.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { clientAddress } from './current-actor.ts';
import { boundedCache, type Counter, MemoryStore } from './memory-store.ts';
import type { RedisStore } from './redis-store.ts';

/** Counts a request against the budget of an IP address or account. @throws AuthError `rate_limited` */
export type RateLimiter = (ctx: Context, id: string) => Promise<void>;

/** What is left of a budget (the number of requests in a window) after this request. */
interface Standing {
  passed: boolean;
  limit: number;
  remaining: number;
  resetMs: number;
}

const headers = { total: 'RateLimit-Limit', remaining: 'RateLimit-Remaining', reset: 'RateLimit-Reset' };
/**
 * What the response's headers show so far. If a request counts against two budgets, the headers show the budget with
 * fewer requests left.
 */
const shownOn = new WeakMap<Context, Standing>();
/**
 * The id of the IP address or account that a request counts against. A map, because koa-ratelimit calls the `id` option
 * with the context only.
 */
const idOf = new WeakMap<Context, string>();

/**
 * Creates a limiter that runs koa-ratelimit with the memory driver first, then with the redis driver. The memory driver
 * counts in fixed windows. The redis driver counts in sliding windows, and each process uses its own clock.
 *
 * The count in memory still limits each process if Redis is unreachable or if the clocks of the processes differ. If a
 * request exceeds the count in memory, it is rejected without a command to Redis.
 */
export function createRateLimiter(
  { config, clock, log }: Runtime,
  redis: RedisStore | null,
  counters: LRUCache<string, Counter>,
  { budget, scope, max, seconds }: Budget & { budget: string; scope: keyof Budgets },
): RateLimiter {
  const duration = seconds * second;
  // Contains the relying party id, because several services can share one Redis.
  const namespace = `latchkey:${config.rpId}:${budget}:${scope}`;
  const options = { id: (ctx: Context) => idOf.get(ctx) as string, namespace, max, duration, headers };
  const store = new MemoryStore(counters, duration);
  const inMemory = ratelimit({ ...options, driver: 'memory', db: store });
  const inRedis = redis && ratelimit({ ...options, driver: 'redis', db: redis.client });
  const logged = boundedCache<true>(clock);

  async function run(limit: Middleware, ctx: Context): Promise<Standing> {
    let passed = false;
    await limit(ctx, async () => {
      passed = true;
    });
    const remaining = Number(ctx.response.get(headers.remaining));
    // The redis driver rounds the end of the window down to a full second.
    const resetMs = (Number(ctx.response.get(headers.reset)) + 1) * second - Date.now();
    return { passed, limit: max, remaining, resetMs: Math.min(resetMs, duration) };
  }

  async function count(ctx: Context, key: string): Promise<Standing> {
    const local = { ...(await run(inMemory, ctx)), resetMs: store.msLeft(key) };
    if (!local.passed || !inRedis) return local;
    const shared = await redis.attempt(() => run(inRedis, ctx));
    if (!shared) return local;
    if (shared.remaining > 0) return tighter(local, shared);
    store.exhaust(key, shared.resetMs);
    return shared;
  }

  return async (ctx, id) => {
    idOf.set(ctx, id);
    const key = `${namespace}:${id}`;
    const standing = await count(ctx, key);
    const shown = tighter(shownOn.get(ctx) ?? standing, standing);
    shownOn.set(ctx, shown);
    // Rounded up, so that a client that waits this long can send the next request.
    const resetSeconds = `${Math.max(1, Math.ceil(shown.resetMs / second))}`;
    ctx.set(headers.total, `${shown.limit}`);
    ctx.set(headers.remaining, `${shown.remaining}`);
    ctx.set(headers.reset, resetSeconds);
    if (standing.passed) return;
    if (!logged.has(key)) {
      logged.set(key, true, { ttl: duration - 1 });
      const ip = clientAddress(ctx, config.trustedProxies);
      log.warn({ budget, scope, ip }, 'rate limit exceeded, so requests are rejected until the window ends');
    }
    throw new AuthError('rate_limited', { headers: { 'Retry-After': resetSeconds } });
  };
}

/**
 * Returns the budget with fewer requests left. If both budgets have the same number of requests left, returns the
 * budget that resets later.
 */
function tighter(a: Standing, b: Standing): Standing {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.resetMs > b.resetMs ? a : b;
}
