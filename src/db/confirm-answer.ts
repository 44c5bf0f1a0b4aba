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
 * Returns the answer of a request that has only read, after a synchronous standby has every change that the request
 * could see. For answers about earlier changes, such as "the user is already disabled".
 *
 * With synchronous replication, PostgreSQL hides a change until a standby has it. But if this wait ends early, because
 * the server stops or the statement is canceled, other statements see a change that a failover can lose. A statement
 * that writes waits until the standby has all earlier changes, too. A statement that only reads does not wait.
 *
 * @throws AuthError `unavailable` if no standby confirms in time
 * @see https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export async function confirmAnswer<Answer>({ db }: { db: Database }, answer: Answer): Promise<Answer> {
  await db.query(writeMessage);
  return answer;
}
