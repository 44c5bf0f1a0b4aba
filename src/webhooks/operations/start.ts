import { readCursor } from '../../audit/log/cursor.ts';
import { selectEntryAt, selectLastEntry } from '../../audit/store/positions.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Sql, sql } from '../../db/sql.ts';

/**
 * Returns a `select` of the event after which a webhook starts.
 *
 * @param after `end`: the last event of the log, so that the webhook gets only new events. `start`: no event. A cursor: its
 *   event.
 * @throws AuthError `invalid_request` for another text
 * @throws AuthError `log_changed` if the log does not contain the event of the cursor
 */
export async function startAt({ db }: Pick<Runtime, 'db'>, after: string): Promise<Sql> {
  if (after === 'end') return selectLastEntry;
  if (after === 'start') return sql`select * from (${selectLastEntry}) as last where false`;
  const { position, eventId } = readCursor(after);
  const [entry] = await db.query<{ event_id: string }>(selectEntryAt(position));
  if (entry?.event_id !== eventId) throw new AuthError('log_changed');
  return sql`select ${`${position}`}::text::bigint as position, ${eventId}::uuid as event_id`;
}
