const { setImmediate } = globalThis;

/**
 * Lets the event loop turn a hundred times. Work without timers and without other processes is over then, so a test can
 * show that something did not happen. The speed of the machine has no effect.
 */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
