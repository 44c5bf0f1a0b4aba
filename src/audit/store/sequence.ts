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

/** A tile of the right edge of the tree, in a row with the state of the log. */
export interface EdgeRow {
  size: string;
  note: string | null;
  /** Null: the tree has no partial tile. */
  level: number | null;
  n: string;
  hashes_hex: string;
}

/** Selects the partial tiles of the right edge of the tree, of the levels 0 to 7. */
export const selectEdge = sql`
  select audit_log.size::text as size, audit_log.note, audit_tiles.level, audit_tiles.n::text as n,
    encode(audit_tiles.hashes, 'hex') as hashes_hex
  from latchkey.audit_log
  left join (
    generate_series(0, 6) as height (level)
    join latchkey.audit_tiles on audit_tiles.level = height.level
  ) on audit_tiles.n = audit_log.size >> (8 * (height.level + 1))
  order by audit_tiles.level`;

/** A change of the log. */
export interface LogChange {
  /** The state of the log before the change. If another process has changed it, nothing happens. */
  before: { size: string; note: string | null };
  size: number;
  origin: string;
  note: string | null;
  seen: string | null;
  entries: readonly { position: number; event_id: string; at: string; commitment: string }[];
  tiles: readonly { level: number; n: number; hashes: string }[];
}

/**
 * Appends entries and tiles to the log, and keeps a copy of the checkpoint once an hour. Returns no row if the log has
 * another size or another checkpoint than `before`.
 */
export const appendToLog = ({ before, size, origin, note, seen, entries, tiles }: LogChange): Sql => sql`
  with log as (
    update latchkey.audit_log
    set size = ${`${size}`}::text::bigint, origin = ${origin}::text, note = ${note}::text,
      seen = ${seen}::text::pg_snapshot
    where audit_log.size = ${before.size}::text::bigint and audit_log.note is not distinct from ${before.note}::text
    returning audit_log.size, audit_log.note
  ),
  entries as (
    insert into latchkey.audit_entries (position, event_id, at, commitment)
    select given.position, given.event_id, given.at, decode(given.commitment, 'hex')
    from log, jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as given (
      position bigint, event_id uuid, at timestamptz, commitment text)
  ),
  tiles as (
    insert into latchkey.audit_tiles (level, n, hashes)
    select given.level, given.n, decode(given.hashes, 'hex')
    from log, jsonb_to_recordset(${JSON.stringify(tiles)}::text::jsonb) as given (level smallint, n bigint, hashes text)
    on conflict (level, n) do update set hashes = excluded.hashes
  ),
  checkpoints as (
    insert into latchkey.audit_checkpoints (size, at, note)
    select log.size, latchkey.clock(), log.note
    from log
    where log.note is not null and coalesce(
      (
        select earlier.at <= latchkey.clock() - interval '1 hour' from latchkey.audit_checkpoints as earlier
        order by earlier.size desc
        limit 1
      ),
      true
    )
    on conflict (size) do nothing
  )
  select log.size::text as size from log`;

/**
 * Records that a sweep which started at a time has ended. After a complete sweep, `seen` is the snapshot of its start.
 * Changes nothing if the log is shorter than the sweep has left it: a failover has lost entries.
 */
export const finishSweep = (startedAt: string, size: string, seen: string | null): Sql => sql`
  update latchkey.audit_log
  set swept_at = ${startedAt}::text::timestamptz, seen = coalesce(${seen}::text::pg_snapshot, audit_log.seen)
  where audit_log.size >= ${size}::text::bigint`;

/** How long a process sequences alone, after the last renewal. */
const leaseSeconds = 15;

/**
 * Takes or renews the lease. Returns no row if another process has it. The lease only prevents useless work: two
 * processes that both sequence do no harm. It uses the time of the server, which tests do not move.
 */
export const renewLease = (holder: string, isCaughtUp: boolean): Sql => sql`
  update latchkey.audit_log
  set holder = ${holder}::uuid, held_until = now() + ${`${leaseSeconds} seconds`}::text::interval,
    caught_up_at = case when ${isCaughtUp}::boolean then now() else audit_log.caught_up_at end
  where audit_log.holder = ${holder}::uuid or audit_log.held_until is null or audit_log.held_until < now()
  returning audit_log.holder`;

export const releaseLease = (holder: string): Sql => sql`
  update latchkey.audit_log set held_until = null where audit_log.holder = ${holder}::uuid`;

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
