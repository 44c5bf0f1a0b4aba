import type { Database } from '../core/database.ts';
import { sql } from './sql.ts';

/**
 * Writes an empty message to the WAL, because PostgreSQL waits for a standby only if a transaction has written to the
 * WAL. Without synchronous replication, the statement writes nothing.
 */
export const writeMessage = sql`
  select case when current_setting('synchronous_standby_names', true) <> ''
    then pg_logical_emit_message(true, 'latchkey', '') end as written
  where latchkey.require_primary()`;

/** The statement that waits now. */
const running = new WeakMap<Database, Promise<void>>();
/** The statement that starts when the running one has ended. */
const next = new WeakMap<Database, Promise<void>>();

/**
 * Waits until a synchronous standby has every change that this request has read. Call it before an answer that depends
 * on earlier changes, if the last statement wrote nothing.
 *
 * With synchronous replication, a commit waits for a standby, and other statements see the change only after this wait.
 * If the wait ends early, because the server stops or the statement is canceled, they see a change that a failover can
 * lose. A later write waits until the standby has this change, too. A read does not wait.
 *
 * Concurrent requests share a statement, so that anonymous requests can neither occupy all connections nor fill the WAL.
 * The running statement can be older than what the request has read, so the request shares the next one.
 *
 * @throws AuthError `unavailable` if no standby confirms the message within the time limit of a statement
 * @see https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export function awaitStandby({ db }: { db: Database }): Promise<void> {
  const current = running.get(db);
  const shared = next.get(db) ?? (current && writeAfter(current, db));
  if (!shared) return write(db);
  next.set(db, shared);
  return shared;
}

/** If the running statement fails, the requests that wait for the next one fail with it. */
async function writeAfter(current: Promise<void>, db: Database): Promise<void> {
  try {
    await current;
  } finally {
    next.delete(db);
  }
  await write(db);
}

function write(db: Database): Promise<void> {
  const written = db.query(writeMessage).then(() => {});
  running.set(db, written);
  const end = () => {
    if (running.get(db) === written) running.delete(db);
  };
  written.then(end, end);
  return written;
}

/** Waits for a standby (`awaitStandby`), then returns the answer. */
export async function confirmAnswer<Answer>(runtime: { db: Database }, answer: Answer): Promise<Answer> {
  await awaitStandby(runtime);
  return answer;
}
