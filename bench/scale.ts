import { availableParallelism } from 'node:os';
import { startDatabase } from './support/database.ts';
import { latchkey } from './throughput/contenders.ts';
import { createDatabases, promoteAndAnalyze } from './throughput/databases.ts';
import { type Figure, figuresOf } from './throughput/figures.ts';
import { type Server, startContender, startDriver } from './throughput/processes.ts';
import type { Sample } from './throughput/rounds.ts';
import type { Scenario } from './throughput/scenarios.ts';

// Measures how much a second process adds. Alternates between one and two processes of the same server behind one port
// (node:cluster). PostgreSQL and the driver use the same cores, so on few cores the result is a lower bound.
const scenarios: readonly Scenario[] = ['session check', 'role-guarded check', 'login', 'signup', 'mixed'];
const sizes = [1, 2];
const [rounds, seconds, connections, people] = [3, 4, 32, 500];

const database = await startDatabase();
const driver = startDriver();
const servers = new Map<number, Server>();
try {
  const urls = await createDatabases(database.url, [latchkey]);
  const url = urls[latchkey.database] ?? '';
  for (const size of sizes) {
    const clustered = { ...latchkey, server: 'cluster', args: [`${size}`] };
    const server = await startContender([process.execPath], clustered, url);
    servers.set(size, server);
    const place = { profile: latchkey.profile, people: `of ${size}`, port: server.port };
    if (size === 1) await driver.do('settle', { ...place, count: people });
    else await driver.do('refresh', { ...place, from: 'of 1' });
  }
  await promoteAndAnalyze(urls);
  console.log(markdownOf(figuresOf(await measure())));
} finally {
  for (const server of servers.values()) await server.stop();
  await driver.stop();
  await database.stop();
}

async function measure(): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const scenario of scenarios) {
      for (const [size, { port }] of servers) {
        const job = { profile: latchkey.profile, people: `of ${size}`, port, scenario, connections };
        await driver.do('load', { ...job, limit: { seconds: 1 } });
        const loaded = await driver.do('load', { ...job, limit: { seconds } });
        samples.push({ ...loaded, scenario, contender: `${size}`, connections, round, serverBusy: null });
      }
    }
  }
  return samples;
}

function markdownOf(figures: Figure[]): string {
  const rows = scenarios.map((scenario) => {
    const [one, two] = figures.filter((figure) => figure.scenario === scenario);
    const [rateOfOne, rateOfTwo] = [one?.perSecond.median ?? 0, two?.perSecond.median ?? 0];
    const cells = [rateOfOne, rateOfTwo].map((rate) => Math.round(rate).toLocaleString('en'));
    const busy = `${Math.round(100 * (two?.driverBusy ?? 0))} %`;
    return `| ${[scenario, ...cells, (rateOfTwo / rateOfOne).toFixed(2), busy].join(' | ')} |`;
  });
  return [
    `### One process and two, ${availableParallelism()} cores, ${connections} connections, medians of ${rounds} rounds`,
    '',
    '| | one, per second | two, per second | ratio | driver busy with two |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
