import type { Database, Statement } from 'latchkey';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newSequencer } from '../support/sequencing.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let client: postgres.Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterEach(async () => {
  await client.end({ timeout: 1 });
  await database.drop();
});

const insertInto = (sql: Pick<postgres.Sql, 'unsafe'>, count: number) =>
  sql.unsafe(`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
    select gen_random_uuid(), latchkey.clock() - n * interval '1 second', 'session.logout', 'success', 'anonymous', '{}'
    from generate_series(1, ${count}) as n`);

/** Counts the rows that the server reads from the events and the entries, and the rows that the sequencer gets. */
function counting() {
  const sent: string[] = [];
  let received = 0;
  const db: Database = {
    query: async <Row extends object>({ text, values }: Statement) => {
      const rows = [...(await client.unsafe<Row[]>(text, values as never[]))];
      sent.push(text);
      received += rows.length;
      return rows;
    },
  };
  const sequencer = newSequencer(db);
  const settle = async () => {
    while ((await sequencer.round()) === 'more');
  };
  const readRows = async (): Promise<number> => {
    await client`select pg_stat_force_next_flush()`;
    const [row] = await client<{ rows: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_user_tables
      where relname in ('audit_events', 'audit_entries')`;
    return row?.rows ?? 0;
  };
  const work = async () => {
    sent.length = 0;
    received = 0;
    const before = await readRows();
    await settle();
    return {
      received,
      read: (await readRows()) - before,
      isSwept: sent.some((text) => /\(audit_events\.at, audit_events\.id\) >/.test(text)),
    };
  };
  return { sequencer, settle, work };
}

const positions = async () =>
  (
    await database.sql<{ count: string; size: string; last: string }[]>`
      select count(distinct audit_entries.event_id) as count, max(audit_entries.position) + 1 as last,
        (select audit_log.size from latchkey.audit_log) as size
      from latchkey.audit_entries`
  )[0];

test('the sequencer reads each event of a large transaction at most a few times, and no events of other transactions', async () => {
  const { settle, work } = counting();
  for (let count = 0; count < 40; count += 1) await insertInto(database.sql, 400);
  await settle();
  await database.sql`analyze latchkey.audit_events, latchkey.audit_entries`;
  await insertInto(database.sql, 5000);
  const { received, read, isSwept } = await work();
  expect(isSwept).toBe(false);
  // A batch, the ids, the events, and a few rows for the state and the tiles of each batch.
  expect(received).toBeLessThan(500 + 2 * 5000 + 200);
  expect(read).toBeLessThan(8 * 5000);
  expect(await positions()).toEqual({ count: '21000', last: '21000', size: '21000' });
});

test('a large transaction that ends late does not make the sequencer read later events again', async () => {
  const { settle, work } = counting();
  const late = postgres(database.url, { max: 1, onnotice: () => {} });
  await settle();
  await late.begin(async (transaction) => {
    await insertInto(transaction, 1200);
    for (let count = 0; count < 20; count += 1) await insertInto(database.sql, 400);
    await settle();
    expect((await positions())?.size).toBe('8000');
  });
  await late.end();
  const { received } = await work();
  expect(received).toBeLessThan(500 + 2 * 1200 + 100);
  expect(await positions()).toEqual({ count: '9200', last: '9200', size: '9200' });
});

test('all events of a transaction with more than 50,000 of them get positions', async () => {
  const { settle } = counting();
  await settle();
  await insertInto(database.sql, 50_100);
  await settle();
  expect(await positions()).toEqual({ count: '50100', last: '50100', size: '50100' });
});

test('events of small transactions before and after a large one get their positions, too', async () => {
  const { settle } = counting();
  await settle();
  for (const count of [3, 700, 1, 1500, 499, 500, 2]) await insertInto(database.sql, count);
  await settle();
  expect(await positions()).toEqual({ count: '3205', last: '3205', size: '3205' });
});

test('later events get positions although earlier events have the id of a transaction that still runs', async () => {
  const { sequencer, settle } = counting();
  await settle();
  const running = postgres(database.url, { max: 1, onnotice: () => {} });
  await running.begin(async (transaction) => {
    const [row] = await transaction<{ xid: string }[]>`select pg_current_xact_id()::text as xid`;
    await database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid)
      select gen_random_uuid(), latchkey.clock(), 'session.logout', 'success', 'anonymous', '{}', ${`${row?.xid}`}::text::xid8
      from generate_series(1, 600)`;
    await insertInto(database.sql, 1);
    for (let round = 0; round < 5; round += 1) await sequencer.round();
    expect(await positions()).toEqual({ count: '601', last: '601', size: '601' });
  });
  await running.end();
});
