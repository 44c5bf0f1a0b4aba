interface Counter {
  remaining: number;
}

/**
 * The Map in which koa-ratelimit 6 counts requests. An ordinary Map would keep every key permanently. This Map has a
 * maximum size. When it is full, it deletes the key whose window started first.
 */
export class RecentCounters extends Map<string, Counter> {
  readonly #mostKeys: number;

  constructor(mostKeys = 10_000) {
    super();
    this.#mostKeys = mostKeys;
  }

  /**
   * Decrements the counter and returns its previous state. Returns a copy, because koa-ratelimit reads the result one
   * tick later, when concurrent requests may have decremented the counter again.
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
