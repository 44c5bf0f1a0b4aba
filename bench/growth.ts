import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openConnection } from './driver/http-connection.ts';
import { type Place, settle } from './growth/place.ts';
import { type Figure, figureOf, markdownOf, type Results } from './growth/report.ts';
import { type ConnectedPlace, type Scenario, scenarios } from './growth/scenarios.ts';
import { startDatabase } from './support/database.ts';
import { writeResults } from './support/write-results.ts';
import { versionOf } from './throughput/databases.ts';
import { describeHost } from './throughput/machine.ts';

// Measures how much slower requests are with more users, sessions, events, organizations and invitations. Sends the
// same requests, one at a time, to services with a thousand users and with up to a million users. Alternates between
// the services, so that other load on the machine affects all of them.
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const sizes = options.quick ? [1000, 20_000] : [1000, 100_000, 1_000_000];
/** PostgreSQL can switch to a generic plan from the sixth use of a statement on a connection. */
const warmUp = 40;
/** So few that each user of the smallest service is checked only once. A second check would use the cache. */
const samples = 500;
const fewest = 30;
/** The time limit for one scenario. A slow scenario has fewer samples. */
const longestMs = 30_000;

const database = await startDatabase();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => database.stop().finally(() => process.exit(130)));
const places: Place[] = [];
try {
  for (const size of sizes) {
    const place = await settle(database.url, size);
    places.push(place);
    console.error(`${size} users, seeded in ${place.seededInSeconds.toFixed(0)} s`);
  }
  const figures: Figure[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(options.only)))
    figures.push(figureOf(scenario, await measureInTurn(scenario)));
  const results: Results = {
    host: describeHost(availableParallelism()),
    postgresql: await versionOf(database.url),
    quick: options.quick,
    places: places.map(({ people, seededInSeconds }) => ({ people, seededInSeconds })),
    figures,
  };
  await writeResults('growth', results, markdownOf(results));
  process.exitCode = figures.every(({ met }) => met) ? 0 : 1;
} finally {
  for (const place of places) await place.stop();
  await database.stop();
}

async function measureInTurn(scenario: Scenario): Promise<Measured[]> {
  const measured = await Promise.all(places.map(connect));
  const enough = performance.now() + longestMs;
  for (let turn = 0; turn < warmUp + samples; turn += 1) {
    if (turn >= warmUp + fewest && performance.now() > enough) break;
    // Each turn begins with another service, so that the order changes.
    const first = turn % measured.length;
    for (const measuring of [...measured.slice(first), ...measured.slice(0, first)]) {
      const { ms, shown } = await scenario.measure(measuring.place, turn);
      measuring.shown = shown;
      if (turn >= warmUp) measuring.times.push(ms);
    }
  }
  for (const { place } of measured) place.connection.close();
  return measured;
}

interface Measured {
  place: ConnectedPlace;
  times: number[];
  shown: number | undefined;
}

/** Connects again for each scenario, because servers close idle connections. */
async function connect(place: Place): Promise<Measured> {
  const connection = await openConnection(place.port);
  return { place: { ...place, connection }, times: [], shown: undefined };
}
