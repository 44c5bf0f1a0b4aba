import { testSignal } from './test-signal.ts';

// Tests replace the timers of the global object and of node:timers/promises.
const { setTimeout: realSetTimeout } = globalThis;
const pause = (ms: number) => new Promise((done) => realSetTimeout(done, ms));

/**
 * Polls the condition until it is true. The only limit is the timeout of the test or hook, so that a slow machine cannot
 * fail a test. The error of a test that times out then names the condition.
 */
export const eventually = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  poll(condition, () => `Still not true: ${condition}`);

/** Polls the assertion until it no longer throws, like `eventually`, and returns its value. */
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
