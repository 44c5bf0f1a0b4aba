import { setTimeout as wait } from 'node:timers/promises';
import { max, quantile } from 'simple-statistics';
import { type MeasuredService, startService } from './support/service.ts';
import { timed } from './support/timed.ts';
import { expectStatus, logIn, newVisitor, signUp, type Visitor } from './support/visitor.ts';

// Measures how much the clean-up job slows down requests while it deletes a million sessions and a million challenges.
// All of them expire at the same time. Then checks whether the tables stop growing under continued load. Here, the job
// runs every ten seconds instead of every ten minutes.
const connections = 16;
const expiring = 1_000_000;
// Each of several rounds has a quiet phase and a phase with deletions. So other load on the machine affects both.
const rounds = 4;
const quietSeconds = 20;
const hours = 3;
/** An hour of the database's clock takes this many real seconds. */
const hourSeconds = 60;
const begun = new Date().toISOString();
/** `longestMs` is the time limit of a statement. A request that exceeds it fails with 503. */
const most = { p99Ratio: 2, longestMs: 4000, growth: 1.25 };

const kinds = ['login', 'check'] as const;
type Kind = (typeof kinds)[number];
type Table = 'sessions' | 'spent_challenges';
interface Span {
  from: number;
  to: number;
}
interface Asked {
  kind: Kind;
  began: number;
  ms: number;
}

const isUndisturbed = await measureRemoval();
const isBounded = await measureSizes();
process.exitCode = isUndisturbed && isBounded ? 0 : 1;

async function measureRemoval(): Promise<boolean> {
  const service = await startService({ MINUTES_SPEED: '60' });
  try {
    // The clock stands still between rounds. Rows expire only when a round moves the clock.
    await turnClock(service, `timestamptz '${begun}'`);
    await fill(service);
    const load = await startLoad(service, comeBack);
    const spans: Record<'quiet' | 'removing', Span[]> = { quiet: [], removing: [] };
    const removals: Record<Table, number> = { sessions: 0, spent_challenges: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const quiet = { from: performance.now(), to: 0 };
      await wait(quietSeconds * 1000);
      quiet.to = performance.now();
      await turnClock(service, `timestamptz '${begun}' + ${expiresIn(round)}`);
      const sessions = await timeRemoval(service, 'sessions', round);
      const challenges = await timeRemoval(service, 'spent_challenges', round);
      removals.sessions += sessions.to - sessions.from;
      removals.spent_challenges += challenges.to - challenges.from;
      spans.quiet.push(quiet);
      spans.removing.push({ from: sessions.from, to: challenges.to });
    }
    const asked = await load.stop();

    console.log(`
### Requests of ${connections} connections while ${count(expiring)} sessions and as many challenges are deleted, in ${rounds} rounds

| | | per second | median ms | p99 ms | longest ms |
|---|---|---|---|---|---|`);
    const figuresOf = (kind: Kind, name: keyof typeof spans) => {
      const times = asked
        .filter((request) => request.kind === kind)
        .filter(({ began }) => spans[name].some(({ from, to }) => began >= from && began < to))
        .map(({ ms }) => ms);
      const seconds = spans[name].reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
      const figures = {
        rate: times.length / seconds,
        median: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        longest: max(times),
      };
      console.log(`| ${[kind, name, ...Object.values(figures).map((n) => n.toFixed(1))].join(' | ')} |`);
      return figures;
    };
    let [ratio, longest] = [0, 0];
    for (const kind of kinds) {
      const [quiet, removing] = [figuresOf(kind, 'quiet'), figuresOf(kind, 'removing')];
      ratio = Math.max(ratio, removing.p99 / quiet.p99);
      longest = Math.max(longest, removing.longest);
    }
    const took = (table: Table) => `${(removals[table] / 1000).toFixed(1)} s`;
    console.log(`
Deleting the sessions took ${took('sessions')}, the challenges ${took('spent_challenges')}. The p99 grew by a factor of at most \
${ratio.toFixed(2)} (allowed: ${most.p99Ratio}). The longest request took ${longest.toFixed(0)} ms (allowed: ${most.longestMs}).`);
    return ratio <= most.p99Ratio && longest <= most.longestMs;
  } finally {
    await service.stop();
  }
}

/** An hour of the database's clock takes a minute. The interval of autovacuum is shortened in proportion. */
async function measureSizes(): Promise<boolean> {
  const service = await startService({
    MINUTES_SPEED: '60',
    SESSION_TTL: '1800',
    SESSION_IDLE_TIMEOUT: '900',
  });
  const { sql } = service;
  try {
    await sql`alter system set autovacuum_naptime = '1s'`;
    await sql`select pg_reload_conf()`;
    await turnClock(
      service,
      `timestamptz '${begun}' + (now() - timestamptz '${begun}') * ${3600 / hourSeconds}`,
    );
    const load = await startLoad(service, comeAnew);
    console.log(`
### The tables over ${hours} hours of load, the largest of each hour

| hour | logins | sessions | kB | challenges | kB |
|---|---|---|---|---|---|`);
    const totals: number[] = [];
    let loginsBefore = 0;
    for (let n = 1; n <= hours; n += 1) {
      const sizes = await watchSizes(service, performance.now() + hourSeconds * 1000);
      const logins = load.asked.filter(({ kind }) => kind === 'login').length;
      const { rows, bytes } = sizes;
      const columns = [
        rows.sessions,
        kilobytes(bytes.sessions),
        rows.challenges,
        kilobytes(bytes.challenges),
      ];
      console.log(`| ${[n, logins - loginsBefore, ...columns].join(' | ')} |`);
      loginsBefore = logins;
      totals.push(bytes.sessions + bytes.challenges);
    }
    await load.stop();
    const growth = (totals.at(-1) ?? 0) / (totals.at(1) ?? 1);
    console.log(`
From the second hour to the last, the tables grew by a factor of ${growth.toFixed(2)} (allowed: ${most.growth}).`);
    return growth <= most.growth;
  } finally {
    await service.stop();
  }
}

