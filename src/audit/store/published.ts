import { type Sql, sql } from '../../db/sql.ts';
import { microsOf } from './sequence.ts';

export interface PublishedTileRow {
  hashes_hex: string;
}

/** Selects a tile of the log with this identifier. No row if another log has replaced it, because it can differ there. */
export const selectPublishedTile = (origin: string, { level, n }: { level: number; n: number }): Sql => sql`
  select encode(audit_tiles.hashes, 'hex') as hashes_hex
  from latchkey.audit_log, latchkey.audit_tiles
  where audit_log.origin = ${origin}::text
    and audit_tiles.level = ${level}::smallint and audit_tiles.n = ${`${n}`}::text::bigint`;

export interface PublishedEntryRow {
  event_id: string;
  entry_micros: string;
  commitment_hex: string;
}

/** Selects entries of the log with this identifier, from a position up to, but not including, another one. */
export const selectPublishedEntries = (origin: string, first: number, end: number): Sql => sql`
  select audit_entries.event_id, ${microsOf(sql`audit_entries.at`)} as entry_micros,
    encode(audit_entries.commitment, 'hex') as commitment_hex
  from latchkey.audit_log, latchkey.audit_entries
  where audit_log.origin = ${origin}::text
    and audit_entries.position >= ${`${first}`}::text::bigint and audit_entries.position < ${`${end}`}::text::bigint
  order by audit_entries.position`;
