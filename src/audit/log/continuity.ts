import type { Database } from '../../core/database.ts';
import { selectTiles, type TileRow } from '../store/verification.ts';
import type { Checkpoint } from './checkpoint.ts';
import { LogChangedError } from './log-changed.ts';
import { proveConsistency, verifyConsistency } from './proof.ts';
import { tileOf } from './stored.ts';
import { MissingTileError, readFrom, tilesOf } from './tiles.ts';
import type { ReadHash } from './tree.ts';

/** The newest checkpoint that this process has seen. The log in the database must continue it. */
export interface Continuity {
  /**
   * Compares the signed checkpoint in the database with the newest one that this process has seen. Then this process has
   * seen it, too. A log with an origin that this process has not seen is accepted, because only someone with the key can
   * sign one.
   *
   * @param signed null: the log has no checkpoint
   * @throws LogChangedError if entries were removed or replaced, as after the restore of a backup
   */
  compare(signed: Checkpoint | null): Promise<void>;
  /** Takes note of a checkpoint that this process has signed. */
  remember(signed: Checkpoint): void;
}

export function createContinuity(db: Database): Continuity {
  let seen: Checkpoint | null = null;
  /** The identifiers of the logs that a newer one has replaced. */
  const replaced = new Set<string>();
  return {
    async compare(signed) {
      const isReplaced = signed !== null && replaced.has(signed.origin);
      if (isReplaced || (seen !== null && seen.size > 0 && !(await continues(db, seen, signed))))
        throw new LogChangedError(
          `the log has ${signed?.size ?? 0} entries, and does not continue the log with ${seen?.size ?? 0} entries that this ` +
            'process has seen; after a restore, run latchkey audit new-log',
        );
      if (signed !== null) note(signed);
    },
    remember: note,
  };

  function note(signed: Checkpoint): void {
    if (seen !== null && seen.origin !== signed.origin) replaced.add(seen.origin);
    seen = signed;
  }
}

async function continues(db: Database, seen: Checkpoint, signed: Checkpoint | null): Promise<boolean> {
  if (signed === null || signed.size < seen.size) return signed !== null && signed.origin !== seen.origin;
  if (signed.origin !== seen.origin) return true;
  return verifyConsistency(seen, signed, await readConsistencyProof(db, seen.size, signed.size));
}

/** Returns the proof that the log begins with its first `oldSize` entries. Also empty if a tile is missing. */
export async function readConsistencyProof(db: Database, oldSize: number, size: number): Promise<Buffer[]> {
  const prove = (readHash: ReadHash) => proveConsistency(oldSize, size, readHash);
  const places = tilesOf(prove);
  const tiles = places.length === 0 ? [] : await db.query<TileRow>(selectTiles(places));
  try {
    return prove(readFrom(tiles.map(tileOf)));
  } catch (error) {
    if (error instanceof MissingTileError) return [];
    throw error;
  }
}
