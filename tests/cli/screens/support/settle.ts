/** Runs everything that waits neither for a timer nor for input. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise<void>((done) => setImmediate(done));
}
