import type { Redis } from 'ioredis';
import type { Context, Middleware } from 'koa';
import ratelimit from 'koa-ratelimit';
import { second } from '../core/duration.ts';
import type { Reservation } from '../core/guess-limit.ts';
import type { CountedWindow } from './counted-windows.ts';
import type { MemoryStore } from './memory-store.ts';
import type { RedisStore } from './redis-store.ts';

/** What is left of a budget after a request. */
export interface Standing {
  passed: boolean;
  limit: number;
  remaining: number;
  resetMs: number;
  /** Whether the request is the first one that is rejected in this window. */
  isFirstRejection: boolean;
}

export interface RateCounter {
  /** Counts a request, unless the budget of the id is used up. */
  count(id: string): Promise<Standing & Reservation>;
  /** Returns the rejection if the memory of this process has no room for a request. Otherwise, returns null. */
  rejection(id: string): Standing | null;
}

export interface CounterOptions {
  namespace: string;
  max: number;
  seconds: number;
  /** Whether successful requests are given back. */
  countsFailures: boolean;
}

/**
 * Creates a counter that runs koa-ratelimit with the memory driver first, then with the redis driver. The memory driver
 * counts in fixed windows. The redis driver counts in sliding windows, and each process uses its own clock.
 *
 * The count in memory still limits each process if Redis is unreachable or if the clocks of the processes differ. If a
 * request exceeds the count in memory, it is rejected without a command to Redis.
 */
export function createRateCounter(
  store: MemoryStore,
  redis: RedisStore | null,
  { namespace, max, seconds, countsFailures }: CounterOptions,
): RateCounter {
  const duration = seconds * second;
  const options = { id: idOf, namespace, max, duration, headers };
  const inMemory = ratelimit({ ...options, driver: 'memory', db: store });
  const inRedis = redis && ratelimit({ ...options, driver: 'redis', db: redis.client as Redis });
  const keyOf = (id: string) => `${namespace}:${id}`;

  async function run(limit: Middleware, id: string): Promise<Standing> {
    let passed = false;
    const { context, shown } = contextFor(id);
    await limit(context, async () => {
      passed = true;
    });
    // The redis driver rounds the end of the window down to a full second.
    const resetMs = Math.min((Number(shown.reset) + 1) * second - Date.now(), duration);
    return { passed, limit: max, remaining: Number(shown.remaining), resetMs, isFirstRejection: false };
  }

  function rejectionIn(window: CountedWindow): Standing {
    const isFirstRejection = !window.isLogged;
    window.isLogged = true;
    return { passed: false, limit: max, remaining: 0, resetMs: store.msUntilRoom(window), isFirstRejection };
  }

  return {
    rejection(id) {
      const window = store.find(keyOf(id));
      return window && store.msUntilRoom(window) > 0 ? rejectionIn(window) : null;
    },

    async count(id) {
      const key = keyOf(id);
      const local = await run(inMemory, id);
      const window = store.find(key);
      // The window ended just now.
      if (!window) return { ...local, giveBack: async () => {} };
      local.resetMs = store.msLeft(window);
      const giveBack = async () => store.giveBack(key, window);
      if (!local.passed) return { ...rejectionIn(window), giveBack };
      const shared = inRedis && (await redis.attempt(() => run(inRedis, id)));
      if (!shared) return { ...local, giveBack };
      if (shared.passed) {
        if (shared.remaining === 0 && !countsFailures) store.exhaust(key, shared.resetMs);
        const giveBackShared = async () => {
          await giveBack();
          // Later, the newest request in Redis could be the request of another client.
          if (store.msLeft(window) > 0) await redis.removeNewest(key);
        };
        return { ...(shared.remaining > 0 ? tighter(local, shared) : shared), giveBack: giveBackShared };
      }
      const { isFirstRejection } = rejectionIn(window);
      // A request that Redis still counts can be given back, so the process must ask Redis again.
      if (countsFailures) await giveBack();
      else store.exhaust(key, shared.resetMs);
      return { ...shared, isFirstRejection, giveBack };
    },
  };
}

/**
 * Returns the budget with fewer requests left. If both budgets have the same number of requests left, returns the
 * budget that resets later.
 */
export function tighter(a: Standing, b: Standing): Standing {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.resetMs > b.resetMs ? a : b;
}

/** The names under which `contextFor` receives what koa-ratelimit sets. */
const headers = { total: 'total', remaining: 'remaining', reset: 'reset' };

/**
 * Returns the parts of a Koa context that koa-ratelimit uses. koa-ratelimit must not write to the context of the
 * request, because a request can count against several budgets at once.
 */
function contextFor(id: string) {
  const shown: Record<string, unknown> = {};
  const set = (fields: string | object) => void (typeof fields === 'object' && Object.assign(shown, fields));
  return { context: { state: { id }, set } as unknown as Context, shown };
}

const idOf = ({ state }: Context): string => state.id;
