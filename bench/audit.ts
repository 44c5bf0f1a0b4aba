import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type AuthService, createAuthService, openSchema } from 'latchkey';
import postgres, { type Sql } from 'postgres';
import { mean, median } from 'simple-statistics';
import { startDatabase } from './support/database.ts';

// Measures what the positions of audit events cost: an insert with and without the columns for positions, and the
// sequencing and the verification of a million events. `--quick` measures fewer events.
const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 4 : 12;
const insertsPerRound = isQuick ? 2000 : 10_000;
const sequenced = isQuick ? 50_000 : 1_000_000;
/** The CPU times in /proc have this unit, on all current Linux systems. */
const tickMs = 10;
const most = { time: 1.03, wal: 1.1 };

const database = await startDatabase();
try {
  const isCheap = await measureInserts();
  await measureSequencing();
  process.exitCode = isCheap || isQuick ? 0 : 1;
} finally {
  await database.stop();
}

/** A database of the cluster, with one connection. */
async function createDatabase(name: string): Promise<Sql> {
  const admin = postgres(database.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const schema = openSchema(urlOf(name));
  await schema.migrate();
  await schema.close();
  return postgres(urlOf(name), { max: 1, onnotice: () => {} });
}

function urlOf(name: string): string {
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return url.href;
}

type Variant = 'before' | 'after';

interface Cost {
  cpuUs: number;
  walBytes: number;
}

/** Measures both tables in turns, so that other load on the machine affects both. */
async function measureInserts(): Promise<boolean> {
  const places = { before: await createDatabase('before'), after: await createDatabase('after') };
  await places.before.unsafe(`
    alter table latchkey.audit_events drop column xid, drop column salt, drop column kept`);
  const costs: Record<Variant, Cost[]> = { before: [], after: [] };
  const variants = ['before', 'after'] as const;
  for (const name of variants) await insertEvents(places[name], name);
  await places.before`checkpoint`;
  for (const name of variants) await insertEvents(places[name], name);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const name of order) costs[name].push(await insertEvents(places[name], name));
  }
  for (const sql of Object.values(places)) await sql.end();

  const ratio = (of: keyof Cost, fold: (values: number[]) => number) =>
    fold(costs.after.map((cost, round) => cost[of] / (costs.before[round]?.[of] ?? Number.NaN)));
  const each = (name: Variant, of: keyof Cost) => mean(costs[name].map((cost) => cost[of])).toFixed(1);
  const time = ratio('cpuUs', median);
  const wal = ratio('walBytes', median);
  console.log(`
### The insert of an audit event: ${rounds} rounds with ${insertsPerRound} inserts, one connection

| | CPU of the server, µs | WAL, bytes |
|---|---|---|
| without the columns for positions | ${each('before', 'cpuUs')} | ${each('before', 'walBytes')} |
| with them | ${each('after', 'cpuUs')} | ${each('after', 'walBytes')} |
| ratio, median of the rounds | ${time.toFixed(3)} | ${wal.toFixed(3)} |`);
  return time <= most.time && wal <= most.wal;
}

/** Inserts as the service does: it passes the salt, because that is faster than a default of the column. */
async function insertEvents(sql: Sql, variant: Variant): Promise<Cost> {
  const [{ pid, lsn } = { pid: 0, lsn: '' }] = await sql<{ pid: number; lsn: string }[]>`
    select pg_backend_pid() as pid, pg_current_wal_insert_lsn() as lsn`;
  const began = cpuMsOf(pid);
  const salt = () => (variant === 'after' ? sql`, ${randomBytes(16)}::bytea` : sql``);
  const saltColumn = variant === 'after' ? sql`, salt` : sql``;
  for (let index = 0; index < insertsPerRound; index += 1) {
    const id = crypto.randomUUID();
    await sql`
      insert into latchkey.audit_events
        (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
         organization_id, ip, user_agent, request_id, impersonator_type, impersonator_id, impersonator_name, details
         ${saltColumn})
      select ${uuidInOrder()}::uuid, latchkey.clock(), 'passkey.login', 'success', 'user', ${id}::uuid, 'person-1', 'user',
        ${id}::text, 'person-1', null, '192.0.2.1', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', ${id}::text,
        null, null, null, '{}'::jsonb ${salt()}`;
  }
  const cpuMs = cpuMsOf(pid) - began;
  const [{ bytes } = { bytes: '0' }] = await sql<{ bytes: string }[]>`
    select pg_current_wal_insert_lsn() - ${lsn}::text::pg_lsn as bytes`;
  return { cpuUs: (cpuMs * 1000) / insertsPerRound, walBytes: Number(bytes) / insertsPerRound };
}

/** A UUID of version 7, as the service uses it. */
function uuidInOrder(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The CPU time of a process, in user mode and in system mode. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

async function measureSequencing(): Promise<void> {
  const sql = await createDatabase('sequenced');
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, ip, user_agent, details)
    select gen_random_uuid(), now() - (${sequenced}::integer - n) * interval '1 second', 'passkey.login', 'success', 'user',
      gen_random_uuid(), 'person-' || n, '192.0.2.1', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', '{}'
    from generate_series(1, ${sequenced}::integer) as n`;
  await sql`vacuum analyze latchkey.audit_events`;
  const began = performance.now();
  const cpu = process.cpuUsage();
  const auth = await createAuthService({
    database: urlOf('sequenced'),
    secret: randomBytes(32).toString('hex'),
    auditRetentionDays: 0,
    env: {},
  });
  const size = async () =>
    Number((await sql<{ size: string }[]>`select size from latchkey.audit_log`)[0]?.size ?? 0);
  while ((await size()) < sequenced) await wait(100);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const verifying = await measureVerification(auth, sequenced);
  await auth.close();
  const [{ bytes } = { bytes: '0' }] = await sql<{ bytes: string }[]>`
    select sum(pg_total_relation_size(name)) as bytes
    from unnest(array['latchkey.audit_entries', 'latchkey.audit_tiles', 'latchkey.audit_events_xid']::regclass[]) as name`;
  await sql.end();
  console.log(`
### Sequencing ${sequenced} events

| Seconds | CPU of Node.js, seconds | Memory of Node.js, MB | Entries, tiles and index on disk, MB |
|---|---|---|---|
| ${seconds.toFixed(1)} | ${((user + system) / 1e6).toFixed(1)} | ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} | ${(Number(bytes) / 1e6).toFixed(0)} |

### Verifying ${sequenced} events

| Seconds | CPU of Node.js, seconds | Memory of Node.js, MB |
|---|---|---|
${verifying}`);
}

/** The memory is the most that the process has used so far, so it includes the sequencing. */
async function measureVerification(auth: AuthService, expected: number): Promise<string> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { ok, events } = await auth.asOperator('bench').audit.verify();
  if (!ok || events < expected) throw new Error('the verification has found a problem');
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const memory = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  return `| ${seconds.toFixed(1)} | ${((user + system) / 1e6).toFixed(1)} | ${memory} |`;
}
