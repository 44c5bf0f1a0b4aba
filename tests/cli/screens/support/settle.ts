/** Lets everything happen that is not waiting for time or for somebody. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise<void>((done) => setImmediate(done));
}