/** The time until the last row of a round expires. The first row of the first round expires in a day. */
function expiresIn(round: number): string {
  return `interval '1 day' + interval '1 millisecond' * ${(expiring / rounds) * round}`;
}

/** Inserts a million sessions and a million challenges for a thousand users. They expire one millisecond apart. */
async function fill({ sql }: MeasuredService): Promise<void> {
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    select gen_random_uuid(), 'person-' || n, 'handle-' || n, now() from generate_series(1, 1000) as n`;
  await sql`
    with person as (
      select id, row_number() over () as place from latchkey.users where username like 'person-%'
    )
    insert into latchkey.sessions
      (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip,
       user_agent)
    select gen_random_uuid(), person.id, ${keyOf('')} || n, 'full', 'passkey', now(), now(), now(),
      now() + interval '30 days', latchkey.clock() + interval '1 day' + n * interval '1 millisecond', '198.51.100.7',
      'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
    from generate_series(1, ${expiring}::integer) as n
    join person on place = 1 + n % 1000
    order by n`;
  await sql`
    insert into latchkey.spent_challenges (nonce, forget_at)
    select ${keyOf('')} || n, latchkey.clock() + interval '1 day' + n * interval '1 millisecond'
    from generate_series(1, ${expiring}::integer) as n`;
  await sql`vacuum analyze latchkey.sessions, latchkey.spent_challenges`;
  await sql`checkpoint`;
}

/** A key that is about as long as a digest. */
function keyOf(n: number | string): string {
  return `forty-three characters or something, ${n}`;
}

async function turnClock({ sql }: MeasuredService, time: string): Promise<void> {
  await sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable as $$ select ${time} $$`);
}

/** The time from the first deleted row of a round to the last. */
async function timeRemoval({ sql }: MeasuredService, table: Table, round: number): Promise<Span> {
  const part = expiring / rounds;
  const column = table === 'sessions' ? 'token_hash' : 'nonce';
  const untilGone = async (n: number) => {
    const find = () => sql`select from ${sql(`latchkey.${table}`)} where ${sql(column)} = ${keyOf(n)}`;
    while ((await find()).length > 0) await wait(50);
    return performance.now();
  };
  const from = await untilGone(part * (round - 1) + 1);
  return { from, to: await untilGone(part * round) };
}

type Turn = (
  visitor: Visitor,
  ask: (kind: Kind, work: () => Promise<unknown>) => Promise<void>,
) => Promise<void>;

/** Each connection sends one request at a time. */
async function startLoad({ url }: MeasuredService, turn: (url: string) => Turn) {
  const asked: Asked[] = [];
  let stopped = false;
  const ask = async (kind: Kind, work: () => Promise<unknown>) => {
    const began = performance.now();
    asked.push({ kind, began, ms: await timed(work) });
  };
  const people = Array.from({ length: connections }, () => newVisitor(url));
  for (const [n, person] of people.entries()) await signUp(person, `visitor-${n}`);
  const running = Promise.all(
    people.map(async (person) => {
      const taking = turn(url);
      while (!stopped) await taking(person, ask);
    }),
  );
  // Prevents an unhandled rejection. `stop` waits for the same promise and throws the error.
  running.catch(() => {});
  return {
    asked,
    stop: async () => {
      stopped = true;
      await running;
      return asked;
    },
  };
}

/** Signs in again, which ends the earlier session. Then lists the user's sessions. */
function comeBack(): Turn {
  return async (visitor, ask) => {
    await ask('login', () => logIn(visitor));
    for (let n = 0; n < 3; n += 1)
      await ask('check', async () => expectStatus(await visitor.get('/sessions'), 200));
  };
}

/** Signs in from a new browser each time. Also uses an older browser whose session may have expired. */
function comeAnew(url: string): Turn {
  const browsers: Visitor[] = [];
  return async ({ authenticator }, ask) => {
    const browser = { ...newVisitor(url), authenticator };
    await ask('login', () => logIn(browser));
    browsers.push(browser);
    const older = browsers[Math.floor(Math.random() * browsers.length)] ?? browser;
    await ask('check', async () => expectStatus(await older.get('/sessions'), 200, 401));
    if (browsers.length > 50) browsers.shift();
  };
}

/** Measures the tables repeatedly until a time, and returns the largest sizes. */
async function watchSizes({ sql }: MeasuredService, until: number) {
  const largest = { rows: { sessions: 0, challenges: 0 }, bytes: { sessions: 0, challenges: 0 } };
  while (performance.now() < until) {
    const [now] = await sql<{ s: number; c: number; sb: string; cb: string }[]>`
      select (select count(*)::integer from latchkey.sessions) as s,
        (select count(*)::integer from latchkey.spent_challenges) as c,
        pg_total_relation_size('latchkey.sessions') as sb,
        pg_total_relation_size('latchkey.spent_challenges') as cb`;
    if (!now) throw new Error('The tables are missing.');
    const { rows, bytes } = largest;
    rows.sessions = Math.max(rows.sessions, now.s);
    rows.challenges = Math.max(rows.challenges, now.c);
    bytes.sessions = Math.max(bytes.sessions, Number(now.sb));
    bytes.challenges = Math.max(bytes.challenges, Number(now.cb));
    await wait(1000);
  }
  return largest;
}

function kilobytes(bytes: number): string {
  return count(Math.round(bytes / 1024));
}

function count(n: number): string {
  return n.toLocaleString('en');
}
