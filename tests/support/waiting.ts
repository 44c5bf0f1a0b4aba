import type { Sql, TransactionSql } from 'postgres';
import { eventually } from './eventually.ts';

/**
 * Returns the backends that wait for a lock in this test's database. `pg_locks` alone would include backends of other
 * databases, because relations have the same ids in every copy of the template.
 */
export async function backendsWaiting(sql: Sql): Promise<{ pid: number; event: string }[]> {
  // In a transaction, PostgreSQL caches statistics after the first read, so this clears the cache.
  await sql`select pg_stat_clear_snapshot()`;
  return sql<{ pid: number; event: string }[]>`
    select pid, wait_event as event from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
}

/** @param sql a connection that does not wait for the lock itself */
export const untilWaiting = (sql: Sql, count = 1): Promise<void> =>
  eventually(async () => (await backendsWaiting(sql)).length >= count);

/**
 * Starts a call during a transaction. Commits the transaction when the call waits for one of its locks, and returns the
 * result of the call.
 *
 * @param change changes or locks rows in the transaction, before the call starts
 * @param count how many statements of the call must wait
 */
export async function callDuring<Result>(
  sql: Sql,
  change: (transaction: TransactionSql) => Promise<unknown>,
  call: () => Promise<Result>,
  count = 1,
): Promise<Result> {
  // A list, because `begin` would wait for a returned promise, and the call ends only after the transaction.
  const [result] = await sql.begin(async (transaction) => {
    await change(transaction);
    const running = call();
    // The call can fail before `begin` returns. The caller gets the error anyway.
    running.catch(() => {});
    await untilWaiting(sql, count);
    return [running] as const;
  });
  return result;
}
