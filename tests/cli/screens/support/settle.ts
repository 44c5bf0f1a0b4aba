/** Waits for twelve turns of the event loop. Work without timers and input ends within them. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise<void>((done) => setImmediate(done));
}
