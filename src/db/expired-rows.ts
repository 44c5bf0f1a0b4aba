import { raw, type Statement, sql } from './database.ts';
import { rfc3339, type Timestamp } from './timestamp.ts';

/** What a batch tells of itself. */
export interface RemovedBatch {
  removed: number;
  /** When the last of its rows was over; null where there was none. */
  until: Timestamp | null;
}

/** The names of a table, of its primary key, and of the indexed column that says when a row is over. */
interface ExpiringTable {
  table: string;
  key: string;
  expiry: string;
}

const firstOfAll = '1970-01-01T00:00:00Z';

/**
 * The statement that removes so many rows that are over, those first that have been so for longest. It waits for
 * nobody: a row that another statement has locked stays for the next round, so it is part of no deadlock either.
 *
 * A batch begins where the one before it ended. As long as anybody, a dump say, may still see what was removed,
 * whoever began at the first row again would pass by all of it, and every batch would take longer than the last.
 */
export const deletingExpired =
  ({ table, key, expiry }: ExpiringTable) =>
  (most: number, last?: RemovedBatch): Statement =>
    sql`
  with expired as (
    select ${raw(key)} from ${raw(table)}
    where ${raw(expiry)} <= latchkey.clock()
      and ${raw(expiry)} >= ${last?.until ? rfc3339(last.until) : firstOfAll}::text::timestamptz
    order by ${raw(expiry)}
    limit ${raw(`${most}`)}
    for update skip locked
  ),
  removed as (
    delete from ${raw(table)} where ${raw(key)} in (select ${raw(key)} from expired)
    returning ${raw(expiry)}
  )
  select count(*)::integer as removed, max(${raw(expiry)}) as until from removed`;
