import { createHmac, randomBytes } from 'node:crypto';
import { type CountedWindow, CountedWindows } from './counted-windows.ts';

/** The part of koa-ratelimit's counter that this file uses. */
interface Counter {
  remaining: number;
}

/** The most keys that have a counter of their own. */
const mostKeys = 50_000;
/** The number of counters that all further keys share. */
const sharedCounters = 16_384;

/**
 * The `db` of koa-ratelimit's memory driver. The driver never deletes keys, so this store limits their number.
 *
 * The store deletes no counter before its window ends. Otherwise, an attacker could reset the counter of a key with
 * requests for many other keys. Instead, while 50,000 keys have a counter of their own, further keys share 16,384
 * counters. A hash with a secret salt assigns each of these keys to a counter. A key stays with its counter until the
 * window of the counter ends. So each key has exactly one counter at a time, and this counter counts every request of the
 * key. During a flood, a key can be rejected too early, because it shares a counter, but never too late.
 */
export class MemoryStore extends Map<string, Counter> {
  readonly #own = new CountedWindows<string>();
  readonly #shared = new CountedWindows<number>();
  readonly #salt = randomBytes(16);
  readonly #clock: () => Date;
  readonly #windowMs: number;
  #latest = 0;
  /** By how many milliseconds the clock was set back. */
  #setBackMs = 0;

  constructor(clock: () => Date, windowMs: number) {
    super();
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Returns the window that counts the requests of a key now. */
  find(key: string): CountedWindow | undefined {
    const now = this.#now();
    const own = this.#own.find(key, now);
    if (own || this.#shared.size === 0) return own;
    return this.#shared.find(this.#sharedCounterOf(key), now);
  }

  /**
   * Counts a request if the window has room for it. Returns how many requests the window had room for, plus one, because
   * koa-ratelimit decrements a counter that it finds. Returns a new object for each request, because koa-ratelimit reads
   * it only after an `await`.
   */
  override get(key: string): Counter | undefined {
    const window = this.find(key);
    if (!window) return undefined;
    if (this.msUntilRoom(window) > 0) return { remaining: 1 };
    const remaining = window.max - window.used + 1;
    window.used += 1;
    return { remaining };
  }

  /** The number of counters, including some whose windows have ended. */
  override get size(): number {
    return this.#own.size + this.#shared.size;
  }

  override has(key: string): boolean {
    return this.find(key) !== undefined;
  }

  /** Starts a window with its first request. */
  override set(key: string, { remaining: max }: Counter): this {
    const now = this.#now();
    this.#own.forgetEnded(now);
    this.#shared.forgetEnded(now);
    const window = { used: 1, max, endsAt: now + this.#windowMs, rejectsUntil: 0, isLogged: false };
    if (this.#own.size < mostKeys) this.#own.add(key, window);
    else this.#shared.add(this.#sharedCounterOf(key), window);
    return this;
  }

  /** Subtracts a request that this window has counted. */
  giveBack(key: string, window: CountedWindow): void {
    window.used -= 1;
    // Successful requests need no memory. A window with a logged rejection stays, so that it logs only one.
    if (window.used > 0 || window.isLogged) return;
    this.#own.delete(key, window);
    if (this.#shared.size > 0) this.#shared.delete(this.#sharedCounterOf(key), window);
  }

  /** Returns how many milliseconds are left in a window. */
  msLeft({ endsAt }: CountedWindow): number {
    return Math.max(0, endsAt - this.#now());
  }

  /** Returns after how many milliseconds a request can be accepted. 0: the window has room for a request now. */
  msUntilRoom(window: CountedWindow): number {
    const rejectsForMs = Math.max(0, window.rejectsUntil - this.#now());
    return window.used < window.max ? rejectsForMs : Math.max(rejectsForMs, this.msLeft(window));
  }

  /** Rejects all requests of a key for `ms` milliseconds, but not longer than its window. */
  exhaust(key: string, ms: number): void {
    const now = this.#now();
    const window = this.#own.find(key, now);
    // A shared counter also counts other keys, so their requests are not rejected.
    if (window) window.rejectsUntil = now + ms;
  }

  /** The salt is secret, so an attacker cannot choose keys that share the counter of a given key. */
  #sharedCounterOf(key: string): number {
    return createHmac('sha256', this.#salt).update(key).digest().readUInt32BE() % sharedCounters;
  }

  /** Never decreases. Otherwise, a window would last longer than promised if the clock is set back. */
  #now(): number {
    const time = this.#clock().getTime();
    this.#setBackMs = Math.max(this.#setBackMs, this.#latest - time);
    this.#latest = time + this.#setBackMs;
    return this.#latest;
  }
}
