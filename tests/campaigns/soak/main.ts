import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { createDatabase, createSuperadmin, credentials, databaseName } from '../failover/accounts.ts';
import { type Clusters, type FaultName, prepareSteps } from '../failover/faults.ts';
import { startPatroni } from '../failover/patroni.ts';
import type { Programs } from '../failover/programs.ts';
import { createRandom, type Random } from '../failover/random.ts';
import { startRedis } from '../failover/redis-sentinel.ts';
import { runCampaign } from '../failover/run-campaign.ts';
import { startTwoServices } from '../failover/service.ts';
import { StepRecord } from '../failover/step-record.ts';
import { until } from '../failover/wait.ts';
import type { Workspace } from '../failover/workspace.ts';
import { writeResults } from '../results.ts';
import { startSoakLoad } from './load.ts';
import { type Finding, Measures } from './measures.ts';

/**
 * Runs two processes under load for an hour, causes a fault every minute, and checks that memory, open files,
 * connections and tables do not grow.
 */

const faults = [
  'switchover',
  'freeze-standby',
  'freeze-listeners',
  'restart-servers',
  'partition-standby',
  'redis-kill',
] as const satisfies readonly FaultName[];
const pauseMs = 45_000;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Causes one fault after the other until the time is over. Returns how often. */
async function causeFaults(clusters: Clusters, random: Random, end: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  while (performance.now() + pauseMs < end) {
    await sleep(pauseMs);
    const fault = random.pick<(typeof faults)[number]>(faults);
    for (const step of await prepareSteps[fault](clusters)) {
      await step.run();
      for (const service of clusters.services)
        await until(`${service.name} is ready after: ${step.name}`, async () => {
          if (service.hasExited()) throw new Error(`${service.name} has ended`);
          const answer = await service
            .browser()
            .get('/readyz')
            .catch(() => null);
          return answer?.status === 200;
        });
      await sleep(5000);
      if (step.repairs) await clusters.postgres.untilHealthy();
    }
    counts[fault] = (counts[fault] ?? 0) + 1;
  }
  await sleep(Math.max(0, end - performance.now()));
  return counts;
}

async function soak(
  workspace: Workspace,
  programs: Programs,
  minutes: number,
  seed: number,
): Promise<boolean> {
  const at = new Date().toISOString();
  print('Starting PostgreSQL with Patroni, and Redis with Sentinel…');
  const redis = await startRedis(workspace, programs['redis-server']);
  const cluster = await startPatroni(workspace, programs, true);
  await cluster.untilHealthy();
  await createDatabase(cluster);
  const url = cluster.url(credentials, databaseName);
  const secret = randomBytes(32).toString('hex');
  const heaps = await workspace.createFolder('heaps');
  const heapFile = (name: string) => join(heaps, name);
  const services = await startTwoServices(workspace, 'soak', (name) => ({
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    JWT_SECRET: secret,
    HEAP_FILE: heapFile(name),
  }));
  const superadmin = await createSuperadmin(services, url, secret);

  const random = createRandom(seed);
  const record = new StepRecord('soak', false);
  const load = await startSoakLoad(services, superadmin, record, random);
  const began = performance.now();
  const end = began + minutes * 60_000;
  const measures = new Measures();
  const elapsed = () => (performance.now() - began) / 1000;
  let isOver = false;

  async function sample(): Promise<void> {
    measures.sampleProcesses(services, elapsed(), heapFile);
    const sql = postgres(await cluster.superuserUrl(databaseName), { max: 1, connect_timeout: 5 });
    // A server that hangs would delay the next samples.
    const limit = sleep(5000).then(() => sql.end({ timeout: 0 }));
    await measures.sampleDatabase(sql, elapsed()).finally(() => sql.end({ timeout: 0 }));
    await limit;
  }
  async function keepSampling(): Promise<void> {
    while (!isOver) {
      // The database may be unreachable during a fault.
      await sample().catch(() => {});
      await sleep(2000);
    }
  }

  const sampling = keepSampling();
  const counts = await causeFaults({ postgres: cluster, redis, services, haproxy: null }, random, end);
  isOver = true;
  await Promise.all([sampling, load.stop()]);

  const findings = measures.findings(minutes);
  const { requests, failures } = record;
  const failed = Object.fromEntries(failures);
  print(
    `\n${requests} requests, failed by status: ${JSON.stringify(failed)}, faults: ${JSON.stringify(counts)}`,
  );
  print(`\n${tableOf(findings)}`);
  const command = `npm run campaign -- soak --minutes=${minutes} --seed=${seed}`;
  const seconds = Math.round(elapsed());
  const results = { campaign: 'soak', command, at, seconds, requests, failed, faults: counts, findings };
  print(`The results are in ${await writeResults('soak', results)}`);
  return findings.length > 0 && findings.every((finding) => finding.isFlat !== false);
}

const tableOf = (findings: readonly Finding[]): string =>
  [
    '| measure | mean | growth | flat |',
    '| --- | --- | --- | --- |',
    ...findings.map(
      ({ measure, unit, mean, growth, isFlat }) =>
        `| ${measure} | ${mean.toFixed(1)} ${unit} | ${growth.toFixed(1)} ${unit} | ${isFlat === null ? 'run too short' : isFlat ? 'yes' : 'NO'} |`,
    ),
  ].join('\n');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
    keep: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes >= 3)) {
  process.stderr.write(`--minutes must be at least 3. It is "${values.minutes}".\n`);
  process.exit(2);
}
process.exit(
  await runCampaign(['postgres', 'patroni', 'etcd', 'redis-server'], values.keep, (workspace, programs) =>
    soak(workspace, programs, minutes, Number(values.seed)),
  ),
);
