import postgres, { type Sql } from 'postgres';
import { eventually } from '../../support/eventually.ts';
import type { OwnPostgres } from './own-postgres.ts';

/**
 * Makes each change wait for a standby with this name. An empty name turns synchronous replication off.
 *
 * Returns when changes wait, or no longer wait. The setting of a connection does not show this, because the checkpointer
 * turns the waiting on and off for all connections, possibly later.
 */
export async function requireStandby(server: OwnPostgres, name: string): Promise<void> {
  await server.configure(`synchronous_standby_names = '${name}'`);
  const sql = postgres(server.url(), {
    max: 2,
    connection: { application_name: 'probe' },
    onnotice: () => {},
  });
  try {
    await eventually(async () => (await changesWait(sql)) === (name !== ''));
  } finally {
    await sql.end();
  }
}

/** Makes a change, and ends its wait for a standby. Returns whether it waited. */
async function changesWait(sql: Sql): Promise<boolean> {
  let isOver = false;
  let hasWaited = false;
  const change = sql`select pg_logical_emit_message(true, 'probe', '')`.finally(() => {
    isOver = true;
  });
  await eventually(async () => {
    const ended = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where application_name = 'probe' and wait_event = 'SyncRep'
    `;
    hasWaited ||= ended.length > 0;
    return isOver;
  });
  await change;
  return hasWaited;
}
