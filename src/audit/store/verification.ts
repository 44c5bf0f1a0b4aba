import { type Sql, sql, textArray } from '../../db/sql.ts';
import { type CommittedColumns, contentColumns, eventColumns, microsOf } from './sequence.ts';

export interface LogRow {
  size: string;
  origin: string | null;
  note: string | null;
  /** The newest checkpoint that a witness has cosigned. Null: no witness has cosigned any. */
  cosigned_note: string | null;
  /** The position of the last entry. Null: the log has no entry. */
  last_position: string | null;
}

export const selectLog = sql`
  select audit_log.size::text as size, audit_log.origin, audit_log.note,
    audit_log.cosigned_note, (select max(audit_entries.position)::text from latchkey.audit_entries) as last_position
  from latchkey.audit_log`;

export interface TileRow {
  level: number;
  n: string;
  hashes_hex: string;
}

const tileColumns = sql`
  audit_tiles.level, audit_tiles.n::text as n, encode(audit_tiles.hashes, 'hex') as hashes_hex`;

/** Selects all tiles from level 1 on, and the last tile of level 0. They contain about 1/250 of all hashes. */
export const selectUpperTiles = (size: number): Sql => sql`
  select ${tileColumns} from latchkey.audit_tiles
  where audit_tiles.level > 0
    or (audit_tiles.level = 0 and audit_tiles.n = ${`${Math.floor(size / 256)}`}::text::bigint)`;

/** Selects tiles of level 0, from one number up to another one, inclusive. */
export const selectLeafTiles = (first: number, last: number): Sql => sql`
  select ${tileColumns} from latchkey.audit_tiles
  where audit_tiles.level = 0
    and audit_tiles.n between ${`${first}`}::text::bigint and ${`${last}`}::text::bigint`;

/** Selects certain tiles. */
export const selectTiles = (places: readonly { level: number; n: number }[]): Sql => sql`
  select ${tileColumns}
  from jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb) as given (level smallint, n bigint)
  join latchkey.audit_tiles on audit_tiles.level = given.level and audit_tiles.n = given.n`;

/** An entry, with the columns of its event. */
export interface EntryRow extends Omit<CommittedColumns, 'id'> {
  position: string;
  event_id: string;
  entry_micros: string;
  commitment_hex: string;
  /** Null: the event does not exist. All its columns are null. */
  id: string | null;
}

const entryColumns = sql`
  audit_entries.position::text as position, audit_entries.event_id, ${microsOf(sql`audit_entries.at`)} as entry_micros,
  encode(audit_entries.commitment, 'hex') as commitment_hex, content.id, ${contentColumns}`;

/** Finds the event of each entry by its index. As a plain join, it could read all events. */
const contentOf = sql`
  left join lateral (
    select audit_events.id, ${eventColumns} from latchkey.audit_events
    where audit_events.id = audit_entries.event_id
    limit 1
  ) as content on true`;

/** Selects the entries from a position up to, but not including, another one. */
export const selectEntries = (first: number, end: number): Sql => sql`
  select ${entryColumns}
  from latchkey.audit_entries
  ${contentOf}
  where audit_entries.position >= ${`${first}`}::text::bigint and audit_entries.position < ${`${end}`}::text::bigint
  order by audit_entries.position`;

/** Selects the entry of an event. */
export const selectEntryOf = (eventId: string): Sql => sql`
  select ${entryColumns}
  from latchkey.audit_entries
  ${contentOf}
  where audit_entries.event_id = ${eventId}::uuid`;

/**
 * Selects the recorded prunings: when each happened, and the time before which it removed events. A pruning with a future
 * time counts as one of now. Otherwise, it could explain why events are missing that the log must still keep.
 */
export const selectPrunings = sql`
  select ${microsOf(sql`least(audit_events.at, latchkey.clock())`)} as at_micros, audit_events.details ->> 'before' as before
  from latchkey.audit_events where audit_events.event = 'audit.prune' and audit_events.outcome = 'success'`;

/** Selects the erased users that have these pseudonyms. */
export const selectErasures = (pseudonyms: readonly string[]): Sql => sql`
  select audit_events.target_id as user_id, audit_events.target_name as pseudonym
  from latchkey.audit_events
  where audit_events.event = 'user.erase' and audit_events.outcome = 'success'
    and audit_events.target_name = any (${textArray(pseudonyms)}::text[])`;

/** Selects the logs that `audit.new_log` has replaced. */
export const selectFormerLogs = sql`
  select audit_events.details ->> 'formerOrigin' as origin, audit_events.details ->> 'formerSize' as size
  from latchkey.audit_events where audit_events.event = 'audit.new_log' and audit_events.outcome = 'success'`;

/** Counts the events of the last hour that have no entry, up to 1,000. */
export const countWaiting = sql`
  select count(*)::text as waiting from (
    select audit_events.id from latchkey.audit_events
    where audit_events.at > latchkey.clock() - interval '1 hour'
      and not exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id)
    limit 1000
  ) as without_entry`;

/**
 * Selects events without an entry that are a day older than the newest entry, up to a limit. The service gives events
 * their entries about a second after they were committed, so it has inserted none of them.
 */
export const selectWithoutEntry = (limit: number): Sql => sql`
  select audit_events.id, ${microsOf(sql`audit_events.at`)} as at_micros from latchkey.audit_events
  where audit_events.at < (
      select least(max(audit_entries.at), latchkey.clock()) - interval '1 day' from latchkey.audit_entries
    )
    and not exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id)
  order by audit_events.at, audit_events.id
  limit ${limit}::integer`;

/** Selects a part of the hourly copies of the checkpoints, in the order of their sizes. */
export const selectCheckpoints = (afterSize: string, limit: number): Sql => sql`
  select audit_checkpoints.size::text as size, audit_checkpoints.note from latchkey.audit_checkpoints
  where audit_checkpoints.size > ${afterSize}::text::bigint
  order by audit_checkpoints.size
  limit ${limit}::integer`;

/** A log that continues the entries under another origin. */
export interface NewLog {
  /** The state before. If another process has changed it, nothing happens. */
  before: { size: string; note: string | null };
  size: number;
  origin: string;
  note: string;
  /** The tiles that differ from the entries. */
  tiles: readonly { level: number; n: number; hashes: string }[];
}

/**
 * Gives the log another origin, and records why. The next round of the sequencer searches all events, because a restore
 * can have brought back events without entries. Returns no row if another process has changed the log.
 */
export const replaceLog = ({ before, size, origin, note, tiles }: NewLog, entry: Sql): Sql => sql`
  with log as (
    update latchkey.audit_log
    set size = ${`${size}`}::text::bigint, origin = ${origin}::text, note = ${note}::text, seen = null, swept_at = null
    where audit_log.size = ${before.size}::text::bigint and audit_log.note is not distinct from ${before.note}::text
    returning audit_log.origin
  ),
  tiles as (
    insert into latchkey.audit_tiles (level, n, hashes)
    select given.level, given.n, decode(given.hashes, 'hex')
    from log, jsonb_to_recordset(${JSON.stringify(tiles)}::text::jsonb) as given (level smallint, n bigint, hashes text)
    on conflict (level, n) do update set hashes = excluded.hashes
  ),
  entry as (${entry})
  select log.origin from log`;

/** Keeps a checkpoint with the cosignature of a witness. */
export const keepCosignedNote = (origin: string, note: string): Sql => sql`
  update latchkey.audit_log set cosigned_note = ${note}::text where audit_log.origin = ${origin}::text`;
