import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { type Backend, type Executed, selectRows } from './backend.ts';
import { effectsOf, tableOf, tablesOf, takeEffects } from './effects.ts';
import type { Run } from './scheduler.ts';

type Counted = { name: string; rows: number };

/**
 * Two statements of different operations can overlap: the second one starts after the first one has run, but before it
 * has committed. PostgreSQL then either runs the second one on the earlier rows, or makes it wait for the commit and check
 * its conditions again.
 * Statements really commit, so the rows are restored from copies after each schedule.
 */
export async function connectTwice(url: string): Promise<Backend> {
  const [one, two, watch] = [1, 2, 3].map(() =>
    postgres(url, { max: 1, fetch_types: false, onnotice: () => {} }),
  ) as [postgres.Sql, postgres.Sql, postgres.Sql];
  const tables = await tablesOf(watch);
  const columns = await copyTables(watch, tables);
  const [waiter] = await two<{ pid: number }[]>`select pg_backend_pid() as pid`;
  let changed = new Set<string>();

  /** Runs a statement in a transaction of its own, and returns before it commits. */
  async function execute(client: postgres.Sql, statement: Statement, executed: Executed): Promise<object[]> {
    const begun = client.unsafe('begin').execute();
    const { text, values } = statement;
    const sent = client.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 }).execute();
    const counted = client.unsafe<Counted[]>(takeEffects, [], { prepare: true }).execute();
    counted.catch(() => {});
    try {
      await begun;
      const rows = [...(await sent)];
      Object.assign(executed, { effects: effectsOf(await counted), result: rows.length });
      for (const name of executed.effects.keys()) changed.add(tableOf(name));
      return rows;
    } catch (error) {
      executed.result = error as Error;
      throw error;
    }
  }
  const end = (client: postgres.Sql) => client.unsafe('commit');

  async function runOn(
    client: postgres.Sql,
    run: Run<unknown>,
    beforeCommit = async () => {},
  ): Promise<Executed> {
    const executed: Executed = { statement: run.next as Statement, effects: new Map(), result: 0 };
    await run.step(async (statement) => {
      try {
        const rows = await execute(client, statement, executed);
        await beforeCommit();
        return rows;
      } finally {
        await end(client);
      }
    });
    return executed;
  }

  /** Waits until the second connection has finished its statement, or waits for a lock. */
  async function untilBlockedOr(finished: () => boolean): Promise<void> {
    while (!finished()) {
      const [row] = await watch.unsafe<{ blocked: boolean }[]>(
        `select cardinality(pg_blocking_pids(${waiter?.pid})) > 0 as blocked`,
      );
      if (row?.blocked) return;
    }
  }

  return {
    overlaps: true,
    begin: async () => {
      changed = new Set();
    },
    step: (run) => runOn(one, run),
    async overlap(first, second) {
      let following: Promise<Executed> | undefined;
      const leading = await runOn(one, first, async () => {
        let finished = false;
        following = runOn(two, second, async () => {
          finished = true;
        }).finally(() => {
          finished = true;
        });
        following.catch(() => {});
        await untilBlockedOr(() => finished);
      });
      return [leading, (await following) ?? (await runOn(two, second))];
    },
    rowsOf: (names) =>
      names.length === 0
        ? Promise.resolve([])
        : watch.unsafe<{ name: string; row: string }[]>(selectRows(names), [], { prepare: true }),
    namesOf: async (query) =>
      (await watch.unsafe<{ name: string }[]>(query, [], { prepare: true })).map(({ name }) => name),
    async restore() {
      if (changed.size === 0) return;
      const restoring = [...changed].map(
        (table) => `
          delete from latchkey.${table};
          insert into latchkey.${table} (${columns.get(table)}) overriding system value
            select ${columns.get(table)} from copies.${table};`,
      );
      await watch.unsafe(`
        begin; set local session_replication_role = replica; ${restoring.join('')} commit`);
    },
    close: async () => {
      for (const client of [one, two, watch]) await client.end({ timeout: 1 });
    },
  };
}

/** Copies all rows to the schema `copies`. @returns the columns of each table that can be inserted */
async function copyTables(client: postgres.Sql, tables: readonly string[]): Promise<Map<string, string>> {
  const columns = new Map<string, string>();
  await client.unsafe('create schema copies');
  for (const table of tables) {
    await client.unsafe(`create table copies.${table} as table latchkey.${table}`);
    const rows = await client<{ name: string }[]>`
      select quote_ident(attname) as name from pg_attribute
      where attrelid = ${`latchkey.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
    columns.set(table, rows.map(({ name }) => name).join(', '));
  }
  return columns;
}
