import { createHash, randomUUID } from 'node:crypto';
import type { Database, Statement } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkpointText, readCheckpoint } from '../../src/audit/log/checkpoint.ts';
import { commitmentOf, encodeEntry, fieldKey, personalFields } from '../../src/audit/log/entry.ts';
import { createLogKeys } from '../../src/audit/log/log-keys.ts';
import { readNote, signNote } from '../../src/audit/log/note.ts';
import { entryOf, rowOf } from '../../src/audit/log/stored.ts';
import { appendToTiles } from '../../src/audit/log/tiles.ts';
import { hashLeaf } from '../../src/audit/log/tree.ts';
import { type EntryRow, selectEntries } from '../../src/audit/store/verification.ts';
import { sequence } from '../support/sequencing.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';

/** Events of two years ago, of which the older half is pruned. They fill tile 0/0 and a part of tile 0/1. */
const old = 300;
/** Events of today. The log has more than 1,000 entries: four full tiles and a partial one. */
const young = 750;
/** Positions that the log does not have. */
const far = 1_000_000;
const tables = ['audit_events', 'audit_entries', 'audit_tiles', 'audit_checkpoints', 'audit_log'];

let service: TestService;
/** The attacker: all rights in the database, but not the secret. */
let sql: TestService['database']['sql'];

beforeAll(async () => {
  service = await startTestService();
  sql = service.database.sql;
  const operator = service.auth.asOperator('ops');
  await insertEvents(old, '2 years');
  await sequence(sql);
  await sql`select latchkey.forget_audit_events(latchkey.clock() - interval '2 years' + interval '25 hours 5 minutes', ${old})`;
  await sequence(sql);
  await insertEvents(young, '1 hour');
  for (const username of ['ada', 'ben', 'cora']) await operator.users.create({ username });
  await operator.users.rename('ada', 'ada.l');
  await sequence(sql);
  const { user } = await operator.users.get('cora');
  await operator.users.delete('cora');
  await operator.users.erase(user.id);
  await operator.users.disable('ben', { reason: 'on leave' });
  await sequence(sql);
  await sql`create schema kept`;
  for (const table of tables) await sql.unsafe(`create table kept.${table} as table latchkey.${table}`);
});
afterAll(() => service?.close());

/** Undoes the attack of the test before. */
beforeEach(() =>
  attack(async (tx) => {
    for (const table of tables) {
      await tx.unsafe(`delete from latchkey.${table}`);
      await tx.unsafe(`insert into latchkey.${table} select * from kept.${table}`);
    }
  }),
);

