import { second } from '../../core/duration.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { AuditEventName } from '../event-names.ts';
import { type FedEvent, readEnd, readFeedPage } from '../feed/read-page.ts';
import { cursorOf, type LogCursor } from '../log/cursor.ts';
import type { AuditReader } from './read-events.ts';
import { refuseUnentitled } from './refuse-unentitled.ts';

/** A part of the audit log in the order of the positions. */
export interface AuditFeed {
  events: FedEvent[];
  /** Pass it as `after` to read on. Null: the log is empty. */
  cursor: string | null;
}

export interface FeedRequest {
  /** Null: from the start of the log. `end`: after the last event. */
  after: LogCursor | 'end' | null;
  limit: number;
  events?: readonly AuditEventName[] | undefined;
  /** How long to wait if there is no event after `after`. Absent: not at all. */
  waitSeconds?: number;
  /** Ends the wait, because the client has closed the connection. */
  signal?: AbortSignal;
}

const event = 'audit.list';

/**
 * Returns the next events of the whole log. If there is none, waits for one. The response after the wait is refused if
 * the session has ended or the role has changed in the meantime.
 *
 * @throws AuthError `forbidden` for an actor who can read only a part of the log
 * @throws AuthError `log_changed` if the log has no such event at the position of `after`
 */
export async function readFeed(
  runtime: Runtime,
  by: AuditReader,
  { after, limit, events, waitSeconds = 0, signal }: FeedRequest,
): Promise<AuditFeed> {
  requireWholeLog(by);
  const { db, logProgress } = runtime;
  const until = performance.now() + waitSeconds * second;
  let cursor = after === 'end' ? await readEnd(db) : after;
  for (;;) {
    const page = await readFeedPage(db, cursor, { limit, events });
    const isCaughtUp = page.cursor?.position === cursor?.position;
    cursor = page.cursor;
    const leftMs = until - performance.now();
    if (page.events.length > 0 || leftMs <= 0 || signal?.aborted || logProgress.closed) {
      // After the events, because the actor can lose the right to read them at any time before.
      if ((await db.query(by.stillEntitled)).length === 0) return refuseUnentitled(runtime, by, { event });
      return { events: page.events, cursor: cursor && textOf(cursor) };
    }
    if (isCaughtUp) await logProgress.beyond(cursor?.position ?? null, { ms: leftMs, signal });
  }
}

/**
 * Positions count all events of the service, so only an actor who can read the whole log may see them. The endpoints
 * declare `everywhere`, which refuses all other actors before.
 *
 * @throws AuthError `forbidden`
 */
export function requireWholeLog({ scope }: AuditReader): void {
  if (scope !== null) throw new AuthError('forbidden');
}

const textOf = ({ position, eventId }: LogCursor) => cursorOf({ position: `${position}`, id: eventId });
