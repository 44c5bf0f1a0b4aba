import { type Sql, sql } from '../../db/sql.ts';

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
