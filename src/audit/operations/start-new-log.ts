import { randomBytes } from 'node:crypto';
import type { Operator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { checkpointText, logOrigin } from '../log/checkpoint.ts';
import { encodeEntry } from '../log/entry.ts';
import { logKeysOf } from '../log/log-keys.ts';
import { signNote } from '../log/note.ts';
import { entryOf, tileOf } from '../log/stored.ts';
import { appendToTiles, readFrom, type Tile, tileWidth } from '../log/tiles.ts';
import { hashLeaf, rootOf } from '../log/tree.ts';
import {
  type EntryRow,
  type LogRow,
  replaceLog,
  selectEntries,
  selectLeafTiles,
  selectLog,
  selectUpperTiles,
  type TileRow,
} from '../store/verification.ts';
import { recordEvent } from '../store.ts';

const batch = 4 * tileWidth;

/** A log that continues the entries of another one. */
export interface NewAuditLog {
  origin: string;
  /** How many entries it took over. */
  size: number;
  /** The identifier of the log before. Null: it had none. */
  formerOrigin: string | null;
}

/**
 * Signs the entries that the database has now as a new log, with another origin. After the restore of a backup, the
 * sequencer refuses to continue a log that is older than its checkpoint, but it continues the new log. Witnesses of the
 * former log do not cosign the new one until they know its public key.
 *
 * @throws AuthError `invalid_request` if an entry is missing, or if this process does not sign | `unavailable` if other processes keep changing the log
 */
export async function startNewLog(
  runtime: Pick<Runtime, 'config' | 'db'>,
  operator: Operator,
  reason: string,
): Promise<NewAuditLog> {
  return retryVersionConflicts(() => tryToStart(runtime, operator, reason));
}

async function tryToStart(
  { config, db }: Pick<Runtime, 'config' | 'db'>,
  operator: Operator,
  reason: string,
): Promise<NewAuditLog | typeof versionConflict> {
  const origin = logOrigin(config.rpId, randomBytes(4).toString('hex'));
  const signers = logKeysOf(config).signers(origin);
  if (signers.length === 0)
    throw new AuthError('invalid_request', {
      message: 'this process does not sign the audit log; use the configuration of the process that signs',
    });
  const [log] = await db.query<LogRow>(selectLog);
  if (!log) throw new Error('the audit log has no state');
  const size = log.last_position === null ? 0 : Number(log.last_position) + 1;
  const { edge, changed } = await rebuild(size);
  const root = rootOf(size, readFrom(edge));
  const note = signNote(checkpointText({ origin, size, root }), signers);
  const details = { statedReason: reason, origin, formerOrigin: log.origin, formerSize: size };
  const entry = { event: 'audit.new_log', outcome: 'success', details } as const;
  const tiles = changed.map((tile) => ({ ...tile, hashes: tile.hashes.toString('hex') }));
  const replacement = { before: { size: log.size, note: log.note }, size, origin, note, tiles };
  const replaced = await db.query(replaceLog(replacement, recordEvent(operator, entry, from('log'))));
  if (replaced.length === 0) return versionConflict;
  return { origin, size, formerOrigin: log.origin };

  /** Builds the tree of the entries. Returns the tiles that differ from those in the database. */
  async function rebuild(end: number): Promise<{ edge: readonly Tile[]; changed: Tile[] }> {
    const stored = new Map<string, Buffer>();
    const remember = (rows: readonly TileRow[]) => {
      for (const tile of rows.map(tileOf)) stored.set(`${tile.level}/${tile.n}`, tile.hashes);
    };
    remember(await db.query<TileRow>(selectUpperTiles(end)));
    const upper = new Map<string, Tile>();
    const changed: Tile[] = [];
    let edge: readonly Tile[] = [];
    for (let start = 0; start < end; start += batch) {
      const rows = await db.query<EntryRow>(selectEntries(start, Math.min(end, start + batch)));
      const gap = rows.findIndex(({ position }, index) => Number(position) !== start + index);
      if (gap >= 0 || rows.length < Math.min(end, start + batch) - start)
        throw new AuthError('invalid_request', {
          message: `entry ${start + (gap >= 0 ? gap : rows.length)} of the audit log is missing; restore it from a backup first`,
        });
      remember(await db.query<TileRow>(selectLeafTiles(start / tileWidth, (start + batch) / tileWidth - 1)));
      const leaves = rows.map((row) => hashLeaf(encodeEntry(entryOf(row))));
      const appended = appendToTiles(edge, start, leaves);
      for (const tile of appended.tiles) {
        const place = `${tile.level}/${tile.n}`;
        if (tile.level > 0) upper.set(place, tile);
        else if (stored.get(place)?.equals(tile.hashes) !== true) changed.push(tile);
        if (tile.level === 0) stored.delete(place);
      }
      edge = appended.edge;
    }
    for (const [place, tile] of upper)
      if (stored.get(place)?.equals(tile.hashes) !== true) changed.push(tile);
    return { edge, changed };
  }
}
