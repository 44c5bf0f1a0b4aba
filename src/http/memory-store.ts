import { LRUCache } from 'lru-cache';

/** The part of koa-ratelimit's counter that this file uses. */
export interface Counter {
  remaining: number;
}

/** Creates a cache that keeps the 100,000 most recently used keys. */
export const boundedCache = <Value extends NonNullable<unknown>>(clock: () => Date) =>
  new LRUCache<string, Value>({
    // The option `max` would allocate the memory for all keys in advance.
    maxSize: 100_000,
    sizeCalculation: () => 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

/** The `db` of koa-ratelimit's memory driver. The driver never deletes keys, so the cache limits their number. */
export class MemoryStore extends Map<string, Counter> {
  readonly #counters: LRUCache<string, Counter>;
  readonly #windowMs: number;

  constructor(counters: LRUCache<string, Counter>, windowMs: number) {
    super();
    this.#counters = counters;
    this.#windowMs = windowMs;
  }

  /**
   * Decrements the counter, and returns a copy with the previous value. koa-ratelimit reads `remaining` after an
   * `await`. If concurrent requests shared one object, each request would read a value that all of them had
   * decremented.
   */
  override get(key: string): Counter | undefined {
    const counter = this.#counters.get(key);
    if (!counter) return undefined;
    const before = { ...counter };
    counter.remaining = Math.max(0, counter.remaining - 1);
    return before;
  }

  override has(key: string): boolean {
    return this.#counters.has(key);
  }

  override set(key: string, counter: Counter): this {
    // lru-cache still returns an item whose age equals the ttl.
    this.#counters.set(key, { ...counter }, { ttl: this.#windowMs - 1 });
    return this;
  }

  /** Returns how many milliseconds are left in the window of a key. */
  msLeft(key: string): number {
    return this.#counters.getRemainingTTL(key) + 1;
  }

  /** Makes koa-ratelimit reject all requests of a key for `ms` milliseconds. */
  exhaust(key: string, ms: number): void {
    const counter = this.#counters.get(key);
    if (counter) this.#counters.set(key, { ...counter, remaining: 0 }, { ttl: Math.max(1, ms - 1) });
  }
}
