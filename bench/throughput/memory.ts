import { setTimeout as sleep } from 'node:timers/promises';
import { latchkey } from './contenders.ts';
import { type Driver, startContender } from './processes.ts';
import type { Settings } from './settings.ts';

export interface Memory {
  /** The resident memory in megabytes after each number of requests. */
  after: { requests: number; megabytes: number }[];
  ratio: number;
}

const step = 10;

/**
 * Measures the memory of Latchkey's server after some requests and after many requests. 90 % of the requests are
 * session checks, and the rest is the mixed load.
 */
export async function measureMemory(
  driver: Driver,
  command: string[],
  databaseUrl: string,
  { memoryAfter: [few, many] }: Settings,
): Promise<Memory> {
  const server = await startContender(command, latchkey, databaseUrl);
  const place = { profile: latchkey.profile, people: latchkey.name, port: server.port, connections: 16 };
  const after: Memory['after'] = [];
  const portion = few / step;
  try {
    for (let requests = portion; requests <= many; requests += portion) {
      const mixed = portion / 10;
      await driver.do('load', {
        ...place,
        scenario: 'session check',
        limit: { operations: portion - mixed },
      });
      await driver.do('load', { ...place, scenario: 'mixed', limit: { operations: mixed } });
      if (requests % few !== 0) continue;
      await sleep(500);
      after.push({ requests, megabytes: (await server.rss()) / 2 ** 20 });
    }
  } finally {
    await server.stop();
  }
  return { after, ratio: (after.at(-1)?.megabytes ?? 0) / (after[0]?.megabytes ?? 0) };
}