async function insertEvents(count: number, age: string): Promise<void> {
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, ip, user_agent, details)
    select gen_random_uuid(), latchkey.clock() - ${age}::interval + n * interval '10 minutes 1 microsecond' * ${age === '1 hour' ? 0 : 1}::integer,
      'passkey.login', 'success', 'user', 'user' || n, '192.0.2.' || (n % 250), 'Firefox', jsonb_build_object('n', n)
    from generate_series(1, ${count}::integer) as n`;
}

/** Runs SQL without triggers, as a superuser can. */
async function attack(work: (tx: typeof sql) => Promise<unknown>): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await work(tx as unknown as typeof sql);
  });
}

const verify = (options = {}) => service.auth.asOperator('ops').audit.verify(options);
const kindsOf = ({ problems }: Awaited<ReturnType<typeof verify>>) =>
  problems.map(({ kind, position }) => `${kind} ${position ?? '-'}`);
const idAt = async (position: number): Promise<string> => {
  const [row] = await sql`select event_id from latchkey.audit_entries where position = ${position}`;
  return row?.event_id;
};
const size = async () => Number((await sql`select size from latchkey.audit_log`)[0]?.size);

/** What an attacker can do with the published formats: makes entries and tiles that match the events. */
async function rebuild(tx: typeof sql, { entries = true } = {}): Promise<Buffer> {
  const db = databaseOf(tx);
  const rows = await db.query<EntryRow>(selectEntries(0, 1_000_000));
  const leaves: Buffer[] = [];
  for (const row of rows) {
    const event = rowOf(row);
    const entry = entryOf(row);
    if (entries && event) {
      entry.atMicros = BigInt(event.at_micros);
      entry.commitment = commitmentOf(event);
      await tx`
        update latchkey.audit_entries set commitment = ${entry.commitment},
          at = (select audit_events.at from latchkey.audit_events where audit_events.id = ${entry.eventId})
        where position = ${row.position}`;
    }
    leaves.push(hashLeaf(encodeEntry(entry)));
  }
  const { tiles, root } = appendToTiles([], 0, leaves);
  for (const { level, n, hashes } of tiles)
    await tx`
      insert into latchkey.audit_tiles (level, n, hashes) values (${level}, ${n}, ${hashes})
      on conflict (level, n) do update set hashes = excluded.hashes`;
  return root;
}

describe('an unchanged log', () => {
  test('has no problem, with pruned and erased events', async () => {
    const result = await verify();
    expect(result.problems).toStrictEqual([]);
    expect(result).toMatchObject({ ok: true, from: 0, pruned: old / 2, waiting: 0 });
    expect(result.size).toBe(await size());
    expect(result.events + result.pruned).toBe(result.size);
    expect(result.erased).toBeGreaterThan(0);
  });

  test('has no problem with its retention, its key and its checkpoints', async () => {
    const { keys, note } = await service.auth.asOperator('ops').audit.checkpoint();
    const copies = await sql`select note from latchkey.audit_checkpoints`;
    const witnessed = [...copies.map((row) => `${row.note}`), `${note}`];
    expect(await verify({ key: keys[0], retentionDays: 700, witnessed })).toMatchObject({ ok: true });
  });

  test('has no problem after a pruning whose limit has microseconds, although `audit.prune` records milliseconds', async () => {
    const [event] = await sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (gen_random_uuid(), date_trunc('milliseconds', latchkey.clock() - interval '400 days')
        + interval '998 microseconds', 'session.logout', 'success', 'anonymous', '{}')
      returning at::text as at`;
    await sequence(sql);
    const before = sql`${event?.at}::text::timestamptz + interval '1 microsecond'`;
    await sql`select latchkey.forget_audit_events(${before}, ${old})`;
    await sequence(sql);
    expect(await verify({ retentionDays: 400 })).toMatchObject({ problems: [], pruned: old + 1 });
  });

  test('is checked from the start of a tile if only the newest entries are requested', async () => {
    const result = await verify({ newest: 10 });
    expect(result).toMatchObject({ ok: true, from: Math.floor(((await size()) - 10) / 256) * 256 });
    expect(result.events).toBe(result.size - result.from);
  });
});

test('a verification accepts a pruning exactly at the end of the retention', async () => {
  await attack(async (tx) => {
    await tx`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      select gen_random_uuid(), now.at, 'audit.prune', 'success', 'system', jsonb_build_object('before',
        to_char((now.at - interval '9600 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from (select date_trunc('milliseconds', latchkey.clock()) as at) as now`;
    await tx`delete from latchkey.audit_events where at < latchkey.clock() - interval '500 days'`;
  });
  expect(await verify({ retentionDays: 400 })).toMatchObject({ problems: [], pruned: old });
});

test('a verification reports its progress to the end', async () => {
  const progress: [number, number][] = [];
  await verify({ onProgress: (checked: number, total: number) => progress.push([checked, total]) });
  expect(progress.at(-1)).toStrictEqual([await size(), await size()]);
});

