import type { Loaded } from '../driver/load.ts';
import { type Contender, contenders, limits, verificationAlone } from './contenders.ts';
import type { Driver, Server } from './processes.ts';
import { connectionsFor, type Scenario, scenarios } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { Summary } from './summary.ts';

/** One measurement of one contender in one round. */
export interface Sample extends Summary {
  scenario: Scenario;
  contender: string;
  connections: number;
  round: number;
  /** The share of a core. Null if the system does not report it. */
  driverBusy: number | null;
  serverBusy: number | null;
}

interface Field {
  driver: Driver;
  servers: ReadonlyMap<string, Server>;
  verification: Server;
  settings: Settings;
}

/**
 * Alternates between the contenders, so that other load on the machine affects all of them. Loads one server at a time.
 */
export async function runRounds(field: Field): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= field.settings.rounds; round += 1) {
    for (const scenario of field.settings.only ? [field.settings.only] : scenarios) {
      for (const connections of connectionsFor(scenario)) {
        for (const contender of inOrderOf(round, entrantsOf(scenario))) {
          const measured = await measure(field, contender, scenario, connections, round);
          samples.push({ scenario, contender: contender.name, connections, round, ...measured });
        }
        if (scenario === 'login') {
          const measured = await measureVerification(field, connections, round);
          samples.push({ scenario, contender: verificationAlone, connections, round, ...measured });
        }
      }
    }
    console.error(`Finished round ${round} of ${field.settings.rounds}.`);
  }
  return samples;
}

const entrantsOf = (scenario: Scenario): Contender[] =>
  [...contenders, ...limits].filter((contender) => contender.scenarios.includes(scenario));

/** Each round begins with another contender, so that no contender always runs first. */
const inOrderOf = (round: number, entrants: Contender[]): Contender[] => {
  const first = (round - 1) % entrants.length;
  return [...entrants.slice(first), ...entrants.slice(0, first)];
};

async function measure(
  { driver, servers, settings }: Field,
  contender: Contender,
  scenario: Scenario,
  connections: number,
  round: number,
): Promise<Loaded & { serverBusy: number | null }> {
  console.error(`${scenario}, ${connections} connections: ${contender.name}`);
  const server = servers.get(contender.name);
  if (!server) throw new Error(`${contender.name} is not running`);
  const { profile, name: people } = contender;
  const place = { profile, people, port: server.port };
  if (scenario === 'recovery use') await driver.do('makeCodes', { ...place, count: settings.codes });
  const job = { ...place, scenario, connections };
  await driver.do('load', { ...job, limit: { seconds: warmUpFor(scenario, round, settings) } });
  const before = server.used();
  const loaded = await driver.do('load', { ...job, limit: { seconds: settings.seconds } });
  const after = server.used();
  if (loaded.operations === 0) throw new Error(`${contender.name}: ${scenario} completed no operation.`);
  const elapsed = (loaded.operations / loaded.perSecond) * 1000;
  return { ...loaded, serverBusy: before === null || after === null ? null : (after - before) / elapsed };
}

/**
 * The first warm-up is longer, because Node compiles the code. Recovery codes are single-use, so their warm-up is
 * brief.
 */
const warmUpFor = (scenario: Scenario, round: number, { warmUpSeconds }: Settings): number =>
  round === 1 && scenario !== 'recovery use' ? 5 * warmUpSeconds : warmUpSeconds;

async function measureVerification({ verification, settings }: Field, connections: number, round: number) {
  await verification.ask({ seconds: warmUpFor('login', round, settings), connections });
  const summary = await verification.ask<Summary>({ seconds: settings.seconds, connections });
  return { ...summary, driverBusy: null, serverBusy: null };
}
