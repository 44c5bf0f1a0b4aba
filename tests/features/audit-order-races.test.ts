import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adapterFor } from '../../src/db/adapter.ts';
import { Killed, killing, race, readAlong, writeEvents } from '../support/audit-traffic.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { randomBytesOf } from '../support/random.ts';
import { newSequencer, sequence } from '../support/sequencing.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const bytes = randomBytesOf('audit-order-races');
const draw = (below: number) => bytes(4).readUInt32BE() % below;
const pgbouncer = findPgBouncer();

let database: TestDatabase;
let clients: postgres.Sql[];
beforeEach(async () => {
  database = await createTestDatabase();
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  await database.drop();
});

function connect(url = database.url): postgres.Sql {
  const client = postgres(url, { max: 2, onnotice: () => {} });
  clients.push(client);
  return client;
}

/** Writes events while three sequencers compete and a reader follows. Each of the sequencers is sometimes killed. */
async function writeAndFollow(url: string) {
  let isWritten = false;
  let isSequenced = false;
  const failures: unknown[] = [];
  const sequencers = [1, 2, 3].map(() => {
    const db = killing(adapterFor(connect(url)), draw);
    return () => newSequencer(db);
  });
  const sequencing = race(
    sequencers,
    () => isWritten,
    (error) => failures.push(error),
  ).finally(() => {
    isSequenced = true;
  });
  const reading = readAlong(adapterFor(connect(url)), () => isSequenced);
  const committed = await writeEvents(database.url, { writers: 16, transactionsPerWriter: 25, draw });
  isWritten = true;
  await sequencing;
  return { committed, read: await reading, failures };
}

async function expectComplete(url: string) {
  const { committed, read, failures } = await writeAndFollow(url);
  expect(read).toHaveLength(new Set(read).size);
  expect(new Set(read)).toEqual(committed);
  expect(failures.filter((error) => !(error instanceof Killed))).toEqual([]);
  expect(failures.some((error) => error instanceof Killed)).toBe(true);
  const gaps = await database.sql`
    select from (select position, row_number() over (order by position) - 1 as expected from latchkey.audit_entries) as e
    where position <> expected`;
  expect(gaps).toHaveLength(0);
  const [log] = await database.sql<{ size: string }[]>`select size from latchkey.audit_log`;
  expect(Number(log?.size)).toBe(committed.size);
}

test('sixteen writers, late commits, rollbacks, three sequencers and kills: each event has exactly one position', async () => {
  await expectComplete(database.url);
});

test.skipIf(pgbouncer === null)('each event has exactly one position behind PgBouncer, too', async () => {
  const bouncer: PgBouncer = await startPgBouncer(pgbouncer ?? '', database.url);
  try {
    await expectComplete(`${bouncer.url}?prepare=false`);
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
    await bouncer.remove();
  }
});

test('a transaction that stays open delays no other event, and its own event only until it commits', async () => {
  const open = connect();
  const insert = (on: Pick<postgres.Sql, 'unsafe'>, event: string) =>
    on.unsafe(`insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (gen_random_uuid(), latchkey.clock(), '${event}', 'success', 'anonymous', '{}')`);
  const order = async () =>
    (
      await database.sql<{ event: string }[]>`
        select audit_events.event from latchkey.audit_entries
        join latchkey.audit_events on audit_events.id = audit_entries.event_id order by position`
    ).map(({ event }) => event);
  const sequencer = newSequencer(database.sql);
  const settle = async () => {
    while ((await sequencer.round()) === 'more');
  };
  await settle();
  await open.begin(async (transaction) => {
    await insert(transaction, 'late');
    for (const event of ['one', 'two', 'three']) {
      await insert(database.sql, event);
      await settle();
    }
    expect(await order()).toEqual(['one', 'two', 'three']);
  });
  await insert(database.sql, 'four');
  await settle();
  expect(await order()).toEqual(['one', 'two', 'three', 'late', 'four']);
});

test('more events than one statement reads get their positions, even in one transaction', async () => {
  const { sql } = database;
  const insert = (count: number) => sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
    select gen_random_uuid(), latchkey.clock(), 'session.logout', 'success', 'anonymous', '{}'
    from generate_series(1, ${count}::integer)`;
  await sequence(sql);
  for (let transactions = 0; transactions < 4; transactions += 1) await insert(300);
  await sequence(sql);
  await insert(2500);
  await sequence(sql);
  const [entries] = await sql<
    { count: string }[]
  >`select count(*), max(position) from latchkey.audit_entries`;
  expect(entries).toEqual({ count: '3700', max: '3699' });
});

test('events of earlier versions get salts, and positions in the order of time', async () => {
  const { sql } = database;
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid, salt)
    select gen_random_uuid(), timestamptz '2020-01-01Z' + n * interval '1 hour', 'session.logout', 'success', 'anonymous', '{}',
      null, null
    from generate_series(1500, 1, -1) as n`;
  await sequence(sql);
  const rows = await sql<{ position: string; at: Date; salt: Buffer }[]>`
    select audit_entries.position, audit_events.at, audit_events.salt from latchkey.audit_entries
    join latchkey.audit_events on audit_events.id = audit_entries.event_id order by audit_events.at`;
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index));
  expect(rows).toHaveLength(1500);
  expect(new Set(rows.map(({ salt }) => salt.toString('hex'))).size).toBe(1500);
});
