/** Pauses of work that is in no hurry. They keep no process alive, and are over for good once they are ended. */
export interface Pauses {
  /** @returns whether to go on: false as soon as they are ended */
  take(ms: number): Promise<boolean>;
  readonly ended: boolean;
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
