import type { EntryRow, TileRow } from '../store/verification.ts';
import { committedRow } from './committed-row.ts';
import type { CommittedRow, LogEntry } from './entry.ts';
import type { Tile } from './tiles.ts';

/** Reads a tile from its row. */
export const tileOf = ({ level, n, hashes_hex }: TileRow): Tile => ({
  level,
  n: Number(n),
  hashes: Buffer.from(hashes_hex, 'hex'),
});

export const entryOf = ({ event_id, entry_micros, commitment_hex }: EntryRow): LogEntry => ({
  eventId: event_id,
  atMicros: BigInt(entry_micros),
  commitment: Buffer.from(commitment_hex, 'hex'),
});

/** Returns the event of an entry. Null: the event no longer exists. */
export const rowOf = ({ id, ...columns }: EntryRow): CommittedRow | null =>
  id === null ? null : committedRow({ ...columns, id });
