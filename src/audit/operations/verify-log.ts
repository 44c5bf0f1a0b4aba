import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { checkEvent } from '../log/check-event.ts';
import { checkLeafTile } from '../log/check-tile.ts';
import { type Checkpoint, readCheckpoint } from '../log/checkpoint.ts';
import { encodeEntry, erasedFields } from '../log/entry.ts';
import { fieldIn, isPseudonymForm } from '../log/erased-field.ts';
import { logKeysOf } from '../log/log-keys.ts';
import { NoteError, type NoteVerifier, openNote, readVerifierKey } from '../log/note.ts';
import { type AuditVerification, ProblemList } from '../log/problem.ts';
import { timeOf } from '../log/proof-text.ts';
import { entryOf, rowOf, tileOf } from '../log/stored.ts';
import { appendToTiles, edgeOf, hashesIn, readFrom, type Tile, tileWidth, widthOf } from '../log/tiles.ts';
import { hashLeaf, rootOf } from '../log/tree.ts';
import { trustTiles } from '../log/trusted-tiles.ts';
import {
  countWaiting,
  type EntryRow,
  type LogRow,
  selectEntries,
  selectLeafTiles,
  selectLog,
  selectUpperTiles,
  selectWithoutEntry,
  type TileRow,
} from '../store/verification.ts';
import { compareWithLog, findCheckpoints } from './known-checkpoints.ts';
import { readErasures, readFormerLogs, readPrunings } from './log-changes.ts';

/** What `audit.verify` checks. */
export interface AuditVerifyOptions {
  /** The public key of the log, as `latchkey audit checkpoint` prints it. Default: the keys of the service. */
  key?: string | undefined;
  /** Checkpoints that were kept outside of the database, such as the notes in the file `auditCheckpointFile`. */
  witnessed?: Iterable<string> | AsyncIterable<string> | undefined;
  /**
   * How many days the audit log keeps an event. A missing event is a problem if it was pruned earlier. Default: a missing
   * event is no problem if a recorded pruning covers it.
   */
  retentionDays?: number | undefined;
  /** Checks only about this many of the newest entries. Default: all entries. */
  newest?: number | undefined;
  /** Called after each batch of entries. */
  onProgress?: ((checked: number, total: number) => void) | undefined;
}

/** How many entries one statement reads. */
const batch = 4 * tileWidth;
/** How many events without an entry are reported. */
const mostInserted = 100;

