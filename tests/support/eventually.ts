import { testSignal } from './test-signal.ts';

// Tests replace the global one, and Vitest the one of node:timers/promises.
const { setTimeout: realSetTimeout } = globalThis;
const pause = (ms: number) => new Promise((done) => realSetTimeout(done, ms));

/**
 * Polls the condition until it is true. The only limit is the timeout of the test or hook, so that a slow machine cannot
 * fail a test. The error of a test that times out then names the condition.
 */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const signal = testSignal();
  const nameCondition = () => {
    if (signal?.reason instanceof Error) signal.reason.message += `\nStill not true: ${condition}`;
  };
  signal?.addEventListener('abort', nameCondition);
  try {
    while (!(await condition())) {
      signal?.throwIfAborted();
      await pause(20);
    }
  } finally {
    signal?.removeEventListener('abort', nameCondition);
  }
}
