import { randomBytes } from 'node:crypto';
import type { Database } from '../../core/database.ts';
import { appendToLog, type EdgeRow, selectEdge } from '../store/append.ts';
import type { LogStateRow, WaitingRow } from '../store/sequence.ts';
import { type Checkpoint, checkpointText, logOrigin, readCheckpoint } from './checkpoint.ts';
import { committedRow } from './committed-row.ts';
import type { Continuity } from './continuity.ts';
import { type CommittedRow, commitmentOf, encodeEntry } from './entry.ts';
import { LogChangedError } from './log-changed.ts';
import type { LogKeys } from './log-keys.ts';
import { openNote, signNote } from './note.ts';
import { appendToTiles, readFrom, type Tile } from './tiles.ts';
import { hashLeaf, rootOf } from './tree.ts';

/** What the sequencer needs to append to the log. */
export interface LogWriter {
  db: Database;
  keys: LogKeys;
  /** The host in the origin of a new log. */
  host: string;
  /** Compares the log with what this process has seen before. Default: compares nothing. */
  continuity?: Continuity | undefined;
}

/**
 * Gives events the next positions, in the given order. The statement has no effect if another process has changed the
 * log since `state` was read.
 *
 * Before it signs, it checks that the tree in the database is the tree of the signed checkpoint. So a process never signs
 * a tree whose entries or tiles were replaced.
 *
 * @param seen the new value of `seen` in the state
 * @returns false if another process has changed the log
 * @throws LogChangedError if the tree differs from the signed checkpoint
 */
export async function append(
  { db, keys, host, continuity }: LogWriter,
  state: Pick<LogStateRow, 'size' | 'note' | 'origin'>,
  events: readonly WaitingRow[],
  seen: string | null,
): Promise<boolean> {
  const origin = state.origin ?? logOrigin(host, randomBytes(4).toString('hex'));
  const before = { size: state.size, note: state.note };
  const size = Number(state.size);
  if (events.length === 0) {
    const unchanged = { before, size, origin, note: state.note, seen, entries: [], tiles: [] };
    return (await db.query(appendToLog(unchanged))).length > 0;
  }
  const rows = await db.query<EdgeRow>(selectEdge);
  if (rows[0]?.size !== state.size || rows[0]?.note !== state.note) return false;
  const edge = rows.filter(({ level }) => level !== null).map(tileOf);
  const signed = checkSigned(state, origin, edge, keys);
  await continuity?.compare(signed);

  const commitments = events.map((event) => commitmentOrZeros(committedRow(event)));
  const leaves = events.map(({ id, at_micros }, index) =>
    hashLeaf(
      encodeEntry({
        eventId: id,
        atMicros: BigInt(at_micros),
        commitment: commitments[index] ?? Buffer.alloc(0),
      }),
    ),
  );
  const { tiles, root } = appendToTiles(edge, size, leaves);
  const text = checkpointText({ origin, size: size + events.length, root });
  const appended = await db.query(
    appendToLog({
      before,
      size: size + events.length,
      origin,
      note: signNote(text, keys.signers(origin)),
      seen,
      entries: events.map(({ id, at_text }, index) => ({
        position: size + index,
        event_id: id,
        at: at_text,
        commitment: commitments[index]?.toString('hex') ?? '',
      })),
      tiles: tiles.map(({ level, n, hashes }) => ({ level, n, hashes: hashes.toString('hex') })),
    }),
  );
  if (appended.length === 0) return false;
  continuity?.remember({ origin, size: size + events.length, root });
  return true;
}

/**
 * Returns the signed checkpoint. Null: the log is empty.
 *
 * @throws LogChangedError
 */
function checkSigned(
  { size, note }: Pick<LogStateRow, 'size' | 'note'>,
  origin: string,
  edge: readonly Tile[],
  keys: LogKeys,
): Checkpoint | null {
  if (note === null) {
    if (size === '0') return null;
    throw new LogChangedError(`the log has ${size} entries, but no checkpoint`);
  }
  const signed = openedCheckpoint(note, origin, keys);
  if (signed.origin !== origin || `${signed.size}` !== size)
    throw new LogChangedError(
      `the checkpoint belongs to ${signed.origin} with ${signed.size} entries, but the log is ${origin} with ${size} entries`,
    );
  if (!rootOf(signed.size, readFrom(edge)).equals(signed.root))
    throw new LogChangedError(`the tree with ${size} entries differs from the checkpoint`);
  return signed;
}

function openedCheckpoint(note: string, origin: string, keys: LogKeys) {
  try {
    return readCheckpoint(openNote(note, keys.verifiers(origin)).text);
  } catch (cause) {
    throw new LogChangedError('the checkpoint of the log is not signed with a key of this service', {
      cause,
    });
  }
}

/**
 * Returns zeros for a row that no version of the package can have written, such as one with an invalid `kept`. A
 * verification names this event. If the sequencer stopped there, one inserted row would keep all later events out of the
 * log.
 */
function commitmentOrZeros(row: CommittedRow): Buffer {
  try {
    return commitmentOf(row);
  } catch (error) {
    if (error instanceof RangeError) return Buffer.alloc(32);
    throw error;
  }
}

const tileOf = ({ level, n, hashes_hex }: EdgeRow): Tile => ({
  level: level ?? 0,
  n: Number(n),
  hashes: Buffer.from(hashes_hex, 'hex'),
});
