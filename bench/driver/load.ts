import { type Summary, summaryOf } from '../throughput/summary.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import type { Operation } from './operations.ts';

/** Ends the load after a time or after a number of operations. */
export type Limit = { seconds: number } | { operations: number };

export interface Loaded extends Summary {
  /** The share of a core that the driver used. Near 1, the driver is the bottleneck. */
  driverBusy: number;
}

/** Runs operations on this many connections. Each connection runs one operation at a time. */
export async function load(
  port: number,
  connections: number,
  limit: Limit,
  operation: Operation,
): Promise<Loaded> {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const latencies: number[] = [];
  const usedBefore = process.cpuUsage();
  const began = performance.now();
  let turns = 0;
  const isOver =
    'seconds' in limit
      ? () => performance.now() - began >= limit.seconds * 1000
      : () => turns >= limit.operations;
  const loop = async (connection: HttpConnection) => {
    while (!isOver()) {
      const turn = turns;
      turns += 1;
      const begun = performance.now();
      if (!(await operation(connection, turn))) return;
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(opened.map(loop));
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(usedBefore);
  for (const connection of opened) connection.close();
  return { ...summaryOf(latencies, elapsed), driverBusy: (user + system) / 1000 / elapsed };
}
