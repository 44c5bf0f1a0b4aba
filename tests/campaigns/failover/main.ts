import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { runFaults } from './campaign.ts';
import type { Clusters, FaultName } from './faults.ts';
import { startHaproxy } from './haproxy.ts';
import { Ledger } from './ledger.ts';
import { type Options, readOptions, usage } from './options.ts';
import { startPatroni } from './patroni.ts';
import { findPrograms, type Programs } from './programs.ts';
import { createRandom } from './random.ts';
import { startRedis } from './redis-sentinel.ts';
import { summaryOf, tableOf, violationsOf } from './report.ts';
import { startTwoServices } from './service.ts';
import type { StepRecord } from './step-record.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/**
 * Breaks PostgreSQL and Redis while an application is under load, and prints what the application notices.
 */

const behindHaproxy: readonly FaultName[] = ['switchover', 'kill'];
const account = { role: 'accounts', password: 'accounts', database: 'accounts' };

const print = (text: string) => void process.stdout.write(`${text}\n`);

async function createDatabase({ postgres: cluster }: Clusters): Promise<void> {
  const sql = postgres(await cluster.superuserUrl('postgres'), { max: 1, onnotice: () => {} });
  await sql.unsafe(`create role ${account.role} login password '${account.password}'`);
  await sql.unsafe(`create database ${account.database} owner ${account.role}`);
  await sql.end();
}

async function runCampaign(workspace: Workspace, programs: Programs, options: Options): Promise<boolean> {
  print('Starting PostgreSQL with Patroni, and Redis with Sentinel…');
  const redis = await startRedis(workspace, programs['redis-server']);
  const clusters = { redis, postgres: await startPatroni(workspace, programs, !options.asynchronous) };
  await clusters.postgres.untilHealthy();
  await createDatabase(clusters);

  const secret = randomBytes(32).toString('hex');
  const ledger = new Ledger();
  const random = createRandom(options.seed);
  const records: StepRecord[] = [];
  const onStep = (record: StepRecord) => print(summaryOf(record));
  async function run(through: string, databaseUrl: string, faults: readonly FaultName[]): Promise<void> {
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, JWT_SECRET: secret };
    const services = await startTwoServices(workspace, through.replace(' ', '-'), env);
    const { seconds } = options;
    records.push(
      ...(await runFaults({ through, services, clusters, ledger, random, seconds, onStep }, faults)),
    );
    for (const service of services) {
      if (service.hasExited()) throw new Error(`${service.name} has ended. Use --keep to read its log`);
      await service.stop();
    }
  }

  const credentials = `${account.role}:${account.password}`;
  await run('several hosts', clusters.postgres.url(credentials, account.database), options.faults);
  if (options.haproxy) {
    const port = await startHaproxy(workspace, programs.haproxy, clusters.postgres);
    const url = `postgresql://${credentials}@127.0.0.1:${port}/${account.database}`;
    const faults = behindHaproxy.filter((fault) => options.faults.includes(fault));
    if (faults.length > 0) await run('HAProxy', url, faults);
  }

  const sql = postgres(await clusters.postgres.superuserUrl(account.database), { max: 1 });
  const verdicts = await ledger.verify(sql);
  await sql.end();
  const violations = violationsOf(records, verdicts);
  print(`\n${tableOf(records, verdicts)}`);
  for (const violation of violations) print(`VIOLATION: ${violation}`);
  return violations.length === 0;
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    return 2;
  }
  const wanted = ['postgres', 'patroni', 'etcd', 'redis-server'] as const;
  let programs: Programs;
  try {
    programs = findPrograms(options.haproxy ? [...wanted, 'haproxy'] : wanted);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
  print(`seed ${options.seed}, ${availableParallelism()} cores`);
  const workspace = await createWorkspace();
  if (options.keep) print(`The logs are in ${workspace.folder}`);
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve('interrupted'));
  });
  try {
    const passed = await Promise.race([runCampaign(workspace, programs, options), interrupted]);
    if (passed === 'interrupted') return 130;
    return passed ? 0 : 1;
  } finally {
    await workspace.remove(options.keep);
  }
}

process.exit(await main());
