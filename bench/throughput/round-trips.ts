import { median } from 'simple-statistics';
import { contenders, limits } from './contenders.ts';
import type { DatabaseUrls } from './databases.ts';
import { type Driver, startContender } from './processes.ts';
import type { Scenario } from './scenarios.ts';
import type { Settings } from './settings.ts';
import { startWireProxy } from './wire-proxy.ts';

export interface RoundTrips {
  contender: string;
  scenario: Scenario;
  median: number;
  most: number;
}

/** Counts the SQL round trips of single operations. */
export async function countRoundTrips(
  driver: Driver,
  command: string[],
  urls: DatabaseUrls,
  settings: Settings,
): Promise<RoundTrips[]> {
  const counted: RoundTrips[] = [];
  for (const contender of [...contenders, ...limits]) {
    const proxy = await startWireProxy(urls[contender.database] ?? '');
    const server = await startContender(command, contender, proxy.url);
    try {
      const place = { profile: contender.profile, people: contender.name, port: server.port };
      for (const scenario of contender.scenarios.filter((scenario) => scenario !== 'mixed')) {
        const one = { ...place, scenario, connections: 1, limit: { operations: 1 } };
        if (scenario === 'recovery use') await driver.do('makeCodes', { ...place, count: 200 });
        // The first few operations also open connections, prepare statements and fetch types.
        for (let time = 0; time < warmUpsOf(scenario); time += 1) await driver.do('load', one);
        const each: number[] = [];
        for (let time = 0; time < settings.countedOperations; time += 1) {
          const before = proxy.roundTrips();
          await driver.do('load', one);
          each.push(proxy.roundTrips() - before);
        }
        counted.push({
          contender: contender.name,
          scenario,
          median: median(each),
          most: Math.max(...each),
        });
      }
    } finally {
      await server.stop();
      proxy.close();
    }
  }
  return counted;
}

/** One operation per connection of the pool. Fewer for passwords, because each takes a quarter of a second. */
const warmUpsOf = (scenario: Scenario): number => (scenario === 'password login' ? 3 : 12);
