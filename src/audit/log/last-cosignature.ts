import { readCheckpoint } from './checkpoint.ts';
import { cosignedAt, NoteError, openNote, readVerifierKey } from './note.ts';

/**
 * Returns when the witness cosigned the stored checkpoint, in milliseconds since 1970, and how many entries the checkpoint
 * covers. Null: it has not cosigned this log.
 *
 * The time is in the cosignature, so an attacker with access to the database cannot change it. Without the comparison of
 * the origins, the attacker could store a new cosignature of a former log.
 *
 * @param key the public key of the witness
 */
export function lastCosignature(
  key: string,
  { origin, cosigned_note }: { origin: string | null; cosigned_note: string | null },
): { at: number; size: number } | null {
  if (origin === null || cosigned_note === null) return null;
  try {
    const { text, verified } = openNote(cosigned_note, [readVerifierKey(key)]);
    const [cosignature] = verified;
    const checkpoint = readCheckpoint(text);
    if (!cosignature || checkpoint.origin !== origin) return null;
    return { at: cosignedAt(cosignature) * 1000, size: checkpoint.size };
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