/** Compares the audit log with its signed checkpoint. Reads the entries in batches, so a long log needs little memory. */
export async function verifyLog(
  { config, db }: Pick<Runtime, 'config' | 'db'>,
  _by: Entitled<'audit:read'>,
  { key, witnessed, retentionDays, newest, onProgress }: AuditVerifyOptions = {},
): Promise<AuditVerification> {
  const problems = new ProblemList();
  const given = key === undefined ? null : [readVerifierKey(key)];
  const keys = logKeysOf(config);
  const verifiersOf = (origin: string) => given ?? keys.verifiers(origin);
  // Before the log, because another process can sign a new checkpoint at any time.
  const checkpoints = await findCheckpoints(db, witnessed, verifiersOf);
  const [log] = await db.query<LogRow>(selectLog);
  if (!log) throw new Error('the audit log has no state');
  const signed = signedCheckpoint(log, verifiersOf, problems);
  // Without a valid checkpoint, nothing confirms the size or the entries.
  const size = signed?.size ?? 0;
  const tiles = (await db.query<TileRow>(selectUpperTiles(size))).map(tileOf);
  const trusted = trustTiles(signed ?? { size, root: rootOf(0, readFrom([])) }, tiles, problems);
  const known = compareWithLog(
    checkpoints,
    {
      size: signed === null ? Number.POSITIVE_INFINITY : size,
      origin: log.origin,
      former: await readFormerLogs(db),
    },
    problems,
  );
  const from = newest === undefined ? 0 : Math.floor(Math.max(0, size - newest) / tileWidth) * tileWidth;
  const counts = { events: 0, pruned: 0, erased: 0 };
  let prunedBefore = await readPrunings(db, retentionDays);
  let edge = edgeAt(from, tiles);
  let isConfirmed = true;

  for (let start = from; start < size; start += batch) {
    const end = Math.min(size, start + batch);
    const found = await db.query<EntryRow>(selectEntries(start, end));
    const rows = new Map(found.map((row) => [Number(row.position), row]));
    const stored = await db.query<TileRow>(
      selectLeafTiles(start / tileWidth, Math.floor((end - 1) / tileWidth)),
    );
    for (let first = start; first < end; first += tileWidth)
      checkTile(first, Math.min(end, first + tileWidth), rows, stored.map(tileOf));
    await checkEvents(found);
    onProgress?.(end - from, size - from);
  }
  if (from === 0) checkRoot();
  if (newest === undefined) await checkWithoutEntry();
  const [rest] = await db.query<{ waiting: string }>(countWaiting);
  return {
    ok: problems.count === 0,
    origin: log.origin,
    size,
    from,
    ...counts,
    waiting: Number(rest?.waiting ?? 0),
    witnessed: known.witnessed,
    problemCount: problems.count,
    problems: [...problems.first].sort((one, other) => (one.position ?? -1) - (other.position ?? -1)),
  };

  function checkTile(
    first: number,
    end: number,
    rows: ReadonlyMap<number, EntryRow>,
    stored: readonly Tile[],
  ) {
    const positions = Array.from({ length: end - first }, (_, index) => first + index);
    const entries = positions.map((position) => leafOf(rows.get(position)));
    const tile = stored.find(({ n }) => n === first / tileWidth);
    const eventIdOf = (position: number) => rows.get(position)?.event_id;
    isConfirmed =
      checkLeafTile({ first, entries, stored: tile, eventIdOf }, trusted, problems) && isConfirmed;
    if (edge === null) return;
    const hashes = tile === undefined ? [] : hashesIn(tile);
    const leaves = entries.map((entry, index) => entry ?? hashes[index] ?? Buffer.alloc(32));
    known.checkWithin(first, edge, leaves);
    edge = appendToTiles(edge, first, leaves).edge;
  }

  async function checkEvents(found: readonly EntryRow[]): Promise<void> {
    const events = found.map((entry) => ({
      entry: entryOf(entry),
      row: rowOf(entry),
      position: Number(entry.position),
    }));
    const pseudonyms = events.flatMap(({ row }) =>
      row === null ? [] : erasedFields(row.kept).map((field) => `${fieldIn(field, row)}`),
    );
    const isPseudonym = await readErasures(
      db,
      pseudonyms.filter((text) => isPseudonymForm(text)),
    );
    const isUnexplained = events.some(
      ({ entry, row }) => row === null && !(prunedBefore !== null && entry.atMicros < prunedBefore),
    );
    // The events can have been pruned since the verification started.
    if (isUnexplained) prunedBefore = await readPrunings(db, retentionDays);
    for (const { entry, row, position } of events) {
      const result = checkEvent(entry, row, { prunedBefore, isPseudonym });
      if (result.kind === 'pruned') counts.pruned += 1;
      else counts.events += 1;
      if (result.kind === 'fine' && row?.kept != null) counts.erased += 1;
      if (result.kind === 'broken')
        problems.add({ kind: 'event', position, eventId: entry.eventId, message: result.message });
    }
  }

  /** An event of the past without an entry was inserted by SQL, in a way that the sequencer does not notice. */
  async function checkWithoutEntry(): Promise<void> {
    const found = await db.query<{ id: string; at_micros: string }>(selectWithoutEntry(mostInserted));
    for (const { id, at_micros } of found)
      problems.add({
        kind: 'event',
        eventId: id,
        message: `Event ${id} of ${timeOf(BigInt(at_micros))} has no entry, but newer events have one. It was inserted later, or its entry was deleted.`,
      });
  }

  /** If the tiles do not have the signed root, tells whether the entries have it. */
  function checkRoot(): void {
    if (
      signed === null ||
      (trusted.isRootRight && isConfirmed) ||
      (problems.count > 0 && trusted.isRootRight)
    )
      return;
    const isRight = edge !== null && rootOf(size, readFrom(edge)).equals(signed.root);
    problems.add(
      isRight
        ? {
            kind: 'tile',
            message: 'The tiles at the right edge of the tree were changed. The entries are unchanged.',
          }
        : {
            kind: 'checkpoint',
            message: `Neither the tiles nor the entries match the checkpoint that was signed for ${size} entries.`,
          },
    );
  }
}

function signedCheckpoint(
  { size, origin, note, last_position }: LogRow,
  verifiersOf: (origin: string) => readonly NoteVerifier[],
  problems: ProblemList,
): Checkpoint | null {
  const add = (message: string) => {
    problems.add({ kind: 'checkpoint', message });
    return null;
  };
  if (note === null || origin === null)
    return size === '0' && last_position === null ? null : add('The log has entries, but no checkpoint.');
  try {
    const checkpoint = readCheckpoint(openNote(note, verifiersOf(origin)).text);
    if (checkpoint.origin !== origin)
      return add(`The checkpoint belongs to the log ${checkpoint.origin}, not to ${origin}.`);
    if (`${checkpoint.size}` !== size || Number(last_position) !== checkpoint.size - 1)
      add(
        `The checkpoint covers ${checkpoint.size} entries. The log says that it has ${size}, and the last one has the position ${last_position}.`,
      );
    return checkpoint;
  } catch (error) {
    if (error instanceof NoteError) return add(`The checkpoint is not valid: ${error.message}.`);
    throw error;
  }
}

/** Returns the right edge of the tree with the first `size` entries. Null: a tile is missing. `size` is a multiple of 256. */
function edgeAt(size: number, tiles: readonly Tile[]): readonly Tile[] | null {
  const edge = edgeOf(size).map((place) => {
    const tile = tiles.find(({ level, n }) => level === place.level && n === place.n);
    const bytes = widthOf(place, size) * 32;
    return tile && tile.hashes.length >= bytes ? { ...tile, hashes: tile.hashes.subarray(0, bytes) } : null;
  });
  return edge.every((tile) => tile !== null) ? edge : null;
}

const leafOf = (row: EntryRow | undefined) => (row ? hashLeaf(encodeEntry(entryOf(row))) : undefined);
