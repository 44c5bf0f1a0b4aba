import postgres, { type Sql } from 'postgres';
import { startDatabase } from './support/database.ts';
import { serveDatabase } from './support/service.ts';
import { logIn, newVisitor, signUp, type Visitor } from './support/visitor.ts';

// Measures how much disk the audit log needs: for a year of a user's sign-ins, and for a day of refused requests at the
// rate limit. Records the events through HTTP, then measures a table with 20,000 copies of them and all indexes.
const users = 300;
const signInsPerYear = 250;
const copies = 20_000;
const retentionDays = 400;
const windowsPerDay = 24 * 6;
/** Requests in ten minutes at the default rate limits of one IP address, and of an attacker with many addresses. */
const requests = { fromOne: 3000, fromMany: 10_000 };
const origin = 'http://localhost:3000';
const ordinaryAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** The service keeps 400 characters of this header. */
const longestAgent = 'x'.repeat(400);

interface Recorded {
  events: number;
  bytesEach: number;
}

const database = await startDatabase();
const sql = postgres(database.url, { max: 1, onnotice: () => {} });
try {
  const signIns = await recordedBy(signUpAndIn);
  const single = await recordedBy(refuseSignIns(requests.fromOne, oneAddress), {
    AUDIT_BURST_THRESHOLD: '1000',
  });
  const fromOne = await recordedBy(refuseSignIns(requests.fromOne, oneAddress));
  const fromMany = await recordedBy(refuseSignIns(requests.fromMany, addressNumber));
  const aboutUsers = await recordedBy(refuseEverything);
  const yearly = (signInsPerYear * signIns.bytesEach) / 1e6;
  console.log(`
### The size of the audit log, with its indexes

A sign-in: ${signIns.bytesEach} bytes. A user who signs in ${signInsPerYear} times a year: ${yearly.toFixed(2)} MB a year.

| Refused requests in ten minutes | Events | Bytes each | MB a day | GB in ${retentionDays} days |
|---|---|---|---|---|`);
  const separately = { events: requests.fromOne, bytesEach: single.bytesEach };
  printRow(`${requests.fromOne} from one address, with an event for each`, separately);
  printRow(`${requests.fromOne} from one address`, fromOne);
  printRow(`${requests.fromMany} from as many addresses`, fromMany);
  printRow(`12,500 from as many addresses, also about ${users} accounts`, aboutUsers);
} finally {
  await sql.end();
  await database.stop();
}

function printRow(what: string, { events, bytesEach }: Recorded): void {
  const daily = (events * bytesEach * windowsPerDay) / 1e6;
  const kept = (daily * retentionDays) / 1000;
  console.log(`| ${[what, events, bytesEach, daily.toFixed(1), kept.toFixed(1)].join(' | ')} |`);
}

/** Runs `act` on a new process. When the process ends, it records the refusals that it has counted. */
async function recordedBy(
  act: (url: string) => Promise<unknown>,
  env: Record<string, string> = {},
): Promise<Recorded> {
  const [{ now } = { now: new Date() }] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  const service = await serveDatabase(database.url, { TRUST_PROXY: '1', ...env });
  await act(service.url);
  await service.stop();
  const [{ events } = { events: 0 }] = await sql<{ events: number }[]>`
    select count(*)::integer as events from latchkey.audit_events where at >= ${now}`;
  return { events, bytesEach: await bytesOfEach(sql, now) };
}

/** The primary keys of the copies ascend like those of the service, so that the index is as dense. */
async function bytesOfEach(sql: Sql, since: Date): Promise<number> {
  await sql`create table public.measured (like latchkey.audit_events including all)`;
  await sql`
    insert into public.measured
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
       organization_id, ip, user_agent, request_id, details, count)
    select lpad(to_hex(n), 32, '0')::uuid, now() + n * interval '1 second', event, outcome, actor_type, actor_id,
      actor_name, target_type, target_id, target_name, organization_id, ip, user_agent, request_id, details, count
    from (
      select *, row_number() over (order by at, id) as place, count(*) over () as events
      from latchkey.audit_events where at >= ${since}
    ) as recorded
    join generate_series(1, ${copies}::integer) as n on n % events + 1 = place
    order by n`;
  const [{ size } = { size: 0 }] = await sql<{ size: number }[]>`
    select pg_total_relation_size('public.measured')::integer as size`;
  await sql`drop table public.measured`;
  return Math.round(size / copies);
}

async function signUpAndIn(url: string): Promise<void> {
  for (let n = 0; n < users; n += 1) {
    const visitor = newVisitor(url, { 'User-Agent': ordinaryAgent });
    await signUp(visitor, usernameOf(n));
    // The sign-ups are few. So the sign-ins determine the average size.
    for (let times = 0; times < 10; times += 1) await logIn(visitor);
  }
}

function refuseSignIns(count: number, addressOf: (index: number) => string) {
  return async (url: string): Promise<void> => {
    const { authenticator }: Visitor = newVisitor(url);
    const challenge = 'AAAA';
    const user = { id: 'AAAA', name: 'nobody', displayName: 'nobody' };
    const pubKeyCredParams = [{ type: 'public-key' as const, alg: -7 }];
    await authenticator.create({ challenge, rp: { id: 'localhost', name: 'Bench' }, user, pubKeyCredParams });
    const credential = await authenticator.get({ challenge, rpId: 'localhost' });
    await refuse(url, '/passkey/login/verify', count, addressOf, () => ({ credential }));
  };
}

/** Fills every counter: refused recovery codes of all users, and refused sign-ins, each from another address. */
async function refuseEverything(url: string): Promise<void> {
  const code = 'CCCCC-9QHFV-2WC8P-JR46X';
  await refuse(url, '/recovery/codes/use', 2500, addressNumber, (index) => ({
    username: usernameOf(index % users),
    code,
  }));
  await refuseSignIns(requests.fromMany, (index) => addressNumber(index + 100_000))(url);
}

async function refuse(
  url: string,
  path: string,
  count: number,
  addressOf: (index: number) => string,
  bodyOf: (index: number) => object,
): Promise<void> {
  let next = 0;
  async function sendInTurn(): Promise<void> {
    for (let index = next++; index < count; index = next++) {
      const response = await fetch(`${url}/auth${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Origin: origin,
          'User-Agent': longestAgent,
          'X-Forwarded-For': addressOf(index),
        },
        body: JSON.stringify(bodyOf(index)),
      });
      await response.arrayBuffer();
      if (response.status !== 401) throw new Error(`expected 401, got ${response.status}`);
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendInTurn));
}

function usernameOf(n: number): string {
  return `person-${n}`;
}

function oneAddress(): string {
  return '203.0.113.9';
}

function addressNumber(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
