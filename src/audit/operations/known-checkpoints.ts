import type { Database } from '../../core/database.ts';
import { type Checkpoint, readCheckpoint } from '../log/checkpoint.ts';
import { NoteError, type NoteVerifier, openNote, readNote } from '../log/note.ts';
import type { ProblemList } from '../log/problem.ts';
import { appendToTiles, type Tile } from '../log/tiles.ts';
import { selectCheckpoints } from '../store/verification.ts';

/** Checkpoints of the past that the log must contain. */
export interface KnownCheckpoints {
  /** How many checkpoints came from outside of the database. */
  readonly witnessed: number;
  /**
   * Compares the checkpoints of the sizes from `first` up to `first + leaves.length` with the log.
   *
   * @param edge the right edge of the tree with `first` entries
   */
  checkWithin(first: number, edge: readonly Tile[], leaves: readonly Buffer[]): void;
}

/** A signed checkpoint that was copied into the database, or kept outside of it. */
interface Found {
  origin: string;
  size: number;
  root: Buffer;
  kind: 'checkpoint' | 'witness';
}

type Known = Omit<Found, 'origin'>;

/** Returns the known keys of the log with this identifier. */
type VerifiersOf = (origin: string) => readonly NoteVerifier[];

interface FoundCheckpoints {
  found: readonly Found[];
  /** How many checkpoints from outside of the database no known key has signed. Null: none were given. */
  unsigned: number | null;
}

/**
 * Reads the hourly copies of checkpoints, and the checkpoints that were kept outside of the database. Call it before
 * reading the log, so that no checkpoint is newer than the log.
 */
export async function findCheckpoints(
  db: Database,
  witnessed: Iterable<string> | AsyncIterable<string> | undefined,
  verifiersOf: VerifiersOf,
): Promise<FoundCheckpoints> {
  const found: Found[] = [];
  for await (const note of copiesOf(db)) {
    const checkpoint = opened(note, verifiersOf);
    // After a rotation, earlier copies can have signatures that no known key verifies.
    if (checkpoint) found.push({ ...checkpoint, kind: 'checkpoint' });
  }
  if (witnessed === undefined) return { found, unsigned: null };
  let unsigned = 0;
  let earlier = '';
  for await (const note of witnessed) {
    if (note === earlier) continue;
    earlier = note;
    const checkpoint = opened(note, verifiersOf);
    if (checkpoint) found.push({ ...checkpoint, kind: 'witness' });
    else unsigned += 1;
  }
  return { found, unsigned };
}

/**
 * Compares the checkpoints with the origin and the size of the log. Returns those that the entries must match.
 *
 * @param former the sizes of the logs that this log has replaced, by their origins
 */
export function compareWithLog(
  { found, unsigned }: FoundCheckpoints,
  { size, origin, former }: { size: number; origin: string | null; former: ReadonlyMap<string, number> },
  problems: ProblemList,
): KnownCheckpoints {
  const known: Known[] = [];
  for (const checkpoint of found) add(checkpoint);
  const witnessed = found.filter(({ kind }) => kind === 'witness').length;
  if (unsigned !== null && witnessed === 0)
    problems.add({
      kind: 'witness',
      message: `None of the ${unsigned} given checkpoints is signed with a known key.`,
    });
  known.sort((one, other) => one.size - other.size);
  let next = 0;

  return {
    witnessed,
    checkWithin(first, edge, leaves) {
      while ((known[next]?.size ?? Number.POSITIVE_INFINITY) < first) next += 1;
      for (let at = known[next]; at && at.size <= first + leaves.length; at = known[next]) {
        const { root } = appendToTiles(edge, first, leaves.slice(0, at.size - first));
        if (!root.equals(at.root)) problems.add({ kind: at.kind, position: at.size, message: differs(at) });
        next += 1;
      }
    },
  };

  function add({ kind, ...checkpoint }: Found): void {
    const replacedAt = former.get(checkpoint.origin);
    if (checkpoint.origin !== origin && replacedAt === undefined) {
      problems.add({
        kind,
        message: `A checkpoint belongs to the log ${checkpoint.origin}. No audit.new_log event explains why the log is now ${origin ?? 'empty'}.`,
      });
      return;
    }
    // After a restore, `audit.new_log` says how many entries were left.
    if (checkpoint.origin !== origin && checkpoint.size > Number(replacedAt)) return;
    if (checkpoint.size > size)
      problems.add({
        kind,
        position: size,
        message: `The log has ${size} entries, but had ${checkpoint.size} before. Entries were removed, or an older copy of the database was restored.`,
      });
    else if (checkpoint.size > 0) known.push({ size: checkpoint.size, root: checkpoint.root, kind });
  }
}

const differs = ({ size, kind }: Known) =>
  `The first ${size} entries do not match the checkpoint that was ${kind === 'witness' ? 'kept outside of the database' : 'copied into the database'}.`;

/** Returns null if no known key has signed. */
function opened(note: string, verifiersOf: VerifiersOf): Checkpoint | null {
  try {
    const { origin } = readCheckpoint(readNote(note).text);
    return readCheckpoint(openNote(note, verifiersOf(origin)).text);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

async function* copiesOf(db: Database): AsyncGenerator<string> {
  const limit = 1000;
  for (let after = '-1'; ; ) {
    const rows = await db.query<{ size: string; note: string }>(selectCheckpoints(after, limit));
    yield* rows.map(({ note }) => note);
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = last.size;
  }
}
