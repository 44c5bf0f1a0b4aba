import { setTimeout as pause } from 'node:timers/promises';

/** Polls the condition until it is true. Throws after the timeout. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not true after ${timeoutMs} ms: ${condition}`);
    await pause(20);
  }
}
