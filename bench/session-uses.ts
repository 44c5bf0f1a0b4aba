import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { type MeasuredService, startService } from './support/service.ts';
import { expectStatus, newVisitor, signUp, type Visitor } from './support/visitor.ts';

// Measures what PostgreSQL spends to record the uses of sessions: CPU time and WAL for each session check.
// The service records the uses of many sessions with one statement. It records the first use of a session
// after a pause of five minutes at once, with its own statement. The baseline is a session check that records
// nothing.
const visitors = 500;
/** Sessions of other users, so that the indexes have a realistic depth. */
const others = 100_000;
const rounds = 7;
const connections = 16;
/** Longer than the five seconds that a use waits in memory. */
const flushMs = 6000;

/** How many seconds the clock moves before the checks. */
const phases = {
  'no record': 0,
  'one statement for many uses': 90,
  'one statement for each use': 360,
} as const;
type Phase = keyof typeof phases;
interface Cost {
  cpuMs: number;
  walBytes: number;
}

let ahead = 0;
const service = await startService();
try {
  const all = await openSessions();
  const measured = Object.fromEntries(
    Object.keys(phases).map((phase) => [phase, [] as Cost[]]),
  ) as unknown as Record<Phase, Cost[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const [phase, seconds] of Object.entries(phases))
      measured[phase as Phase].push(await costOf(all, seconds));
  report(measured);
} finally {
  await service.stop();
}

async function openSessions(): Promise<Visitor[]> {
  const all = Array.from({ length: visitors }, () => newVisitor(service.url));
  await inParallel(all, (visitor, index) => signUp(visitor, `visitor-${index}`));
  await service.sql`
    insert into latchkey.sessions
      (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip,
       user_agent)
    select gen_random_uuid(), users.id, md5(n::text), 'full', 'passkey', now(), now(), now(),
      now() + interval '30 days', now() + interval '7 days' + n * interval '1 second', '198.51.100.7', 'Mozilla/5.0'
    from generate_series(1, ${others}::integer) as n
    join latchkey.users on username = 'visitor-' || n % ${visitors}::integer`;
  await service.sql`vacuum analyze latchkey.sessions`;
  return all;
}

/** Returns the cost of one check of each session after the clock has moved. */
async function costOf(all: Visitor[], seconds: number): Promise<Cost> {
  await moveClock(service, seconds);
  const before = await consumed(service);
  await inParallel(all, async (visitor) => {
    expectStatus(await visitor.get('/session'), 200);
  });
  await wait(flushMs);
  const after = await consumed(service);
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / all.length,
    walBytes: (after.walBytes - before.walBytes) / all.length,
  };
}

function report(measured: Record<Phase, Cost[]>): void {
  const medianOf = (phase: Phase, of: keyof Cost) => median(measured[phase].map((cost) => cost[of]));
  console.log(`
### The cost of a session check in PostgreSQL, medians of ${rounds} rounds with ${visitors} sessions

| | CPU ms | bytes of WAL |
|---|---|---|`);
  for (const phase of Object.keys(phases) as Phase[]) {
    const [cpuMs, walBytes] = [medianOf(phase, 'cpuMs'), medianOf(phase, 'walBytes')];
    console.log(`| ${phase} | ${cpuMs.toFixed(3)} | ${walBytes.toFixed(0)} |`);
  }
  const overhead = (phase: Phase) => medianOf(phase, 'cpuMs') - medianOf('no record', 'cpuMs');
  const ratio = overhead('one statement for each use') / overhead('one statement for many uses');
  console.log(`
A use costs ${ratio.toFixed(1)} times as much CPU time with its own statement as together with other uses.`);
}

async function moveClock({ sql }: MeasuredService, seconds: number): Promise<void> {
  ahead += seconds;
  await sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select now() + interval '${ahead} seconds' $$`);
}

/** The CPU time of all processes of PostgreSQL, and the position in the WAL. */
async function consumed({ sql }: MeasuredService): Promise<Cost> {
  const [row] = await sql`
    select pg_backend_pid() as pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`;
  const postmaster = (await statOf(row?.pid))?.parent;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => statOf(pid)));
  const cpuMs = stats
    .filter((stat) => stat?.parent === postmaster)
    .reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0);
  return { cpuMs, walBytes: row?.wal };
}

/** Reads the parent and the CPU time of a process. Null: the process has ended. */
async function statOf(pid: string): Promise<{ parent: number; cpuMs: number } | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ').map(Number);
    return { parent: parent ?? 0, cpuMs: (nanoseconds ?? 0) / 1e6 };
  } catch {
    return null;
  }
}

async function inParallel<T>(items: T[], act: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) await act(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: connections }, work));
}
