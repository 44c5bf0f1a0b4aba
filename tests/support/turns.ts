const { setImmediate } = globalThis;

/**
 * Lets the event loop turn a hundred times. By then, all work without timers and other processes has ended, so a
 * test can show that something did not happen. The speed of the machine has no effect.
 */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
