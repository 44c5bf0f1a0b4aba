/** Pauses between rounds of background work. A pause does not keep the process alive. */
export interface Pauses {
  /** Waits for `ms` milliseconds, or until `end` is called. @returns false after `end`: the work must stop */
  take(ms: number): Promise<boolean>;
  readonly ended: boolean;
  /** Ends the current pause and all later ones. */
  end(): void;
}

export function createPauses(): Pauses {
  let ended = false;
  let wake = () => {};
  return {
    async take(ms) {
      if (ended) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      return !ended;
    },
    get ended() {
      return ended;
    },
    end() {
      ended = true;
      wake();
    },
  };
}
