import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { adapterFor } from '../../../src/db/adapter.ts';
import { composeDatabase } from '../../../src/db/compose-database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { readAlong, writeEvents } from '../../support/audit-traffic.ts';
import { createRandom } from '../failover/random.ts';
import { createWorkspace, type Program, type Workspace } from '../failover/workspace.ts';
import { writeResults } from '../results.ts';
import { type Cluster, createCluster, createStandby, run } from './cluster.ts';

/**
 * Writes audit events with 16 connections, while three processes sequence and are killed at random times, and a reader
 * follows the log. Then the primary is killed and a standby takes over. Then a dump is restored on a new server, whose
 * transaction ids are smaller. Each committed event must have exactly one position, and the reader must get it once.
 */

const program = fileURLToPath(new URL('sequencer-program.js', import.meta.url));
const writerProgram = fileURLToPath(new URL('writer-program.js', import.meta.url));
const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr';
const option = (name: string, byDefault: number) =>
  Number(process.argv.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? byDefault);
const seed = option('seed', Date.now() % 1_000_000);
const transactionsPerWriter = option('transactions', 1000);
const random = createRandom(seed);
const draw = (below: number) => random.below(below);
const print = (text: string) => void process.stdout.write(`${text}\n`);
const at = new Date().toISOString();
const began = performance.now();
/** The events and the faults after each part of the campaign. */
const checks: { check: string; events: number; faults: string[] }[] = [];
let kills = 0;

/** Keeps three sequencers running, and kills one of them every 0.2 to 1.2 seconds. */
function keepSequencing(workspace: Workspace, url: () => string) {
  const start = () =>
    workspace.start('sequencer', [process.execPath, program], { DATABASE_URL: url(), SECRET: secret });
  const running: Program[] = [start(), start(), start()];
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await wait(200 + draw(1000));
      const place = draw(running.length);
      await running[place]?.kill();
      kills += 1;
      running[place] = start();
    }
  })();
  return {
    async stop(): Promise<void> {
      isOver = true;
      await killing;
      await Promise.all(running.map((each) => each.kill()));
    },
  };
}

const connect = (url: string) => postgres(url, { max: 2, onnotice: () => {} });

/** Waits until every event has an entry. */
async function untilSequenced(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ missing: number }[]>`
      select count(*)::integer as missing from latchkey.audit_events
      left join latchkey.audit_entries on audit_entries.event_id = audit_events.id
      where audit_entries.position is null`;
    if (row?.missing === 0) return;
    await wait(100);
  }
}

/** Compares the log, what a reader gets, and the events in the table. */
async function check(
  what: string,
  sql: postgres.Sql,
  read: readonly string[],
  committed?: ReadonlySet<string>,
) {
  const events = new Set(
    (await sql<{ id: string }[]>`select id from latchkey.audit_events`).map(({ id }) => id),
  );
  const [log] = await sql<{ size: string; last: string; count: string }[]>`
    select (select size from latchkey.audit_log), max(position) + 1 as last, count(*) from latchkey.audit_entries`;
  const faults = [
    ...(read.length === new Set(read).size ? [] : ['the reader got an event twice']),
    ...(new Set(read).size === events.size && read.every((id) => events.has(id))
      ? []
      : ['the reader missed an event']),
    ...(committed && ![...committed].every((id) => events.has(id)) ? ['a committed event is missing'] : []),
    ...(log?.size === log?.last && log?.size === log?.count ? [] : ['the positions have gaps']),
  ];
  print(
    `${what}: ${events.size} events, ${faults.length === 0 ? 'each has one position' : faults.join('; ')}`,
  );
  checks.push({ check: what, events: events.size, faults });
  if (faults.length > 0) process.exitCode = 1;
}

async function writeAndFollow(workspace: Workspace, url: string) {
  const sql = connect(url);
  const sequencers = keepSequencing(workspace, () => url);
  let isOver = false;
  const reading = readAlong(composeDatabase(adapterFor(sql)), () => isOver);
  const committed = await writeEvents(url, { writers: 16, transactionsPerWriter, draw });
  await untilSequenced(sql);
  isOver = true;
  const read = await reading;
  await sequencers.stop();
  return { sql, committed, read };
}

/** Reads the whole log again. */
const readAll = (sql: postgres.Sql) => readAlong(composeDatabase(adapterFor(sql)), () => true);

async function failOver(workspace: Workspace, primary: Cluster): Promise<Cluster> {
  const standby = await createStandby(workspace, 'standby', primary);
  const sequencers = keepSequencing(workspace, () =>
    primary.server.hasExited() ? standby.url : primary.url,
  );
  const writer = workspace.start('writer', [process.execPath, writerProgram], {
    DATABASE_URL: primary.url,
    SEED: `${seed}`,
  });
  await wait(2000 + draw(2000));
  await primary.server.kill();
  await writer.kill();
  run(workspace, 'pg_ctl', ['promote', '-D', standby.folder]);
  await writeEvents(standby.url, { writers: 16, transactionsPerWriter: 100, draw });
  const sql = connect(standby.url);
  await untilSequenced(sql);
  await sequencers.stop();
  await check('after the failover', sql, await readAll(sql));
  await sql.end();
  return standby;
}

async function restore(workspace: Workspace, from: Cluster): Promise<void> {
  const dump = run(workspace, 'pg_dump', [
    '-h',
    '127.0.0.1',
    '-p',
    `${from.port}`,
    '-U',
    'postgres',
    'postgres',
  ]);
  const target = await createCluster(workspace, 'restored');
  run(
    workspace,
    'psql',
    ['-q', '-h', '127.0.0.1', '-p', `${target.port}`, '-U', 'postgres', '-f', '-', 'postgres'],
    dump,
  );
  const sql = connect(target.url);
  const [ids] =
    await sql`select pg_current_xact_id()::text as now, max(xid::text::bigint) as restored from latchkey.audit_events`;
  print(`transaction ids: ${ids?.now} on the new server, up to ${ids?.restored} in the dump`);
  await sql.end();
  const { sql: after, read, committed } = await writeAndFollow(workspace, target.url);
  await check('after the restore', after, read, committed);
  await after.end();
}

const workspace = await createWorkspace();
try {
  print(`Seed ${seed}`);
  const primary = await createCluster(workspace, 'primary');
  const owner = connect(primary.url);
  await migrate(adapterFor(owner));
  await owner.end();
  const { sql, committed, read } = await writeAndFollow(workspace, primary.url);
  await check(`16 writers, three sequencers, ${kills} kills`, sql, read, committed);
  await sql.end();
  await restore(workspace, await failOver(workspace, primary));
  const file = await writeResults('audit-order', {
    campaign: 'audit-order',
    command: `npm run campaign -- audit-order --transactions=${transactionsPerWriter} --seed=${seed}`,
    at,
    seconds: Math.round((performance.now() - began) / 1000),
    kills,
    checks,
  });
  print(`The results are in ${file}`);
} finally {
  await workspace.remove(process.argv.includes('--keep'));
}
