import { testSignal } from './test-signal.ts';

// These copies work even if a test replaces the timers of the global object and of node:timers/promises.
const { setTimeout: realSetTimeout } = globalThis;
const pause = (ms: number) => new Promise((done) => realSetTimeout(done, ms));

/**
 * Polls the condition until it is true. The only time limit is the timeout of the test or hook, so an overloaded
 * machine does not fail a test. If the test times out, its error contains the description, by default the condition.
 */
export const eventually = (
  condition: () => boolean | Promise<boolean>,
  describe = () => `Still not true: ${condition}`,
): Promise<void> => poll(condition, describe);

/** Polls the assertion, like `eventually`, until it no longer throws. Returns the value of the assertion. */
export async function untilPasses<T>(assertion: () => T): Promise<T> {
  let failure: unknown;
  const passed: T[] = [];
  const passes = () => {
    try {
      passed.push(assertion());
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await poll(passes, () => `Still fails: ${failure}`);
  return passed[0] as T;
}

async function poll(condition: () => boolean | Promise<boolean>, describe: () => string): Promise<void> {
  const signal = testSignal();
  const explain = () => {
    if (signal?.reason instanceof Error) signal.reason.message += `\n${describe()}`;
  };
  signal?.addEventListener('abort', explain);
  try {
    while (!(await condition())) {
      signal?.throwIfAborted();
      await pause(20);
    }
  } finally {
    signal?.removeEventListener('abort', explain);
  }
}
