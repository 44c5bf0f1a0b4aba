/** Waits until all work is done, except work that waits for a timer or for input. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise<void>((done) => setImmediate(done));
}
