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
 * Waits until a synchronous standby has every change that this request has read. Call it before an answer that depends
 * on earlier changes, if the last statement wrote nothing.
 *
 * With synchronous replication, a commit waits for a standby, and other statements see the change only after this wait.
 * If the wait ends early, because the server stops or the statement is canceled, they see a change that a failover can
 * lose. A later write waits until the standby has this change, too. A read does not wait.
 *
 * @throws AuthError `unavailable` if no standby confirms the message within the time limit of a statement
 * @see https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export async function awaitStandby({ db }: { db: Database }): Promise<void> {
  await db.query(writeMessage);
}

/** Waits for a standby (`awaitStandby`), then returns the answer. */
export async function confirmAnswer<Answer>(runtime: { db: Database }, answer: Answer): Promise<Answer> {
  await awaitStandby(runtime);
  return answer;
}
