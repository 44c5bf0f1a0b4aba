import type postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newSequencer, sequence } from '../support/sequencing.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let sql: postgres.Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterEach(() => database.drop());

const insert = (event: string, xid?: string) =>
  sql.unsafe(`
  insert into latchkey.audit_events (id, at, event, outcome, actor_type, details${xid === undefined ? '' : ', xid'})
  values (gen_random_uuid(), latchkey.clock(), '${event}', 'success', 'anonymous', '{}'${xid === undefined ? '' : `, '${xid}'`})`);
const order = async () =>
  (
    await sql<{ event: string }[]>`
      select audit_events.event from latchkey.audit_entries
      join latchkey.audit_events on audit_events.id = audit_entries.event_id order by position`
  ).map(({ event }) => event);

// The transaction ids of a restored database come from another server.
const future = '900000000';

test('after a restore on a server with smaller transaction ids, new and restored events get positions', async () => {
  await insert('before');
  await sequence(sql);
  // The dump contains an event without an entry, and the state of the old server.
  await insert('restored', future);
  await sql`update latchkey.audit_log set seen = '900000000:900000000:'`;
  await insert('new');
  await sequence(sql);
  expect((await order()).toSorted()).toEqual(['before', 'new', 'restored']);
  await insert('newer');
  await sequence(sql);
  expect((await order()).at(-1)).toBe('newer');
});

test('restored events whose transaction ids are in the future do not keep the sequencer busy', async () => {
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid)
    select gen_random_uuid(), latchkey.clock(), 'restored', 'success', 'anonymous', '{}', (900000000 + n)::text::xid8
    from generate_series(1, 1200) as n`;
  await sql`update latchkey.audit_log set seen = '900000000:900000000:'`;
  const sequencer = newSequencer(sql);
  const results = [await sequencer.round(), await sequencer.round(), await sequencer.round()];
  expect(results).toEqual(['more', 'idle', 'idle']);
  expect(await order()).toHaveLength(1200);
});

test('a running sequencer notices that the transaction ids went back', async () => {
  const sequencer = newSequencer(sql);
  while ((await sequencer.round()) === 'more');
  await sql`update latchkey.audit_log set seen = '900000000:900000000:'`;
  await insert('new');
  while ((await sequencer.round()) === 'more');
  expect(await order()).toEqual(['new']);
});

test('a process that starts finds restored events, which its rounds miss because of their old transaction ids', async () => {
  await sequence(sql);
  await insert('hidden', '3');
  const sequencer = newSequencer(sql);
  expect(await sequencer.round()).toBe('more');
  expect(await sequencer.round()).toBe('idle');
  expect(await order()).toEqual(['hidden']);
});

test('a running sequencer finds restored events with old transaction ids after a day', async () => {
  const sequencer = newSequencer(sql);
  while ((await sequencer.round()) === 'more');
  await insert('hidden', '3');
  expect(await sequencer.round()).toBe('idle');
  expect(await order()).toEqual([]);
  await sql`update public.test_clock set ahead = ahead + interval '24 hours 1 second'`;
  expect(await sequencer.round()).toBe('more');
  expect(await order()).toEqual(['hidden']);
});

test('events that a process of an earlier version records get positions', async () => {
  await sequence(sql);
  // The statement of the previous version, which names no new column.
  await insert('earlier version');
  await sequence(sql);
  expect(await order()).toEqual(['earlier version']);
});

test('a tree that differs from the signed checkpoint is not continued', async () => {
  await insert('first');
  await sequence(sql);
  const [tile] = await sql`select hashes from latchkey.audit_tiles`;
  await sql`update latchkey.audit_tiles set hashes = sha256('another entry')`;
  await insert('second');
  await expect(sequence(sql)).rejects.toMatchObject({ name: 'LogChangedError' });
  await sql`update latchkey.audit_tiles set hashes = ${tile?.hashes}`;
  const [log] = await sql`select note from latchkey.audit_log`;
  await sql`update latchkey.audit_log set note = replace(note, ' ', ' A')`;
  await expect(sequence(sql)).rejects.toMatchObject({ name: 'LogChangedError' });
  await sql`update latchkey.audit_log set note = null`;
  await expect(sequence(sql)).rejects.toMatchObject({ name: 'LogChangedError' });
  await sql`update latchkey.audit_log set note = ${log?.note}`;
  await sequence(sql);
  expect(await order()).toEqual(['first', 'second']);
});

test('entries can be neither changed nor removed', async () => {
  await insert('first');
  await sequence(sql);
  for (const change of [
    `update latchkey.audit_entries set position = 7`,
    'delete from latchkey.audit_entries',
    'truncate latchkey.audit_entries',
  ])
    await expect(sql.unsafe(change)).rejects.toMatchObject({ code: '42501' });
});
