import { raw, type Sql, sql, textArray } from '../../db/sql.ts';

/** The state of the log. */
export interface LogStateRow {
  size: string;
  origin: string | null;
  /** The signed checkpoint. Null: the log is empty. */
  note: string | null;
  /** The snapshot whose visible events all have an entry. Null: the log has not started. */
  seen: string | null;
  /** The snapshot of the statement that read this row. */
  snapshot: string;
  /** Whether the transaction ids of the server are smaller than those of `seen`, as after a restore from a dump. */
  went_back: boolean;
  /** Whether the last complete search for events without an entry is more than a day old. */
  sweep_due: boolean;
}

/** A committed event that may have no entry yet. */
export interface WaitingRow {
  id: string;
  xid: string | null;
  /** ISO 8601 with microseconds. */
  at_text: string;
  /** Null: the event has no entry. Then the row has the columns of the event. */
  position: string | null;
  at_micros: string;
  event: string;
  outcome: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  organization_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  impersonator_type: string | null;
  impersonator_id: string | null;
  impersonator_name: string | null;
  details_text: string;
  count: number | null;
  salt_hex: string | null;
  kept_hex: string | null;
}

/** The columns that the commitment to an event covers. */
export type CommittedColumns = Omit<WaitingRow, 'xid' | 'at_text' | 'position'>;

/**
 * Returns an SQL expression for a time in microseconds since 1970. The last 2000 years of the type do not fit into a
 * `bigint`.
 */
export const microsOf = (at: Sql): Sql => sql`
  case
    when ${at} = 'infinity' then '9223372036854775807'
    when ${at} = '-infinity' then '-9223372036854775808'
    else least(round(extract(epoch from ${at})::numeric * 1000000), 9223372036854775807)::bigint::text
  end`;

export const eventColumns = sql`
  ${microsOf(sql`audit_events.at`)} as at_micros,
  audit_events.event, audit_events.outcome, audit_events.actor_type, audit_events.actor_id, audit_events.actor_name,
  audit_events.target_type, audit_events.target_id, audit_events.target_name, audit_events.organization_id,
  audit_events.ip, audit_events.user_agent, audit_events.request_id, audit_events.impersonator_type,
  audit_events.impersonator_id, audit_events.impersonator_name, audit_events.details::text as details_text,
  audit_events.count, encode(audit_events.salt, 'hex') as salt_hex, encode(audit_events.kept, 'hex') as kept_hex`;

/** Finds the entry of each event by its index. As a plain join, it could read all entries. */
const entryOf = sql`
  left join lateral (
    select audit_entries.position from latchkey.audit_entries where audit_entries.event_id = found.id limit 1
  ) as entry on true`;

/** The columns of an event without an entry. */
export const contentColumns = sql`
  content.at_micros, content.event, content.outcome, content.actor_type, content.actor_id, content.actor_name,
  content.target_type, content.target_id, content.target_name, content.organization_id, content.ip, content.user_agent,
  content.request_id, content.impersonator_type, content.impersonator_id, content.impersonator_name,
  content.details_text, content.count, content.salt_hex, content.kept_hex`;

const contentOf = sql`${entryOf}
  left join lateral (
    select ${eventColumns}
    from latchkey.audit_events
    where audit_events.id = found.id and entry.position is null
    limit 1
  ) as content on true`;

/** The columns of the state of the log. */
const stateColumns = sql`
  audit_log.size::text as size, audit_log.origin, audit_log.note, audit_log.seen::text as seen,
  pg_current_snapshot()::text as snapshot,
  coalesce(pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(audit_log.seen), false) as went_back,
  coalesce(audit_log.swept_at < latchkey.clock() - interval '24 hours', true) as sweep_due`;

export const selectLogState = sql`select ${stateColumns} from latchkey.audit_log`;

/** How many events one statement reads. */
export const batch = 500;
/** A constant, because PostgreSQL must know that the number is small. */
const limited = raw(`limit ${batch}`);

/**
 * Selects events whose transactions are not visible in `seen`, in the order of their transactions.
 *
 * The transactions in `seen` that had not ended are looked up one by one, so a transaction that stays open for hours
 * costs nothing. Events of a restored database can have transaction ids of the future. They have entries from the sweep,
 * so the statement leaves them out.
 */
const unseen = sql`
    select later.id, later.xid, later.at from (
      (
        select audit_events.id, audit_events.xid, audit_events.at from latchkey.audit_events
        where audit_events.xid = any (
          array(select pg_snapshot_xip(audit_log.seen) from latchkey.audit_log)
        )
        order by audit_events.xid
        ${limited}
      )
      union all
      (
        select audit_events.id, audit_events.xid, audit_events.at from latchkey.audit_events
        where audit_events.xid >= (select pg_snapshot_xmax(audit_log.seen) from latchkey.audit_log)
          and audit_events.xid < pg_snapshot_xmax(pg_current_snapshot())
        order by audit_events.xid
        ${limited}
      )
    ) as later
    order by later.xid, later.at, later.id
    ${limited}`;

