import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { fromBase64, NoteError, readNote } from './note.ts';
import { verifyConsistency } from './proof.ts';
import { rootOf } from './tree.ts';

/** A request for a cosignature (C2SP tlog-witness, add-checkpoint). Nothing in it can be trusted. */
export interface WitnessRequest {
  /** The size of the checkpoint that the witness has cosigned before, as the caller says. */
  oldSize: number;
  /** The hashes of the proof that the log begins with its first `oldSize` entries. */
  proof: readonly Buffer[];
  /** The checkpoint with its signatures. */
  note: string;
  checkpoint: Checkpoint;
}

const mostHashes = 63;
const hashBytes = 32;

/** @throws NoteError if the body is malformed */
export function readWitnessRequest(body: string): WitnessRequest {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(0, end)).split('\n');
  const [, size] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  const proof = lines.map((line) => fromBase64(line));
  if (size === undefined || proof.length > mostHashes || !proof.every((hash) => hash?.length === hashBytes))
    throw new NoteError('expected the line "old <size>", at most 63 hashes, an empty line, and a checkpoint');
  const note = body.slice(end + 2);
  const checkpoint = readCheckpoint(readNote(note).text);
  const oldSize = Number(size);
  if (oldSize > checkpoint.size) throw new NoteError('the old size is greater than that of the checkpoint');
  return { oldSize, proof: proof as Buffer[], note, checkpoint };
}

/**
 * What a witness can do with a valid checkpoint. `outdated`: the caller does not know the newest cosigned checkpoint.
 * `inconsistent`: there is no proof that the log continues it.
 */
export type Judgment = 'consistent' | 'outdated' | 'inconsistent';

/** @param witnessed the newest checkpoint that the witness has cosigned */
export function judge(
  witnessed: Pick<Checkpoint, 'size' | 'root'>,
  { oldSize, checkpoint, proof }: Pick<WitnessRequest, 'oldSize' | 'checkpoint' | 'proof'>,
): Judgment {
  if (oldSize !== witnessed.size) return 'outdated';
  if (checkpoint.size === 0 && !checkpoint.root.equals(emptyRoot)) return 'inconsistent';
  return verifyConsistency(witnessed, checkpoint, proof) ? 'consistent' : 'inconsistent';
}

/** Whether the log has signed two different trees of the same size. Both signatures together prove it. */
export const contradicts = (
  witnessed: Pick<Checkpoint, 'size' | 'root'>,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): boolean => size === witnessed.size && !root.equals(witnessed.root);

export const emptyRoot = rootOf(0, () => {
  throw new RangeError('the empty tree has no hash');
});
