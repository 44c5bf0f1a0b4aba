interface Counter {
  remaining: number;
}

/**
 * The Map in which koa-ratelimit 6 counts. An ordinary Map keeps every address for good; this one drops the keys that
 * began their window first.
 */
export class RecentCounters extends Map<string, Counter> {
  readonly #mostKeys: number;

  constructor(mostKeys = 10_000) {
    super();
    this.#mostKeys = mostKeys;
  }

  /**
   * Counts one down and gives the state before. koa-ratelimit reads what it gets one turn later: on a shared object
   * concurrent requests would count each other.
   */
  override get(key: string): Counter | undefined {
    const counter = super.get(key);
    if (!counter) return undefined;
    const before = { ...counter };
    counter.remaining = Math.max(0, counter.remaining - 1);
    return before;
  }

  override set(key: string, counter: Counter): this {
    this.delete(key);
    const [oldest] = this.keys();
    if (this.size >= this.#mostKeys && oldest !== undefined) this.delete(oldest);
    return super.set(key, { ...counter });
  }
}
