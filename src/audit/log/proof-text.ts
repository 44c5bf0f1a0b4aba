import { type AuditEvent, eventFromRow } from '../event.ts';
import type { AuditEventRow } from '../store/events.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import {
  type CommittedRow,
  commitmentOf,
  decodeEntry,
  encodeEntry,
  erasedFields,
  type LogEntry,
} from './entry.ts';
import { fieldIn, isPseudonymForm } from './erased-field.ts';
import { cosignedAt, fromBase64, NoteError, openNote, readVerifierKey, signatureTypes } from './note.ts';
import { verifyInclusion } from './proof.ts';
import { hashLeaf } from './tree.ts';

const header = 'c2sp.org/tlog-proof@v1';

/** The JSON in the line `extra` of a proof: the event, or only its entry if the event was pruned. */
type Extra =
  | { event: Record<string, unknown> }
  | { entry: { id: string; at_micros: string; commitment: string } };

/** A proof that an event is in the audit log (C2SP tlog-proof). */
export interface LogProof {
  index: number;
  /** Null: the event was pruned, and only its entry is left. */
  row: CommittedRow | null;
  entry: LogEntry;
  hashes: readonly Buffer[];
  /** The signed checkpoint. */
  note: string;
}

/** Returns the text of a proof. */
export function proofText({ index, row, entry, hashes, note }: LogProof): string {
  const extra: Extra = row
    ? { event: { ...row, salt: hexOf(row.salt), kept: hexOf(row.kept) } }
    : {
        entry: {
          id: entry.eventId,
          at_micros: `${entry.atMicros}`,
          commitment: Buffer.from(entry.commitment).toString('hex'),
        },
      };
  const lines = [
    header,
    `extra ${Buffer.from(JSON.stringify(extra)).toString('base64')}`,
    `index ${index}`,
    ...hashes.map((hash) => hash.toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${note}`;
}

/** What a valid proof shows. */
export interface CheckedAuditProof {
  /** The event. Null: it was pruned, and only its id and its time are proven. */
  event: AuditEvent | null;
  eventId: string;
  /** RFC 3339. */
  at: string;
  /** The fields that the erasure of a user has replaced. The proof does not show their former values, and does not prove the pseudonyms. */
  erased: readonly string[];
  /** The number of the event in the log, from 0. */
  position: number;
  /** The identifier of the log. */
  origin: string;
  /** How many events the log had when it signed. */
  size: number;
  /** The witnesses whose keys were given and who cosigned, with the times of their cosignatures (RFC 3339). */
  witnesses: readonly { name: string; at: string }[];
}

/**
 * Checks a proof of `latchkey audit proof`. Needs only the public key of the log, and neither a database nor a secret.
 *
 * @param proof the content of the file
 * @param keys the public key of the log (`latchkey audit checkpoint` prints it), and public keys of witnesses
 * @throws RangeError that says what is wrong with the proof
 * @throws TypeError if a key is not a public key
 * @example
 * const { event } = checkAuditProof(await readFile('login.tlog-proof', 'utf8'), [publicKey]);
 */
export function checkAuditProof(proof: string, keys: readonly string[]): CheckedAuditProof {
  const verifiers = keys.map(verifierOf);
  const { index, extra, hashes, note } = parts(proof);
  const { row, entry } = contentOf(extra);
  const { checkpoint, verified } = opened(note, verifiers);
  if (
    !verified.some(
      (signature) => signature.name === checkpoint.origin && typeOf(signature) === signatureTypes.ed25519,
    )
  )
    throw new RangeError(`the log ${checkpoint.origin} has not signed the proof with a key that you gave`);
  if (!verifyInclusion({ index, hash: hashLeaf(encodeEntry(entry)) }, checkpoint, hashes))
    throw new RangeError('the event is not the one that the log has signed');
  const erased = erasedFields(row?.kept ?? null);
  // The commitment does not cover the value of an erased field. Anyone with the salt can mark a field as erased.
  const forged = erased.find((field) => row === null || !isPseudonymForm(fieldIn(field, row)));
  if (forged !== undefined)
    throw new RangeError(`the proof marks ${forged} as erased, but the value is not a pseudonym`);
  const witnesses = verified.filter((signature) => typeOf(signature) === signatureTypes.cosignature);
  return {
    event: row && eventOf(row),
    eventId: entry.eventId,
    at: timeOf(entry.atMicros),
    erased,
    position: index,
    origin: checkpoint.origin,
    size: checkpoint.size,
    witnesses: witnesses.map((signature) => ({
      name: signature.name,
      at: new Date(cosignedAt(signature) * 1000).toISOString(),
    })),
  };

  function typeOf(signature: { name: string; keyId: Buffer }) {
    return verifiers.find(({ name, keyId }) => name === signature.name && keyId.equals(signature.keyId))
      ?.type;
  }
}

function verifierOf(key: string) {
  try {
    return readVerifierKey(key);
  } catch (error) {
    throw new TypeError(error instanceof Error ? error.message : `${error}`);
  }
}

function opened(note: string, verifiers: readonly ReturnType<typeof readVerifierKey>[]) {
  try {
    const { text, verified } = openNote(note, verifiers);
    return { checkpoint: readCheckpoint(text) satisfies Checkpoint, verified };
  } catch (error) {
    if (error instanceof NoteError) throw new RangeError(`checkpoint in the proof: ${error.message}`);
    throw error;
  }
}

function parts(proof: string) {
  const end = proof.indexOf('\n\n');
  const [first, extraLine = '', indexLine = '', ...encoded] = proof.slice(0, Math.max(0, end)).split('\n');
  const extra = fromBase64(/^extra (.+)$/.exec(extraLine)?.[1] ?? '');
  const index = Number(/^index (0|[1-9][0-9]{0,15})$/.exec(indexLine)?.[1] ?? Number.NaN);
  const hashes = encoded.flatMap((text) => fromBase64(text) ?? []);
  const isWellFormed =
    first === header &&
    extra !== undefined &&
    Number.isSafeInteger(index) &&
    hashes.length === encoded.length &&
    hashes.every((hash) => hash.length === 32);
  if (!isWellFormed)
    throw new RangeError(
      `the file is not a proof of \`latchkey audit proof\`; expected ${header} in its first line`,
    );
  return { extra, index, hashes, note: proof.slice(end + 2) };
}

/** The commitment is the same for a missing column and for null. So a missing column must also be shown as null. */
const absent = {
  actor_id: null,
  actor_name: null,
  target_type: null,
  target_id: null,
  target_name: null,
  organization_id: null,
  ip: null,
  user_agent: null,
  request_id: null,
  impersonator_type: null,
  impersonator_id: null,
  impersonator_name: null,
  count: null,
} as const satisfies Partial<CommittedRow>;

function contentOf(bytes: Buffer): { row: CommittedRow | null; entry: LogEntry } {
  try {
    const extra: Extra = JSON.parse(bytes.toString());
    if ('entry' in extra) {
      const { id, at_micros, commitment } = extra.entry;
      const entry = { eventId: id, atMicros: BigInt(at_micros), commitment: Buffer.from(commitment, 'hex') };
      return { row: null, entry: decodeEntry(encodeEntry(entry)) };
    }
    const { salt, kept, ...columns } = extra.event;
    const row = { ...absent, ...columns, salt: bytesOf(salt), kept: bytesOf(kept) } as CommittedRow;
    const entry = { eventId: row.id, atMicros: BigInt(row.at_micros), commitment: commitmentOf(row) };
    return { row, entry: decodeEntry(encodeEntry(entry)) };
  } catch (cause) {
    throw new RangeError('the proof contains no event', { cause });
  }
}

const hexOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'));
const bytesOf = (hex: unknown) => (hex === null ? null : Buffer.from(`${hex}`, 'hex'));

/** Returns the time in RFC 3339 with microseconds. */
export function timeOf(micros: bigint): string {
  const milliseconds = micros >= 0n ? micros / 1000n : (micros - 999n) / 1000n;
  const date = new Date(Number(milliseconds));
  if (Number.isNaN(date.getTime())) return `${micros} microseconds since 1970`;
  const rest = `${micros - milliseconds * 1000n}`.padStart(3, '0');
  return date.toISOString().replace('Z', `${rest}Z`);
}

function eventOf(row: CommittedRow): AuditEvent {
  const columns = row as unknown as AuditEventRow;
  const milliseconds = new Date(Number(BigInt(row.at_micros) / 1000n));
  return eventFromRow({ ...columns, at: milliseconds, details: JSON.parse(row.details) });
}
