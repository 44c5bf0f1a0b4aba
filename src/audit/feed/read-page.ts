import type { Database } from '../../core/database.ts';
import { AuthError } from '../../core/errors.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { type AuditEvent, eventFromRow } from '../event.ts';
import type { AuditEventName } from '../event-names.ts';
import { cursorOf, type LogCursor } from '../log/cursor.ts';
import { readEventsAfter, selectEntryAt, selectLastPosition } from '../store/positions.ts';

/** An audit event in the order of the log. */
export interface FedEvent {
  /** The place of the event in the log. To read on after this event, pass it as `after`. */
  cursor: string;
  event: AuditEvent;
}

/** Consecutive events of the log. */
export interface FeedPage {
  events: FedEvent[];
  /** The place up to which the log was read. Null: the log is empty. */
  cursor: LogCursor | null;
}

/**
 * Reads the next events in the order of their positions. Events that were pruned are missing. Readers store events and
 * cursors elsewhere, so a failover must not lose them.
 *
 * @param after null: from the start of the log
 * @throws AuthError `log_changed` if the log has no such event at the position of `after`
 */
export async function readFeedPage(
  db: Database,
  after: LogCursor | null,
  { limit, events: names }: { limit: number; events?: readonly AuditEventName[] | undefined },
): Promise<FeedPage> {
  const { events: rows, readTo } = await readEventsAfter(db, after?.position ?? null, limit, {
    events: names,
  });
  // After the events, because a failover between the two statements must not hide that the log has changed.
  if (after !== null) await requireEntry(db, after);
  const events = rows.map((row) => ({ cursor: cursorOf(row), event: eventFromRow(row) }));
  if (readTo === null) return { events, cursor: after };
  const last = rows.at(-1);
  const eventId = last?.position === readTo ? last.id : await readEventId(db, BigInt(readTo));
  return confirmAnswer({ db }, { events, cursor: { position: BigInt(readTo), eventId } });
}

/** Returns the cursor of the last event that has a position. Null: the log is empty. */
export async function readEnd(db: Database): Promise<LogCursor | null> {
  const [row] = await db.query<{ position: string | null }>(selectLastPosition);
  if (row?.position == null) return null;
  const position = BigInt(row.position);
  return confirmAnswer({ db }, { position, eventId: await readEventId(db, position) });
}

/** @throws AuthError `log_changed` */
async function requireEntry(db: Database, { position, eventId }: LogCursor): Promise<void> {
  if ((await readEventId(db, position)) !== eventId) throw logChanged();
}

async function readEventId(db: Database, position: bigint): Promise<string> {
  const [entry] = await db.query<{ event_id: string }>(selectEntryAt(position));
  if (!entry) throw logChanged();
  return entry.event_id;
}

const logChanged = () => new AuthError('log_changed');
