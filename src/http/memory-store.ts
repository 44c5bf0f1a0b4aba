import { LRUCache } from 'lru-cache';

/** The member of koa-ratelimit's counter that is read here. */
export interface Counter {
  remaining: number;
}

/** Keeps the 100,000 most recently used keys. */
export const boundedCache = <Value extends NonNullable<unknown>>(clock: () => Date) =>
  new LRUCache<string, Value>({
    // Unlike `max`, this allocates no memory in advance.
    maxSize: 100_000,
    sizeCalculation: () => 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

/** A bounded `db` for koa-ratelimit's memory driver. The driver itself never deletes a key. */
export class MemoryStore extends Map<string, Counter> {
  readonly #counters: LRUCache<string, Counter>;
  readonly #windowMs: number;

  constructor(counters: LRUCache<string, Counter>, windowMs: number) {
    super();
    this.#counters = counters;
    this.#windowMs = windowMs;
  }

  /**
   * Decrements the counter and returns a copy from before. koa-ratelimit reads `remaining` after an `await`: in a shared
   * object, concurrent requests would have decremented it for each other, and all would be rejected.
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
    // lru-cache still returns an entry whose age equals its ttl.
    this.#counters.set(key, { ...counter }, { ttl: this.#windowMs - 1 });
    return this;
  }

  /** Milliseconds until the window of a key ends. */
  msLeft(key: string): number {
    return this.#counters.getRemainingTTL(key) + 1;
  }

  /** Rejects a key for so many milliseconds. */
  exhaust(key: string, ms: number): void {
    const counter = this.#counters.get(key);
    if (counter) this.#counters.set(key, { ...counter, remaining: 0 }, { ttl: Math.max(1, ms - 1) });
  }
}
