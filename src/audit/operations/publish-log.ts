import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby, confirmAnswer } from '../../db/confirm-answer.ts';
import { encodeEntry } from '../log/entry.ts';
import { logKeysOf } from '../log/log-keys.ts';
import type { TilePlace } from '../log/tile-path.ts';
import { tileWidth, widthOf } from '../log/tiles.ts';
import {
  type PublishedEntryRow,
  type PublishedTileRow,
  selectPublishedEntries,
  selectPublishedTile,
} from '../store/published.ts';
import { type LogRow, selectLog } from '../store/verification.ts';
import { newestNote } from './prove-event.ts';
import type { AuditReader } from './read-events.ts';
import { requireWholeLog } from './read-feed.ts';
import { refuseUnentitled } from './refuse-unentitled.ts';

/** Who reads the published part of the log. Null: anyone, because the log is public. */
type LogReader = AuditReader | null;

const hashBytes = 32;

/**
 * Returns the newest signed checkpoint (C2SP tlog-checkpoint). Null: the log is empty.
 *
 * @param log the last part of the identifier of the log. Null: any log. For another log, the result is null
 * @throws AuthError `forbidden` for an actor who can read only a part of the log
 */
export async function readPublishedCheckpoint(
  runtime: Runtime,
  by: LogReader,
  log: string | null,
): Promise<string | null> {
  requireLogReader(runtime, by);
  const { config, db } = runtime;
  const [row] = await db.query<LogRow>(selectLog);
  await requireStillEntitled(runtime, by);
  if (!row || (log !== null && !isLog(row.origin, log))) return null;
  // A failover must not lose a checkpoint that leaves the service.
  await awaitStandby(runtime);
  return newestNote(row, logKeysOf(config));
}

/**
 * Returns a tile, or a bundle of entries (C2SP tlog-tiles). Null: the log does not have it. A hash in a tile never
 * changes, so a tile with fewer hashes is the start of the stored one.
 *
 * The hashes are those in the database. Readers compare them with the signed checkpoint, as they must with any log.
 *
 * @throws AuthError `forbidden` for an actor who can read only a part of the log
 */
export async function readPublishedTile(
  runtime: Runtime,
  by: LogReader,
  log: string,
  { level, n, width }: TilePlace,
): Promise<Buffer | null> {
  requireLogReader(runtime, by);
  const [row] = await runtime.db.query<LogRow>(selectLog);
  const bytes = row ? await readTile(runtime, row, log, { level, n, width }) : null;
  await requireStillEntitled(runtime, by);
  // Caches keep a tile for a year.
  return confirmAnswer(runtime, bytes);
}

async function readTile(
  { db }: Runtime,
  { origin, size }: LogRow,
  log: string,
  { level, n, width }: TilePlace,
): Promise<Buffer | null> {
  const place = { level: level === 'entries' ? 0 : level, n };
  if (!isLog(origin, log) || widthOf(place, Number(size)) < width) return null;
  if (level !== 'entries') {
    const [tile] = await db.query<PublishedTileRow>(selectPublishedTile(origin, place));
    const hashes = Buffer.from(tile?.hashes_hex ?? '', 'hex');
    return hashes.length < width * hashBytes ? null : hashes.subarray(0, width * hashBytes);
  }
  const first = n * tileWidth;
  const rows = await db.query<PublishedEntryRow>(selectPublishedEntries(origin, first, first + width));
  return rows.length === width ? bundleOf(rows) : null;
}

/** Each log has its own identifier, so a tile of a replaced log has another path. Caches can keep tiles permanently. */
const isLog = (origin: string | null, log: string): origin is string => origin?.split('/').at(-1) === log;

/** Returns the entries, each preceded by its length in two bytes. */
function bundleOf(rows: readonly PublishedEntryRow[]): Buffer {
  const entries = rows.map(({ event_id, entry_micros, commitment_hex }) =>
    encodeEntry({
      eventId: event_id,
      atMicros: BigInt(entry_micros),
      commitment: Buffer.from(commitment_hex, 'hex'),
    }),
  );
  return Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]));
}

/** @throws TypeError if `by` is null and the log is not public */
function requireLogReader({ config }: Runtime, by: LogReader): void {
  if (by !== null) requireWholeLog(by);
  else if (!config.auditLog.isPublic) throw new TypeError('the audit log is not public');
}

/** Call it after reading the log, because the actor can lose the right to read it before the read. */
async function requireStillEntitled(runtime: Runtime, by: LogReader): Promise<void> {
  if (by === null || (await runtime.db.query(by.stillEntitled)).length > 0) return;
  await refuseUnentitled(runtime, by, { event: 'audit.list' });
}
