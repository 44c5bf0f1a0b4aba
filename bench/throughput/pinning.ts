import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Has Node write down where a process's time went, one file a process. */
export const profiling = ['--cpu-prof', '--cpu-prof-dir=bench/results/profiles'];

/** Where the servers run, and where everything else does. */
export interface Pinning {
  server: string[];
  description: string;
}

/**
 * Puts this process, and with it PostgreSQL and the driver, which it starts, on core 1, and has servers started on
 * core 0; where there is no taskset, or one core alone, nothing is pinned.
 */
export function pinApart(): Pinning {
  const unpinned = { server: [], description: 'nothing pinned' };
  if (availableParallelism() < 2) return unpinned;
  const { status } = spawnSync('taskset', ['-a', '-c', '-p', '1', `${process.pid}`]);
  if (status !== 0) return unpinned;
  return {
    server: ['taskset', '-c', '0'],
    description: 'server on core 0; PostgreSQL and the driver on core 1',
  };
}
