/**
 * Milliseconds of CPU time that this process used for `act`. Unlike time on a clock, they do not grow while other
 * processes use the CPU.
 */
export async function cpuMsOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
