import { median } from 'simple-statistics';
import { contenders, koaAlone } from './contenders.ts';
import type { DatabaseUrls } from './databases.ts';
import { type Driver, startContender } from './processes.ts';
import type { Settings } from './settings.ts';

export interface StartUp {
  contender: string;
  medianMs: number;
  slowestMs: number;
}

/**
 * Measures the time from the start of a process to its first session check with status 200. The tables already exist.
 */
export async function measureStartUp(
  driver: Driver,
  command: string[],
  urls: DatabaseUrls,
  { starts }: Settings,
): Promise<StartUp[]> {
  const entrants = [...contenders, koaAlone];
  const times = new Map(entrants.map(({ name }) => [name, [] as number[]]));
  for (let turn = 0; turn < starts; turn += 1) {
    for (const contender of entrants) {
      const began = performance.now();
      const server = await startContender(command, contender, urls[contender.database] ?? '');
      const { profile, name: people } = contender;
      await driver.do('firstAnswer', { profile, people, port: server.port });
      times.get(people)?.push(performance.now() - began);
      await server.stop();
    }
  }
  return [...times].map(([contender, each]) => ({
    contender,
    medianMs: median(each),
    slowestMs: Math.max(...each),
  }));
}
