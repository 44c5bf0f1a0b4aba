import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls the condition until it is true.
 *
 * @returns whether the condition became true in time
 */
export async function becomesTrue(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
}

/** @throws Error if the condition is not true in time */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  seconds = 120,
): Promise<void> {
  if (!(await becomesTrue(condition, seconds)))
    throw new Error(`did not happen within ${seconds} seconds: ${what}`);
}