/**
 * Selects the state of the log, and a batch of events of transactions that ended after `seen`. If no event waits, selects
 * one row without an event.
 */
export const selectWaiting = sql`
  with found as (${unseen}
  )
  select ${stateColumns},
    found.id, found.xid::text as xid, to_json(found.at) #>> '{}' as at_text, entry.position::text as position,
    ${contentColumns}
  from (
    select audit_log.size, audit_log.origin, audit_log.note, audit_log.seen, audit_log.swept_at from latchkey.audit_log
    limit 1
  ) as audit_log
  left join found on true
  ${contentOf}
  order by found.xid, found.at, found.id`;

const foundColumns = sql`
  found.id, found.xid::text as xid, to_json(found.at) #>> '{}' as at_text, entry.position::text as position,
  ${contentColumns}`;

/** How many ids of a transaction the sequencer keeps in memory. */
export const mostIds = 50_000;

/** Selects the ids of the events of a transaction, in the order of time. At most `mostIds` + 1 of them. */
export const selectOfTransaction = (xid: string): Sql => sql`
  select found.id
  from (
    select audit_events.id, audit_events.at from latchkey.audit_events
    where audit_events.xid = ${xid}::text::xid8
    ${raw(`limit ${mostIds + 1}`)}
  ) as found
  order by found.at, found.id`;

/** Selects events by their ids, in the order of time. */
export const selectEvents = (ids: readonly string[]): Sql => sql`
  select ${foundColumns}
  from (
    select audit_events.id, audit_events.xid, audit_events.at from latchkey.audit_events
    where audit_events.id = any (${textArray(ids)}::uuid[])
  ) as found
  ${contentOf}
  order by found.at, found.id`;

/** Selects a batch of events after an event, in the order of time. */
export const selectSweep = (after: { at_text: string; id: string }): Sql => sql`
  select ${foundColumns}
  from (
    select audit_events.id, audit_events.xid, audit_events.at from latchkey.audit_events
    where (audit_events.at, audit_events.id) > (${after.at_text}::text::timestamptz, ${after.id}::uuid)
    order by audit_events.at, audit_events.id
    ${limited}
  ) as found
  ${contentOf}
  order by found.at, found.id`;

/** Selects where a sweep starts: a day before the last complete one started. */
export const selectSweepStart = sql`
  select to_json(latchkey.clock()) #>> '{}' as now_text,
    to_json(coalesce(audit_log.swept_at - interval '24 hours', '-infinity')) #>> '{}' as from_text
  from latchkey.audit_log`;

/** Gives a salt to events that earlier versions of the package have inserted. Events with an entry are not changed. */
export const saltEvents = (ids: readonly string[]): Sql => sql`
  select latchkey.salt_audit_events(${textArray(ids)}::uuid[]) as salted`;

/**
 * Records that a sweep which started at a time has ended. After a complete sweep, `seen` is the snapshot of its start.
 * Changes nothing if the log is shorter than the sweep has left it: a failover has lost entries.
 */
export const finishSweep = (startedAt: string, size: string, seen: string | null): Sql => sql`
  update latchkey.audit_log
  set swept_at = ${startedAt}::text::timestamptz, seen = coalesce(${seen}::text::pg_snapshot, audit_log.seen)
  where audit_log.size >= ${size}::text::bigint`;

/**
 * Selects for how long the oldest event without an entry has waited, in seconds. An event of a transaction that committed
 * late waits since the last time when no event waited. A last time in the future is ignored, so that it does not hide the
 * backlog. 0: no event waits.
 */
export const selectBacklog = sql`
  select greatest(0, floor(case
    when audit_log.seen is null and oldest.at is not null
      then extract(epoch from coalesce(now() - caught_up.at, latchkey.clock() - oldest.at))
    when waiting.at is null then 0
    else extract(epoch from least(latchkey.clock() - waiting.at, now() - caught_up.at))
  end))::integer as waiting_seconds
  from latchkey.audit_log
  left join (
    select audit_log.caught_up_at as at from latchkey.audit_log where audit_log.caught_up_at <= now()
  ) as caught_up on true, (
    select min(audit_events.at) as at from latchkey.audit_events
  ) as oldest, (
    select min(found.at) as at
    from (${unseen}
    ) as found
    ${entryOf}
    where entry.position is null
  ) as waiting`;
