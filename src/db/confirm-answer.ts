import type { Database } from '../core/database.ts';
import { sql } from './sql.ts';

/**
 * Writes an empty message to the WAL, because PostgreSQL waits for a standby only if a transaction has written to the
 * WAL. Without synchronous replication, the statement writes nothing.
 */
export const writeMessage = sql`
  select case when current_setting('synchronous_standby_names') <> ''
    then pg_logical_emit_message(true, 'latchkey', '') end as written
  where latchkey.require_primary()`;

/**
 * Waits until a synchronous standby has every change that the earlier statements of a request could see. For an answer
 * about earlier changes, such as "not found", of a request that has written nothing itself.
 *
 * With synchronous replication, PostgreSQL hides a change until a standby has it. But if this wait ends early, because
 * the server stops or the statement is canceled, other statements see a change that a failover can lose. A statement
 * that writes waits until the standby has all earlier changes, too. A statement that only reads does not wait.
 *
 * @throws AuthError `unavailable` if no standby confirms in time
 * @see https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export async function awaitStandby({ db }: { db: Database }): Promise<void> {
  await db.query(writeMessage);
}

/** Returns the answer after `awaitStandby`. For a request that has found nothing to change. */
export async function confirmAnswer<Answer>(runtime: { db: Database }, answer: Answer): Promise<Answer> {
  await awaitStandby(runtime);
  return answer;
}
