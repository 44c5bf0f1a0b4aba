import postgres, { type Sql } from 'postgres';
import { eventually } from '../../support/eventually.ts';
import type { OwnPostgres } from './own-postgres.ts';

/**
 * Makes each change wait for a standby with this name. An empty name turns synchronous replication off.
 *
 * Resolves when the new setting has taken effect. The function makes changes to find out, because the checkpointer can
 * turn the waiting on or off later than a connection shows the setting.
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
