import type { Sql } from 'postgres';
import { eventually } from './eventually.ts';

/**
 * The backends that wait for a lock in a test's own database. `pg_locks` alone would tell of other tests', too:
 * relations have the same ids in every copy of the template.
 */
export async function backendsWaiting(sql: Sql): Promise<{ pid: number; event: string }[]> {
  // A transaction would go on seeing the backends that it saw first.
  await sql`select pg_stat_clear_snapshot()`;
  return sql<{ pid: number; event: string }[]>`
    select pid, wait_event as event from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
}

/** @param sql a connection that does not wait itself */
export const untilWaiting = (sql: Sql, count = 1): Promise<void> =>
  eventually(async () => (await backendsWaiting(sql)).length >= count);