describe('a verification detects an attacker with all rights in the database, but without the secret, who', () => {
  const columns = [
    "at = at + interval '1 microsecond'",
    "outcome = 'failure'",
    "actor_name = 'mallory'",
    "ip = '198.51.100.9'",
    'user_agent = null',
    `details = details || '{"n": 7.0}'`,
    'count = 1',
    'salt = uuid_send(gen_random_uuid())',
  ];
  test.each(columns)('changes an event: %s', async (change) => {
    const id = await idAt(700);
    await attack((tx) => tx.unsafe(`update latchkey.audit_events set ${change} where id = '${id}'`));
    const { problems } = await verify();
    expect(problems).toStrictEqual([
      { kind: 'event', position: 700, eventId: id, message: expect.stringContaining(`Event ${id}`) },
    ]);
  });

  test('deletes an event', async () => {
    await attack(async (tx) => tx`delete from latchkey.audit_events where id = ${await idAt(700)}`);
    const result = await verify();
    expect(kindsOf(result)).toStrictEqual(['event 700']);
    expect(result.problems[0]?.message).toContain('was deleted. No pruning explains that.');
  });

  test('changes an event and its entry', async () => {
    const id = await idAt(700);
    await attack(async (tx) => {
      await tx`update latchkey.audit_events set actor_name = 'mallory' where id = ${id}`;
      const row = await rowAt(tx, 700);
      await tx`update latchkey.audit_entries set commitment = ${commitmentOf(row)} where position = 700`;
    });
    const { problems } = await verify();
    expect(problems).toStrictEqual([
      { kind: 'entry', position: 700, eventId: id, message: 'Entry 700 was changed.' },
    ]);
  });

  test('changes an event, its entry and its tile', async () => {
    await attack(async (tx) => {
      await tx`update latchkey.audit_events set actor_name = 'mallory' where id = ${await idAt(700)}`;
      const row = await rowAt(tx, 700);
      const commitment = commitmentOf(row);
      await tx`update latchkey.audit_entries set commitment = ${commitment} where position = 700`;
      const leaf = hashLeaf(encodeEntry({ eventId: row.id, atMicros: BigInt(row.at_micros), commitment }));
      await tx`
        update latchkey.audit_tiles set hashes = overlay(hashes placing ${leaf} from ${(700 - 512) * 32 + 1} for 32)
        where level = 0 and n = 2`;
    });
    const result = await verify();
    expect(kindsOf(result)).toStrictEqual(['tile 512']);
    expect(result.problems[0]?.message).toBe(
      'Tile 0/2 was changed. It covers the entries from 512 to 767, which may be changed, too.',
    );
  });

  test('swaps two events', async () => {
    await attack(async (tx) => {
      const [one, other] = [await idAt(700), await idAt(701)];
      const id = '00000000-0000-4000-8000-000000000000';
      await tx`update latchkey.audit_events set id = ${id} where id = ${one}`;
      await tx`update latchkey.audit_events set id = ${one} where id = ${other}`;
      await tx`update latchkey.audit_events set id = ${other} where id = ${id}`;
    });
    expect(kindsOf(await verify())).toStrictEqual(['event 700', 'event 701']);
  });

  test('swaps two entries', async () => {
    await attack(async (tx) => {
      await tx`update latchkey.audit_entries set position = ${far} where position = 700`;
      await tx`update latchkey.audit_entries set position = 700 where position = 701`;
      await tx`update latchkey.audit_entries set position = 701 where position = ${far}`;
    });
    expect(kindsOf(await verify())).toStrictEqual(['entry 700', 'entry 701']);
  });

  test('deletes an event and its entry', async () => {
    await attack(async (tx) => {
      await tx`delete from latchkey.audit_events where id = ${await idAt(700)}`;
      await tx`delete from latchkey.audit_entries where position = 700`;
    });
    const result = await verify();
    expect(kindsOf(result)).toStrictEqual(['entry 700']);
    expect(result.problems[0]?.message).toBe('Entry 700 was deleted.');
  });

  test('deletes an event and closes the gap', async () => {
    await attack(async (tx) => {
      await tx`delete from latchkey.audit_events where id = ${await idAt(700)}`;
      await tx`delete from latchkey.audit_entries where position = 700`;
      await tx`update latchkey.audit_entries set position = position + ${far} where position > 700`;
      await tx`update latchkey.audit_entries set position = position - ${far + 1} where position > ${far}`;
    });
    const { ok, problems } = await verify();
    expect(ok).toBe(false);
    expect(problems.find(({ kind }) => kind === 'entry')?.position).toBe(700);
  });

  test('inserts an event with an entry in between', async () => {
    await attack(async (tx) => {
      await tx`update latchkey.audit_entries set position = position + ${far} where position > 700`;
      await tx`update latchkey.audit_entries set position = position - ${far - 1} where position > ${far}`;
      const [event] = await tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
        values (gen_random_uuid(), latchkey.clock(), 'user.delete', 'success', 'system', '{}') returning id, at`;
      await tx`
        insert into latchkey.audit_entries (position, event_id, at, commitment)
        values (701, ${event?.id}, ${event?.at}, ${Buffer.alloc(32)})`;
    });
    const { ok, problems } = await verify();
    expect(ok).toBe(false);
    expect(problems.find(({ kind }) => kind === 'entry')?.position).toBe(701);
  });

  test('appends an event with an entry, but cannot sign it', async () => {
    await attack(async (tx) => {
      const [event] = await tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
        values (gen_random_uuid(), latchkey.clock(), 'user.delete', 'success', 'system', '{}') returning id, at`;
      await tx`
        insert into latchkey.audit_entries (position, event_id, at, commitment)
        values (${await size()}, ${event?.id}, ${event?.at}, ${Buffer.alloc(32)})`;
      await tx`update latchkey.audit_log set size = size + 1`;
    });
    expect(kindsOf(await verify())).toStrictEqual(['checkpoint -']);
  });

  test('replaces a tile', async () => {
    await attack(
      (tx) => tx`update latchkey.audit_tiles set hashes = sha256(hashes) where level = 0 and n = 1`,
    );
    const result = await verify();
    expect(kindsOf(result)).toStrictEqual(['tile 256']);
    expect(result.problems[0]?.message).toBe('Tile 0/1 was changed. Its entries are unchanged.');
  });

  test('deletes a tile', async () => {
    await attack((tx) => tx`delete from latchkey.audit_tiles where level = 0 and n = 1`);
    const result = await verify();
    expect(result.problems[0]?.message).toBe('Tile 0/1 was deleted. Its entries are unchanged.');
    expect(result.problemCount).toBe(1);
  });

  test.each([0, 1])('replaces the tile of level %i at the right edge', async (level) => {
    await attack(
      (tx) => tx`
        update latchkey.audit_tiles set hashes = overlay(hashes placing sha256('') from 1 for 32)
        where level = ${level} and n = (select max(n) from latchkey.audit_tiles where level = ${level})`,
    );
    const { ok, problems } = await verify();
    expect(ok).toBe(false);
    expect(problems.map(({ kind }) => kind)).toContain('tile');
    expect(problems.some(({ message }) => message.includes('The entries are unchanged.'))).toBe(true);
  });

  test('rebuilds everything and keeps the signed checkpoint', async () => {
    await attack(async (tx) => {
      await tx`update latchkey.audit_events set actor_name = 'mallory' where id = ${await idAt(700)}`;
      await rebuild(tx);
    });
    const result = await verify();
    expect(result.problems.at(0)?.message).toMatch(/^Neither the tiles nor the entries match the checkpoint/);
  });

  test('rebuilds everything and signs with another key', async () => {
    await attack(async (tx) => {
      await tx`update latchkey.audit_events set actor_name = 'mallory' where id = ${await idAt(700)}`;
      const root = await rebuild(tx);
      const [log] = await tx`select * from latchkey.audit_log`;
      const text = checkpointText({ origin: log?.origin, size: Number(log?.size), root });
      const note = signNote(text, createLogKeys([`${secret}x`]).signers(log?.origin));
      await tx`update latchkey.audit_log set note = ${note}`;
    });
    const result = await verify();
    expect(result.problems[0]?.message).toBe(
      'The checkpoint is not valid: no known key has signed the note.',
    );
  });

  test('records a pruning that did not happen, if the retention is given', async () => {
    await attack(async (tx) => {
      await tx`delete from latchkey.audit_events where id = ${await idAt(700)}`;
      await tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
        values (gen_random_uuid(), latchkey.clock(), 'audit.prune', 'success', 'system',
          jsonb_build_object('before', to_char(latchkey.clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;
    });
    expect(await verify({ retentionDays: 90 })).toMatchObject({ ok: false, problemCount: 1 });
    // The documentation says that this is not found.
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('records a pruning in the future, if the retention is given', async () => {
    await attack(async (tx) => {
      await tx`delete from latchkey.audit_events where id = ${await idAt(700)}`;
      await tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
        values (gen_random_uuid(), latchkey.clock() + interval '100 years', 'audit.prune', 'success', 'system',
          jsonb_build_object('before', to_char(latchkey.clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;
    });
    expect(kindsOf(await verify({ retentionDays: 90 }))).toStrictEqual(['event 700']);
  });

  test('inserts a backdated event that the sequencer does not find', async () => {
    const id = randomUUID();
    await attack(
      (tx) => tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid)
        values (${id}, latchkey.clock() - interval '30 days', 'session.logout', 'success', 'system', '{}', null)`,
    );
    await sequence(sql);
    const { problems } = await verify();
    expect(problems).toStrictEqual([
      { kind: 'event', eventId: id, message: expect.stringContaining(`Event ${id}`) },
    ]);
  });

  test('changes the time before which a pruning removed events', async () => {
    const [pruned] = await sql`
      select position from latchkey.audit_entries join latchkey.audit_events on audit_events.id = event_id
      where event = 'audit.prune'`;
    await attack(async (tx) => {
      await tx`delete from latchkey.audit_events where id = ${await idAt(700)}`;
      await tx`
        update latchkey.audit_events
        set details = jsonb_build_object('before', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        where event = 'audit.prune'`;
    });
    expect(kindsOf(await verify())).toStrictEqual([`event ${pruned?.position}`]);
  });

  test('brings a pruned event back with other content', async () => {
    await attack(
      async (tx) => tx`
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
        select event_id, at, 'user.delete', 'success', 'system', '{}' from latchkey.audit_entries where position = 3`,
    );
    expect(kindsOf(await verify())).toStrictEqual(['event 3']);
  });

  test('replaces a name with a pseudonym, as if the user was erased', async () => {
    const id = await idAt(700);
    await attack(async (tx) => {
      const row = await rowAt(tx, 700);
      await tx`
        update latchkey.audit_events set actor_name = 'erased:0123456789abcdef', salt = null,
          kept = ${keptWithout('actor_name', row)} where id = ${id}`;
    });
    const result = await verify();
    expect(kindsOf(result)).toStrictEqual(['event 700']);
    expect(result.problems[0]?.message).toContain(
      'actor_name was replaced. No erasure of a user explains that.',
    );
  });

  test('replaces a name with the pseudonym of another user who was erased', async () => {
    const [event] = await sql`
      select position, event_id from latchkey.audit_entries join latchkey.audit_events on audit_events.id = event_id
      where event = 'user.disable'`;
    const [erased] = await sql`select target_name from latchkey.audit_events where event = 'user.erase'`;
    await attack(async (tx) => {
      const row = await rowAt(tx, Number(event?.position));
      await tx`
        update latchkey.audit_events set target_name = ${erased?.target_name}, salt = null,
          kept = ${keptWithout('target_name', row)} where id = ${event?.event_id}`;
    });
    expect(kindsOf(await verify())).toStrictEqual([`event ${event?.position}`]);
  });

  test('changes the rest of an event whose user was erased', async () => {
    const [event] = await sql`
      select position, event_id from latchkey.audit_entries join latchkey.audit_events on audit_events.id = event_id
      where kept is not null order by position limit 1`;
    await attack(
      (tx) => tx`update latchkey.audit_events set actor_name = 'oops' where id = ${event?.event_id}`,
    );
    expect(kindsOf(await verify())).toStrictEqual([`event ${event?.position}`]);
  });

  test('changes a copy of a checkpoint', async () => {
    const checkpoint = readCheckpoint(
      readNote((await sql`select note from latchkey.audit_log`)[0]?.note).text,
    );
    // Only someone with the secret can sign this. Without the secret, the copy has no valid signature and is ignored.
    const text = checkpointText({ ...checkpoint, size: 800 });
    const note = signNote(text, createLogKeys([secret]).signers(checkpoint.origin));
    await attack(
      (tx) => tx`insert into latchkey.audit_checkpoints (size, at, note) values (800, now(), ${note})`,
    );
    expect(kindsOf(await verify())).toStrictEqual(['checkpoint 800']);
  });
});

describe('a checkpoint that was kept outside of the database', () => {
  let newest: string;
  beforeAll(async () => {
    newest = `${(await service.auth.asOperator('ops').audit.checkpoint()).note}`;
  });

  /** Removes the newest entries, and puts the older signed checkpoint back, which is in a backup. */
  const truncate = (to: number) =>
    attack(async (tx) => {
      const leaves = await leavesOf(tx, to);
      await tx`delete from latchkey.audit_events where id in (
        select event_id from latchkey.audit_entries where position >= ${to})`;
      await tx`delete from latchkey.audit_entries where position >= ${to}`;
      await tx`delete from latchkey.audit_tiles`;
      const { tiles, root } = appendToTiles([], 0, leaves);
      for (const { level, n, hashes } of tiles)
        await tx`insert into latchkey.audit_tiles (level, n, hashes) values (${level}, ${n}, ${hashes})`;
      const [log] = await tx`select origin from latchkey.audit_log`;
      // The backup contains the note that the service signed at that time.
      const note = signNote(
        checkpointText({ origin: log?.origin, size: to, root }),
        createLogKeys([secret]).signers(log?.origin),
      );
      await tx`delete from latchkey.audit_checkpoints where size > ${to}`;
      await tx`update latchkey.audit_log set size = ${to}, note = ${note}`;
    });

  test('shows that the newest events were removed, or that a backup was restored', async () => {
    await truncate(900);
    const result = await verify({ witnessed: [newest] });
    expect(kindsOf(result)).toStrictEqual(['witness 900']);
    expect(result.problems[0]?.message).toMatch(/^The log has 900 entries, but had \d+ before\./);
    // The documentation says that this is not found.
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('shows that other events followed after a restored backup', async () => {
    await truncate(900);
    await insertEvents(300, '1 hour');
    await sql`update latchkey.audit_log set seen = null`;
    await sequence(sql);
    const result = await verify({ witnessed: [newest] });
    expect(result).toMatchObject({ ok: false });
    expect(result.problems[0]?.message).toContain(
      'do not match the checkpoint that was kept outside of the database',
    );
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('shows that the log was replaced by another one', async () => {
    const { origin } = await service.auth
      .asOperator('ops')
      .audit.startNewLog({ reason: 'restored a backup' });
    expect(await verify({ witnessed: [newest] })).toMatchObject({ ok: true, origin });
    await attack((tx) => tx`delete from latchkey.audit_events where event = 'audit.new_log'`);
    const result = await verify({ witnessed: [newest] });
    expect(result.problems[0]?.message).toContain('No audit.new_log event explains why');
  });

  test('is a problem if no key of the log has signed it', async () => {
    const forged = signNote(readNote(newest).text, createLogKeys([`${secret}x`]).signers('example.com/log'));
    const result = await verify({ witnessed: [forged] });
    expect(result.problems[0]?.message).toBe('None of the 1 given checkpoints is signed with a known key.');
  });
});

/** A database that reads what the transaction of the attacker sees. */
const databaseOf = (tx: typeof sql): Database => ({
  query: async <Row extends object>({ text, values }: Statement) => [
    ...(await tx.unsafe<Row[]>(text, values as never[])),
  ],
});

const rowAt = async (tx: typeof sql, position: number) => {
  const [found] = await databaseOf(tx).query<EntryRow>(selectEntries(position, position + 1));
  const row = found && rowOf(found);
  if (!row) throw new Error(`no event at position ${position}`);
  return row;
};

const leavesOf = async (tx: typeof sql, end: number) =>
  (await databaseOf(tx).query<EntryRow>(selectEntries(0, end))).map((row) =>
    hashLeaf(encodeEntry(entryOf(row))),
  );

/** What an erasure of one field would keep of the salt. */
function keptWithout(
  field: (typeof personalFields)[number],
  row: Parameters<typeof commitmentOf>[0],
): Buffer {
  const salt = row.salt ?? Buffer.alloc(0);
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const value = Buffer.from(`${row[field as 'actor_name']}`);
  const parts = personalFields.map((name) =>
    name === field ? sha256(fieldKey(name, salt), Buffer.of(1), value) : fieldKey(name, salt),
  );
  const rest = sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt);
  return Buffer.concat([Buffer.of(1, 1 << personalFields.indexOf(field)), rest, ...parts]);
}
