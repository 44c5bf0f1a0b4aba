import { raw, type Sql, sql } from './sql.ts';
import { rfc3339, type Timestamp } from './timestamp.ts';

/** The result of one batch. */
export interface RemovedBatch {
  removed: number;
  /** The expiry of the last removed row. Null if the batch removed none. */
  until: Timestamp | null;
}

/** The names of a table, its primary key, and its indexed expiry column. */
interface ExpiringTable {
  table: string;
  key: string;
  expiry: string;
}

const earliest = '1970-01-01T00:00:00Z';

/**
 * Returns the statement that deletes up to `most` expired rows, oldest expiry first. It skips locked rows, so it neither
 * waits nor takes part in a deadlock; the next run deletes them.
 *
 * Each batch starts at the expiry where the last batch ended. While an older snapshot (a dump, for example) is open,
 * PostgreSQL keeps deleted rows in the index. A batch that started at the first row would scan them all again.
 */
export const batchDeletion =
  ({ table, key, expiry }: ExpiringTable) =>
  (most: number, last?: RemovedBatch): Sql =>
    sql`
  with expired as (
    select ${raw(key)} from ${raw(table)}
    where ${raw(expiry)} <= latchkey.clock()
      and ${raw(expiry)} >= ${last?.until ? rfc3339(last.until) : earliest}::text::timestamptz
    order by ${raw(expiry)}
    limit ${raw(`${most}`)}
    for update skip locked
  ),
  removed as (
    delete from ${raw(table)} where ${raw(key)} in (select ${raw(key)} from expired)
    returning ${raw(expiry)}
  )
  select count(*)::integer as removed, max(${raw(expiry)}) as until from removed`;
