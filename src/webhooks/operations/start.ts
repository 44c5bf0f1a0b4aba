import { readCursor } from '../../audit/log/cursor.ts';
import { selectEntryAt, selectLastEntry } from '../../audit/store/positions.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Place } from '../store.ts';

/**
 * Returns the event after which a webhook starts.
 *
 * @param after `end`: the last event of the log, so that the webhook gets only new events. `start`: no event. A cursor: its
 *   event.
 * @throws AuthError `invalid_request` for another text
 * @throws AuthError `log_changed` if the log does not contain the event of the cursor
 */
export async function startAt({ db }: Pick<Runtime, 'db'>, after: string): Promise<Place> {
  if (after === 'start') return beforeFirst;
  if (after === 'end') {
    const [last] = await db.query<{ position: string | number | bigint; event_id: string }>(selectLastEntry);
    return last ? { position: `${last.position}`, eventId: last.event_id } : beforeFirst;
  }
  const { position, eventId } = readCursor(after);
  const [entry] = await db.query<{ event_id: string }>(selectEntryAt(position));
  if (entry?.event_id !== eventId) throw new AuthError('log_changed');
  return { position: `${position}`, eventId };
}

const beforeFirst: Place = { position: '-1', eventId: null };
