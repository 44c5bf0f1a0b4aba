import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import postgres from 'postgres';
import { writeResults } from '../results.ts';
import { createDatabase, createSuperadmin, credentials, databaseName, verifyAuditLog } from './accounts.ts';
import { runFaults } from './campaign.ts';
import { behindHaproxy, type FaultName } from './faults.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { Histories } from './histories/histories.ts';
import { Ledger } from './ledger.ts';
import { type Options, readOptions, usage } from './options.ts';
import { startPatroni } from './patroni.ts';
import type { Programs } from './programs.ts';
import { createRandom } from './random.ts';
import { startRedis } from './redis-sentinel.ts';
import { historyTable, lineOf, stepTable, totalsOf, violationsOf } from './report.ts';
import { runCampaign } from './run-campaign.ts';
import { startTwoServices } from './service.ts';
import type { StepRecord } from './step-record.ts';
import { summarize } from './summary.ts';
import type { Workspace } from './workspace.ts';

/**
 * Breaks PostgreSQL and Redis while an application is under load, and prints what the application notices.
 */

const print = (text: string) => void process.stdout.write(`${text}\n`);

async function breakAll(workspace: Workspace, programs: Programs, options: Options): Promise<boolean> {
  const at = new Date().toISOString();
  const began = performance.now();
  print('Starting PostgreSQL with Patroni, and Redis with Sentinel…');
  const redis = await startRedis(workspace, programs['redis-server']);
  const cluster = await startPatroni(workspace, programs, !options.asynchronous);
  await cluster.untilHealthy();
  await createDatabase(cluster);

  const secret = randomBytes(32).toString('hex');
  const url = cluster.url(credentials, databaseName);
  const [ledger, histories] = [new Ledger(), new Histories()];
  const records: StepRecord[] = [];
  let superadmin: SoftwareAuthenticator | undefined;

  async function run(through: string, databaseUrl: string, haproxy: Haproxy | null, faults: FaultName[]) {
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, JWT_SECRET: secret };
    const services = await startTwoServices(workspace, through.replace(' ', '-'), () => env);
    superadmin ??= await createSuperadmin(services, url, secret);
    const clusters = { redis, postgres: cluster, services, haproxy };
    const onStep = (record: StepRecord) => {
      records.push(record);
      print(lineOf(record));
    };
    const shared = { ledger, histories, superadmin, random: createRandom(options.seed) };
    await runFaults({ ...shared, ...options, through, clusters, onStep }, faults);
    for (const service of services) {
      if (service.hasExited()) throw new Error(`${service.name} has ended. Use --keep to read its log`);
      await service.stop();
    }
  }

  const direct = options.faults.filter((fault) => fault !== 'proxy-kill');
  if (direct.length > 0) await run('several hosts', url, null, direct);
  const proxied = options.faults.filter((fault) => behindHaproxy.includes(fault));
  if (options.haproxy && proxied.length > 0) {
    const haproxy = await startHaproxy(workspace, programs.haproxy, cluster);
    await run(
      'HAProxy',
      `postgresql://${credentials}@127.0.0.1:${haproxy.port}/${databaseName}`,
      haproxy,
      proxied,
    );
  }

  const sql = postgres(await cluster.superuserUrl(databaseName), { max: 1 });
  const steps = summarize(records, await ledger.verify(sql));
  await sql.end();
  const checked = histories.check();
  const violations = [...violationsOf(records, steps, checked), ...(await verifyAuditLog(url, secret))];
  print(`\n${stepTable(steps)}\n${historyTable(checked)}`);
  for (const violation of violations) print(`VIOLATION: ${violation}`);
  const seconds = Math.round((performance.now() - began) / 1000);
  const totals = totalsOf(steps, checked);
  const { rounds, seed, asynchronous } = options;
  const command = `npm run campaign -- failover --rounds=${rounds} --seed=${seed}${asynchronous ? ' --asynchronous' : ''}`;
  const cores = availableParallelism();
  const results = {
    campaign: 'failover',
    command,
    at,
    seconds,
    seed,
    cores,
    rounds,
    ...totals,
    steps,
    violations,
  };
  const name = asynchronous ? 'failover-asynchronous' : 'failover';
  if (options.isComplete) print(`The results are in ${await writeResults(name, results)}`);
  return violations.length === 0;
}

let options: Options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}\n`);
  process.exit(2);
}
print(`seed ${options.seed}, ${availableParallelism()} cores`);
const wanted = ['postgres', 'patroni', 'etcd', 'redis-server'] as const;
process.exit(
  await runCampaign(options.haproxy ? [...wanted, 'haproxy'] : wanted, options.keep, (workspace, programs) =>
    breakAll(workspace, programs, options),
  ),
);
