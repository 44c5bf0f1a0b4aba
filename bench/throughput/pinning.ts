import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Makes Node write a CPU profile for each process. */
export const profiling = ['--cpu-prof', '--cpu-prof-dir=bench/results/profiles'];

/** The cores of the servers and of all other processes. */
export interface Pinning {
  server: string[];
  description: string;
}

/**
 * Pins the servers to core 0, and this process to core 1. This process starts PostgreSQL and the driver, so these also
 * run on core 1. Does nothing if taskset is missing or the machine has only one core.
 */
export function pinApart(): Pinning {
  const unpinned = { server: [], description: 'not pinned' };
  if (availableParallelism() < 2) return unpinned;
  const { status } = spawnSync('taskset', ['-a', '-c', '-p', '1', `${process.pid}`]);
  if (status !== 0) return unpinned;
  return {
    server: ['taskset', '-c', '0'],
    description: 'server on core 0; PostgreSQL and the driver on core 1',
  };
}
