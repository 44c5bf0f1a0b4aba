import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { createDatabase, createSuperadmin, credentials, databaseName, verifyAuditLog } from './accounts.ts';
import { runFaults } from './campaign.ts';
import { behindHaproxy, type FaultName } from './faults.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { Histories } from './histories/histories.ts';
import { Ledger } from './ledger.ts';
import type { Options } from './options.ts';
import { outcomeOf } from './outcome.ts';
import { type PatroniCluster, startPatroni } from './patroni.ts';
import type { Programs } from './programs.ts';
import { createRandom } from './random.ts';
import type { Recording } from './recording.ts';
import { startRedis } from './redis-sentinel.ts';
import { lineOf } from './report.ts';
import { startTwoServices, type TwoServices } from './service.ts';
import type { StepRecord } from './step-record.ts';
import type { Workspace } from './workspace.ts';

/** One way to reach PostgreSQL: two processes of the application, and the faults of each round. */
interface Arrangement {
  readonly through: string;
  readonly services: TwoServices;
  readonly haproxy: Haproxy | null;
  readonly faults: readonly FaultName[];
}

/** Starts the clusters and the processes, and causes all faults in each round. Records each completed round. */
export async function runRounds(
  workspace: Workspace,
  programs: Programs,
  options: Options,
  recording: Recording,
  print: (text: string) => void,
): Promise<void> {
  const at = new Date().toISOString();
  const began = performance.now();
  print('Starting PostgreSQL with Patroni, and Redis with Sentinel…');
  const redis = await startRedis(workspace, programs['redis-server']);
  const cluster = await startPatroni(workspace, programs, !options.asynchronous);
  await cluster.untilHealthy();
  await createDatabase(cluster);
  const secret = randomBytes(32).toString('hex');
  const url = cluster.url(credentials, databaseName);
  const start = (name: string, databaseUrl: string) =>
    startTwoServices(workspace, name, () => ({
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      JWT_SECRET: secret,
    }));
  // All processes run until the end, so that each of them recovers from all faults of all rounds.
  const arrangements = await startArrangements(options, start, workspace, programs, cluster);
  const [{ services }] = arrangements;
  const superadmin = await createSuperadmin(services, url, secret);

  const ledger = new Ledger();
  const histories = new Histories((recorded) => recording.add(recorded));
  const random = createRandom(options.seed);
  const records: StepRecord[] = [];
  const onStep = (record: StepRecord) => {
    records.push(record);
    print(lineOf(record));
  };
  for (let rounds = 1; rounds <= options.rounds; rounds += 1) {
    for (const { through, services, haproxy, faults } of arrangements) {
      const clusters = { redis, postgres: cluster, services, haproxy };
      const shared = { ledger, histories, superadmin, random, seconds: options.seconds };
      await runFaults({ ...shared, through, clusters, onStep }, faults);
    }
    for (const service of arrangements.flatMap(({ services }) => services))
      if (service.hasExited()) throw new Error(`${service.name} has ended`);
    const sql = postgres(await cluster.superuserUrl(databaseName), { max: 1 });
    // Also checks the mutations of earlier rounds again, because a later failover could lose them.
    const verdicts = await ledger.verify(sql);
    await sql.end();
    const { seed, seconds, asynchronous, isComplete } = options;
    recording.completeRound({
      at,
      seconds: Math.round((performance.now() - began) / 1000),
      cores: availableParallelism(),
      settings: { seed, seconds, asynchronous, isComplete },
      rounds,
      outcomes: records.map((record) => outcomeOf(record, verdicts.get(record))),
      problems: await verifyAuditLog(url, secret),
    });
    print(`Round ${rounds} of ${options.rounds} is complete.`);
  }
  for (const service of arrangements.flatMap(({ services }) => services)) await service.stop();
}

async function startArrangements(
  options: Options,
  start: (name: string, databaseUrl: string) => Promise<TwoServices>,
  workspace: Workspace,
  programs: Programs,
  cluster: PatroniCluster,
): Promise<[Arrangement, ...Arrangement[]]> {
  const direct: Arrangement = {
    through: 'several hosts',
    services: await start('several-hosts', cluster.url(credentials, databaseName)),
    haproxy: null,
    faults: options.faults.filter((fault) => fault !== 'proxy-kill'),
  };
  if (!options.haproxy) return [direct];
  const haproxy = await startHaproxy(workspace, programs.haproxy, cluster);
  const url = `postgresql://${credentials}@127.0.0.1:${haproxy.port}/${databaseName}`;
  const proxied: Arrangement = {
    through: 'HAProxy',
    services: await start('HAProxy', url),
    haproxy,
    faults: options.faults.filter((fault) => behindHaproxy.includes(fault)),
  };
  const [first = direct, ...others] = [direct, proxied].filter(({ faults }) => faults.length > 0);
  return [first, ...others];
}
