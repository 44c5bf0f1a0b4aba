/** A time window in which requests count. */
export interface CountedWindow {
  /** How many requests have counted. */
  used: number;
  readonly max: number;
  /** Unix time in milliseconds. */
  readonly endsAt: number;
  /** Until this time, Redis has no room for a request. Unix time in milliseconds. */
  rejectsUntil: number;
  /** Whether a rejection in this window has been logged. */
  isLogged: boolean;
}

/** The most windows that one call forgets, so that no call takes long. */
const mostForgotten = 100;

/** Windows by key. Forgets a window only after its end. */
export class CountedWindows<Key> {
  // In the order in which they end, because all windows of a store last equally long.
  readonly #windows = new Map<Key, CountedWindow>();

  /** Returns how many windows are stored, including some that have ended. */
  get size(): number {
    return this.#windows.size;
  }

  find(key: Key, now: number): CountedWindow | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > now ? window : undefined;
  }

  /** Adds a window that starts now. */
  add(key: Key, window: CountedWindow): void {
    // Otherwise, the window would keep the place of an earlier window of the key.
    this.#windows.delete(key);
    this.#windows.set(key, window);
  }

  /** Deletes a window, but not a later window of the same key. */
  delete(key: Key, window: CountedWindow): void {
    if (this.#windows.get(key) === window) this.#windows.delete(key);
  }

  /** Deletes windows that have ended. */
  forgetEnded(now: number): void {
    let forgotten = 0;
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now || forgotten === mostForgotten) return;
      this.#windows.delete(key);
      forgotten += 1;
    }
  }
}
