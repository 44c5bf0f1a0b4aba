import type { Context } from 'koa';
import type { Budget, Budgets } from '../core/budgets.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Reservation } from '../core/guess-limit.ts';
import type { Runtime } from '../core/runtime.ts';
import { clientAddress } from './current-actor.ts';
import { MemoryStore } from './memory-store.ts';
import { createRateCounter, type Standing, tighter } from './rate-counter.ts';
import type { RedisStore } from './redis-store.ts';

/**
 * Counts a request against the budgets of these ids: the networks of an IP address, or one account. If one budget is
 * used up, the request is rejected.
 *
 * @throws AuthError `rate_limited`
 */
export type RateLimiter = (ctx: Context, ids: readonly string[]) => Promise<Reservation>;

export interface Limit extends Budget {
  budget: string;
  scope: keyof Budgets;
  /** How many times the budget each id has. */
  shares: readonly number[];
  /** Whether successful requests are given back. */
  countsFailures: boolean;
}

const headers = { total: 'RateLimit-Limit', remaining: 'RateLimit-Remaining', reset: 'RateLimit-Reset' };
/** The budgets that a request has counted against so far. */
const standingsOf = new WeakMap<Context, Standing[]>();

export function createRateLimiter(
  { config, clock, log }: Runtime,
  redis: RedisStore | null,
  { budget, scope, max, seconds, shares, countsFailures }: Limit,
): RateLimiter {
  const store = new MemoryStore(clock, seconds * second);
  // Contains the relying party id, because several services can share one Redis.
  const namespace = `latchkey:${config.rpId}:${budget}:${scope}`;
  const counters = shares.map((share) =>
    createRateCounter(store, redis, { namespace, max: max * share, seconds, countsFailures }),
  );

  return async (ctx, ids) => {
    const budgets = zip(counters, ids);
    // Checks all budgets first, so that a client whose /64 network is rejected cannot use up the budget of the /48.
    const rejections = budgets.flatMap(([counter, id]) => counter.rejection(id) ?? []);
    const counted =
      rejections.length > 0 ? [] : await Promise.all(budgets.map(([counter, id]) => counter.count(id)));
    const standings = [...rejections, ...counted];
    const resetSeconds = show(ctx, standings);
    if (standings.every(({ passed }) => passed)) return reservationOf(ctx, counted);
    if (standings.some(({ isFirstRejection }) => isFirstRejection)) {
      const ip = clientAddress(ctx, config.trustedProxies);
      log.warn({ budget, scope, ip }, 'rate limit exceeded, so requests are rejected until the window ends');
    }
    throw new AuthError('rate_limited', { headers: { 'Retry-After': resetSeconds } });
  };
}

/** Pairs the elements of two lists, as many as the second list has. */
const zip = <A, B>(first: readonly A[], second: readonly B[]): [A, B][] =>
  second.map((element, n) => [first[n] as A, element]);

const reservationOf = (ctx: Context, counted: (Standing & Reservation)[]): Reservation => ({
  async giveBack() {
    await Promise.all(counted.map((request) => request.giveBack()));
    for (const standing of counted) standing.remaining += 1;
    show(ctx, []);
  },
});

/**
 * Sets the headers. They describe the budget with the fewest requests left, of all budgets that the request has counted
 * against.
 *
 * @param more the budgets that the request has counted against since the last call
 * @returns the seconds until the described budget resets
 */
function show(ctx: Context, more: Standing[]): string {
  const standings = [...(standingsOf.get(ctx) ?? []), ...more];
  standingsOf.set(ctx, standings);
  const shown = standings.reduce(tighter);
  // Rounded up, so that a client that waits this long can send the next request.
  const resetSeconds = `${Math.max(1, Math.ceil(shown.resetMs / second))}`;
  ctx.set(headers.total, `${shown.limit}`);
  ctx.set(headers.remaining, `${shown.remaining}`);
  ctx.set(headers.reset, resetSeconds);
  return resetSeconds;
}
