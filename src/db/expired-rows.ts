import { raw, type Sql, sql } from './sql.ts';
import { rfc3339, type Timestamp } from './timestamp.ts';

/** The result of one batch of deletions. */
export interface RemovedBatch {
  /** The number of removed rows. */
  removed: number;
  /** The latest expiry of the removed rows. Null: the batch removed no row. */
  until: Timestamp | null;
}

/** The names of a table and of two columns. */
interface ExpiringTable {
  table: string;
  /** The primary key. */
  key: string;
  /** The expiry. An index must cover this column. */
  expiry: string;
}

const earliest = '1970-01-01T00:00:00Z';

/**
 * Returns the statement that deletes up to `most` expired rows, oldest expiry first. The statement skips locked rows,
 * so it neither waits nor causes a deadlock. The next run deletes the skipped rows.
 *
 * The keys are an array, because PostgreSQL then finds each row in the index. With `in` and outdated statistics, it could
 * compare each key with each row of the table.
 *
 * Each batch starts at the latest expiry of the previous batch. PostgreSQL keeps deleted rows in the index while an
 * older transaction, such as a dump, is open. A batch that starts at the first row would scan all these deleted rows
 * again.
 *
 * @param last the result of the previous batch
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
    delete from ${raw(table)} where ${raw(key)} = any(array(select ${raw(key)} from expired))
    returning ${raw(expiry)}
  )
  select count(*)::integer as removed, max(${raw(expiry)}) as until from removed`;
