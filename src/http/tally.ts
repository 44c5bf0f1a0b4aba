import type { Context } from 'koa';
import ratelimit from 'koa-ratelimit';

/**
 * One request before koa-ratelimit: as much of Koa's context as it touches. What it would answer stays in here, because
 * two budgets and two stores have their say on a request, and the answer is in a form of our own.
 */
export class Tally {
  readonly key: string;
  readonly state = {};
  passed = false;
  /** How many the budget holds. */
  total = 0;
  /** How many more would pass, this one counted. */
  remaining = 0;
  reset = 0;

  constructor(key: string) {
    this.key = key;
  }

  set(fields: string | Partial<Tally>): void {
    if (typeof fields !== 'string') Object.assign(this, fields);
  }
}

type Counting = Required<
  Pick<ratelimit.MiddlewareOptions, 'driver' | 'db' | 'namespace' | 'max' | 'duration'>
>;

/** Counts a request for a key, by koa-ratelimit on the given store. */
export function countingWith(counting: Counting): (key: string) => Promise<Tally> {
  const limit = ratelimit({
    ...counting,
    id: (ctx) => (ctx as unknown as Tally).key,
    headers: { total: 'total', remaining: 'remaining', reset: 'reset' },
  });
  return async (key) => {
    const tally = new Tally(key);
    await limit(tally as unknown as Context, async () => {
      tally.passed = true;
    });
    return tally;
  };
}
