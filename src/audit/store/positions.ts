import type { Database } from '../../core/database.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { type AuditEventRow, columns } from './events.ts';

/** An audit event with its position in the log. */
export interface PositionedEventRow extends AuditEventRow {
  /** Positions start at 0. Pruning an event leaves a gap. */
  position: string;
}

/** Consecutive events of the log. */
export interface PositionedEvents {
  /** In the order of their positions. */
  events: PositionedEventRow[];
  /**
   * The last position that was read. Continue after it. It can be after the last event, because the filter left events
   * out, or because they were pruned. Null: there is no entry after the given position.
   */
  readTo: string | null;
}

/** How many entries one statement reads. The limit is a constant, because PostgreSQL must know that it is small. */
const span = raw('limit 1000');

/**
 * Reads events in the order of their positions.
 *
 * @param position the position before the first event. Null: from the start of the log
 * @param limit the maximum number of events, at most 1000
 */
export async function readEventsAfter(
  db: Database,
  position: bigint | null,
  limit: number,
  filter: { events?: readonly string[] | undefined } = {},
): Promise<PositionedEvents> {
  const rows = await db.query<PositionedEventRow & { span_end: string | null }>(
    selectEventsAfter(position, limit, filter),
  );
  const events = rows.filter(({ id }) => id !== null).map(({ span_end: _, ...event }) => event);
  const last = events.length === limit ? events.at(-1)?.position : rows[0]?.span_end;
  return { events, readTo: last ?? null };
}

/** Selects the events of the next entries, or one row without an event. `span_end` is the position of the last entry. */
export const selectEventsAfter = (
  position: bigint | null,
  limit: number,
  { events }: { events?: readonly string[] | undefined } = {},
): Sql => sql`
  with span as (
    select audit_entries.position, audit_entries.event_id from latchkey.audit_entries
    where audit_entries.position > ${`${position ?? -1n}`}::text::bigint
    order by audit_entries.position
    ${span}
  ),
  ends as (
    select max(span.position) as span_end from span
  ),
  found as (
    select span.position, ${columns}
    from span join latchkey.audit_events on audit_events.id = span.event_id
    where ${events === undefined ? sql`true` : sql`audit_events.event in (${join(events.map((event) => sql`${event}::text`))})`}
    order by span.position
    limit ${limit}::integer
  )
  select cast(ends.span_end as text) as span_end, cast(found.position as text) as position,
    found.id, found.at, found.event, found.outcome, found.actor_type, found.actor_id, found.actor_name,
    found.target_type, found.target_id, found.target_name, found.organization_id, found.impersonator_type,
    found.impersonator_id, found.impersonator_name, found.details, found.count, found.ip, found.user_agent,
    found.request_id
  from ends left join found on true
  order by found.position`;

/** Selects the id of the event at a position. No row: the log is shorter. */
export const selectEntryAt = (position: bigint): Sql => sql`
  select audit_entries.event_id from latchkey.audit_entries
  where audit_entries.position = ${`${position}`}::text::bigint`;

/** Selects the last position of the log. Null: the log is empty. */
export const selectLastPosition = sql`
  select cast(max(audit_entries.position) as text) as position from latchkey.audit_entries`;
