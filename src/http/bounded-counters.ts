import { LRUCache } from 'lru-cache';

/** What koa-ratelimit keeps for a key, and whether its refusal has been told of. */
interface Counter {
  id: string;
  /** In seconds since 1970. */
  reset: number;
  remaining: number;
  total: number;
  refusalTold?: boolean;
}

export type CounterStore = LRUCache<string, Counter>;

/**
 * Room for the keys that were asked for last. Whoever comes from more addresses than that has budgets enough anyway.
 * Bounded by size, where each counts as one: by `max` the room would be made at once, also where nothing is ever counted.
 */
export const createCounterStore = (clock: () => Date): CounterStore =>
  new LRUCache({
    maxSize: 100_000,
    sizeCalculation: () => 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

/**
 * The counters of one budget, as the Map that koa-ratelimit's memory driver demands. An ordinary one never forgets:
 * here an entry goes when its window is over, or when the store is full of newer ones.
 */
export class BoundedCounters extends Map<string, Counter> {
  readonly #store: CounterStore;
  readonly #windowMs: number;

  constructor(store: CounterStore, windowMs: number) {
    super();
    this.#store = store;
    this.#windowMs = windowMs;
  }

  /**
   * Takes one and answers what was there before. koa-ratelimit takes one from what it gets, too, but looks at it only a
   * turn later: on one shared object it would read the counts of the requests between, and refuse too early.
   */
  override get(key: string): Counter | undefined {
    const counter = this.#store.get(key);
    if (!counter) return undefined;
    const before = { ...counter };
    counter.remaining = Math.max(0, counter.remaining - 1);
    return before;
  }

  override has(key: string): boolean {
    return this.#store.has(key);
  }

  override set(key: string, counter: Counter): this {
    this.#keep(key, { ...counter }, this.#windowMs);
    return this;
  }

  /** Milliseconds until a key's budget is whole again. */
  msLeft(key: string): number {
    return this.#store.getRemainingTTL(key) + 1;
  }

  /** Takes over that a budget is spent, for so long. */
  exhaust(key: string, ms: number): void {
    const counter = this.#store.get(key) ?? { id: key, total: 0, remaining: 0, reset: 0 };
    this.#keep(key, { ...counter, remaining: 0, reset: (Date.now() + ms) / 1000 }, ms);
  }

  /** Whether nobody has been told yet that this key is refused, in this window. From now on, somebody has. */
  claimFirstRefusal(key: string): boolean {
    const counter = this.#store.get(key);
    if (!counter || counter.refusalTold) return false;
    counter.refusalTold = true;
    return true;
  }

  #keep(key: string, counter: Counter, ms: number): void {
    // The store keeps an entry for its last millisecond, too; a window is over when that has begun.
    this.#store.set(key, counter, { ttl: Math.max(1, ms - 1) });
  }
}
