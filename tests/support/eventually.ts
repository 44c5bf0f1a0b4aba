import { setTimeout as pause } from 'node:timers/promises';

/** Asks again every few milliseconds until the answer is yes; fails once the time is up. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 20_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`still not true after ${milliseconds} ms: ${condition}`);
    await pause(20);
  }
}
