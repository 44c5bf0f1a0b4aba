import { availableParallelism } from 'node:os';
import { startDatabase } from './support/database.ts';
import { writeResults } from './support/write-results.ts';
import { contenders, koaAlone, latchkey, limits } from './throughput/contenders.ts';
import { createDatabases, fillKoaPeople, promoteAndAnalyze, versionOf } from './throughput/databases.ts';
import { figuresOf } from './throughput/figures.ts';
import { measureInstalls } from './throughput/installed.ts';
import { describeMachine } from './throughput/machine.ts';
import { measureMemory } from './throughput/memory.ts';
import { pinApart, profiling } from './throughput/pinning.ts';
import { type Server, startContender, startDriver, startServer } from './throughput/processes.ts';
import { figuresAlone, markdownOf, type Results } from './throughput/report.ts';
import { measureRevocation } from './throughput/revocation.ts';
import { countRoundTrips } from './throughput/round-trips.ts';
import { runRounds } from './throughput/rounds.ts';
import { readSettings } from './throughput/settings.ts';
import { measureStartUp } from './throughput/start-up.ts';
import { targetsOf } from './throughput/targets.ts';

// Measures operations per second, compared with other packages and with an upper bound. bench/README.md explains the
// results.
const settings = readSettings();
const cores = availableParallelism();
const { server: pinned, description } = pinApart();
const command = [...pinned, process.execPath, ...(settings.profile ? profiling : [])];

const database = await startDatabase();
const driver = startDriver();
const servers = new Map<string, Server>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => database.stop().finally(() => process.exit(130)));
try {
  const urls = await createDatabases(database.url, [...contenders, ...limits]);
  const urlOf = (name: string) => urls[name] ?? '';
  const machine = await describeMachine(cores, description, await versionOf(database.url));

  await startAndSettle();
  const verification = await startServer(command, 'verification', [], {});
  servers.set('verification', verification);
  const ceiling = await measureDriver();
  const samples = await runRounds({ driver, servers, verification, settings });
  await stopServers();

  const figures = figuresOf(samples);
  if (settings.only) console.log(figuresAlone(settings.only, figures));
  else await measureTheRest();

  async function measureTheRest(): Promise<void> {
    console.error('Counting SQL round trips…');
    const roundTrips = await countRoundTrips(driver, command, urls, settings);
    console.error('Measuring revocation, memory and start…');
    const revocation = await measureRevocation(driver, command, urlOf('latchkey'), settings);
    const memory = await measureMemory(driver, command, urlOf('latchkey'), settings);
    const startUp = await measureStartUp(driver, command, urls, settings);
    const installed = settings.installs ? await measureInstalls() : [];
    const targets = targetsOf({ figures, roundTrips, revocation, memory });
    const results: Results = {
      machine,
      settings,
      targets,
      figures,
      driver: ceiling,
      roundTrips,
      revocation,
      memory,
      startUp,
      installed,
    };
    await writeResults('throughput', results, markdownOf(results));
    process.exitCode = targets.every(({ met }) => met) ? 0 : 1;
  }

  /** Starts every contender and signs up users over HTTP. Contenders that share a database share the users. */
  async function startAndSettle(): Promise<void> {
    const settled = new Map<string, string>();
    for (const contender of contenders) {
      const { name: people, profile, database: shared } = contender;
      const server = await startContender(command, contender, urlOf(shared));
      servers.set(people, server);
      const from = settled.get(shared);
      const place = { profile, people, port: server.port };
      if (from === undefined) await driver.do('settle', { ...place, count: settings.people });
      else await driver.do('refresh', { ...place, from });
      settled.set(shared, from ?? people);
    }
    await fillKoaPeople(urlOf('koa'), settings.people);
    await promoteAndAnalyze(urls);
    for (const limit of limits) await startLimit(limit);
    // The cookies still contain the role from before the change.
    for (const contender of contenders) {
      const server = servers.get(contender.name) as Server;
      const place = { profile: contender.profile, people: contender.name, port: server.port };
      await driver.do('refresh', { ...place, from: contender.name });
    }
  }

  /** Checks that Koa sends exactly the same bytes as Latchkey. */
  async function startLimit(limit: (typeof limits)[number]): Promise<void> {
    const ours = servers.get(latchkey.name) as Server;
    const place = { profile: latchkey.profile, people: latchkey.name, port: ours.port };
    const answer = await driver.do('sample', place);
    limit.env.ANSWER = answer;
    const server = await startContender(command, limit, urlOf(limit.database));
    servers.set(limit.name, server);
    const here = { profile: limit.profile, people: limit.name, port: server.port };
    await driver.do('settle', { ...here, count: settings.people });
    const theirs = await driver.do('sample', here);
    if (theirs.length !== answer.length)
      throw new Error(`${limit.name} returns ${theirs}, Latchkey returns ${answer}`);
  }

  async function measureDriver() {
    const { ANSWER = '' } = koaAlone.env;
    const echo = await startServer(command, 'echo', [], { ANSWER });
    const limit = { seconds: settings.seconds };
    await driver.do('ceiling', {
      port: echo.port,
      connections: 16,
      limit: { seconds: settings.warmUpSeconds },
    });
    const { perSecond } = await driver.do('ceiling', { port: echo.port, connections: 16, limit });
    await echo.stop();
    const signaturesPerSecond = await driver.do('signing', limit);
    return { answersPerSecond: perSecond, signaturesPerSecond };
  }
} finally {
  await stopServers();
  await driver.stop();
  await database.stop();
}

async function stopServers(): Promise<void> {
  for (const server of servers.values()) await server.stop();
  servers.clear();
}
