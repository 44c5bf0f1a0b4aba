import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { type Backend, type Executed, prepared, selectRows } from './backend.ts';
import { effectsOf, type TakenEffects, tableOf, tablesOf, takeEffects } from './effects.ts';
import { isRead } from './label.ts';
import { createReads } from './reads.ts';
import type { Run } from './scheduler.ts';

/**
 * Two statements of different operations can overlap: the second one starts after the first one has run, but before it
 * has committed. PostgreSQL then either runs the second one on the earlier rows, or makes it wait for the commit and check
 * its conditions again.
 * Statements really commit, so the rows are restored from copies after each schedule.
 */
export async function connectTwice(url: string): Promise<Backend> {
  const connect = (connection: Record<string, string>) =>
    postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection });
  // Each statement is planned once, although its parameters differ.
  const planning = { plan_cache_mode: 'force_generic_plan' };
  const one = connect(planning);
  const two = connect(planning);
  const reading = connect({ ...planning, default_transaction_read_only: 'on' });
  // Restores rows without triggers. If only a part of its statements needed this setting, each change of it would discard
  // the plans of all statements.
  const watch = connect({ ...planning, session_replication_role: 'replica' });
  const tables = await tablesOf(watch);
  await createRestoring(watch, tables);
  const [waiter] = await two<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const reads = createReads(reading);
  let changed = new Set<string>();

  /** Sends a statement and the question what it has changed, without waiting. */
  function send(client: postgres.Sql, { text, values }: Statement) {
    // `execute` sends a query of postgres.js, which otherwise is only sent when it is awaited.
    const sent = client.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 }).execute();
    const counted = client.unsafe<TakenEffects[]>(takeEffects, [], prepared).execute();
    counted.catch(() => {});
    return { sent, counted };
  }

  async function resultOf({ sent, counted }: ReturnType<typeof send>, executed: Executed): Promise<object[]> {
    try {
      const rows = [...(await sent)];
      Object.assign(executed, { effects: effectsOf(await counted), result: rows.length });
      for (const name of executed.effects.keys()) changed.add(tableOf(name));
      return rows;
    } catch (error) {
      await counted.catch(() => {});
      executed.result = error as Error;
      throw error;
    }
  }
  const unexecuted = (run: Run<unknown>): Executed => ({
    statement: run.next as Statement,
    effects: new Map(),
    result: 0,
  });

  /** Runs a statement in a transaction of its own, which commits when `committing` is over. */
  async function runUncommitted(
    client: postgres.Sql,
    run: Run<unknown>,
    committing: () => Promise<void> | void,
  ): Promise<Executed> {
    const executed = unexecuted(run);
    await run.step(async (statement) => {
      const begun = client.unsafe('begin').execute();
      const sending = send(client, statement);
      try {
        await begun;
        const rows = await resultOf(sending, executed);
        await committing();
        return rows;
      } finally {
        await client.unsafe('commit');
      }
    });
    return executed;
  }

  /** Runs a statement that PostgreSQL commits at once. */
  async function runAlone(run: Run<unknown>): Promise<Executed> {
    const executed = unexecuted(run);
    const { statement } = executed;
    await run.step(async () => {
      if (!isRead(statement)) return resultOf(send(one, statement), executed);
      try {
        const rows = await reads.read(statement, changed.size === 0);
        executed.result = rows.length;
        return rows;
      } catch (error) {
        executed.result = error as Error;
        throw error;
      }
    });
    // The operation can answer such an error like any other error of the database.
    if (isReadOnlyError(executed.result))
      throw new Error(`isRead takes a change for a read: ${statement.text}`);
    return executed;
  }

  /** Waits until the second connection has finished its statement, or waits for a lock. */
  async function untilBlockedOr(finished: () => boolean): Promise<void> {
    while (!finished()) {
      const [row] = await watch.unsafe<{ blocked: boolean }[]>(
        'select cardinality(pg_blocking_pids($1::integer)) > 0 as blocked',
        [waiter?.pid as never],
        prepared,
      );
      if (row?.blocked) return;
    }
  }

  return {
    overlaps: true,
    begin: async () => {
      changed = new Set();
    },
    step: runAlone,
    async overlap(first, second) {
      let following: Promise<Executed> | undefined;
      const leading = await runUncommitted(one, first, async () => {
        let finished = false;
        const finish = () => {
          finished = true;
        };
        following = runUncommitted(two, second, finish).finally(finish);
        following.catch(() => {});
        await untilBlockedOr(() => finished);
      });
      return [leading, (await following) ?? (await runAlone(second))];
    },
    rowsOf: (names) =>
      names.length === 0
        ? Promise.resolve([])
        : watch.unsafe<{ name: string; row: string }[]>(selectRows(names), [], prepared).execute(),
    namesOf: async (query) =>
      (await watch.unsafe<{ name: string }[]>(query, [], prepared).execute()).map(({ name }) => name),
    async restore() {
      if (changed.size === 0) return;
      const restoring = [...changed].sort().map((table) => `copies.restore_${table}()`);
      await watch.unsafe(`select ${restoring.join(', ')}`, [], prepared).execute();
    },
    close: async () => {
      for (const client of [one, two, reading, watch]) await client.end({ timeout: 1 });
    },
  };
}

const isReadOnlyError = (result: Executed['result']): boolean =>
  result instanceof Error && 'code' in result && result.code === '25006';

/**
 * Copies all rows to the schema `copies`, and creates a function for each table that restores the rows. It changes only
 * rows that differ, because dead rows make later statements slower. `*=` compares the bytes, so it works for each type.
 */
async function createRestoring(client: postgres.Sql, tables: readonly string[]): Promise<void> {
  await client.unsafe('create schema copies');
  for (const table of tables) {
    await client.unsafe(`create table copies.${table} as table latchkey.${table}`);
    const rows = await client<{ name: string; isKey: boolean }[]>`
      select quote_ident(attname) as name, exists (
        select from pg_index where indrelid = attrelid and indisprimary and attnum = any (indkey)) as "isKey"
      from pg_attribute
      where attrelid = ${`latchkey.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
    const columns = rows.map(({ name }) => name).join(', ');
    const keys = rows.filter(({ isKey }) => isKey).map(({ name }) => `copy.${name} = present.${name}`);
    const isSame = [...keys, 'copy *= present'].join(' and ');
    await client.unsafe(`
      create function copies.restore_${table}() returns void language plpgsql as $$
        begin
          delete from latchkey.${table} as present
            where not exists (select from copies.${table} as copy where ${isSame});
          insert into latchkey.${table} (${columns}) overriding system value
            select ${columns} from copies.${table} as copy
            where not exists (select from latchkey.${table} as present where ${isSame});
        end $$`);
  }
  await client.unsafe('analyze');
}
