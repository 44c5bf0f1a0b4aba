import { eventFromRow } from '../audit/event.ts';
import { readEventsAfter, selectEntryAt } from '../audit/store/positions.ts';
import type { Runtime } from '../core/runtime.ts';
import { includesEvent } from './checks.ts';
import type { SentEvent } from './message.ts';
import type { Place } from './store.ts';

/** The next events of a webhook. */
export interface Batch {
  events: (SentEvent & { position: string })[];
  /** The last place that was read, also if the filter left out its event. Null: the log has no further events. */
  last: { position: string; eventId: string } | null;
}

/**
 * Reads the next events of the log. Returns `log_changed` if the log no longer has the event at the place, for example
 * after a failover that lost the newest events.
 */
export async function readAfter(
  { db }: Pick<Runtime, 'db'>,
  { position, eventId }: Place,
  { limit, filter }: { limit: number; filter: string | null },
): Promise<Batch | 'log_changed'> {
  const after = BigInt(position);
  if (after >= 0n && (await entryAt(db, position)) !== eventId) return 'log_changed';
  const { events: rows, readTo } = await readEventsAfter(db, after >= 0n ? after : null, limit);
  const last = readTo === null ? null : await entryAt(db, readTo);
  return {
    events: rows
      .filter(({ event }) => includesEvent(filter, event))
      .map((row) => ({ event: eventFromRow(row), position: row.position })),
    last: readTo === null || last === null ? null : { position: readTo, eventId: last },
  };
}

async function entryAt(db: Runtime['db'], position: string): Promise<string | null> {
  const [entry] = await db.query<{ event_id: string }>(selectEntryAt(BigInt(position)));
  return entry?.event_id ?? null;
}
