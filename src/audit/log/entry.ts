import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * An audit event as the commitment covers it. The columns have their names from the table. Columns with `null` can be
 * left out.
 */
export interface CommittedRow {
  id: string;
  /** Microseconds since 1970, as an integer in a text. */
  at_micros: string;
  event: string;
  outcome: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  organization_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  impersonator_type: string | null;
  impersonator_id: string | null;
  impersonator_name: string | null;
  /** The text of the `jsonb` value. */
  details: string;
  count: number | null;
  /** 16 random bytes. Null: the erasure of a user has replaced the salt by `kept`. */
  salt: Uint8Array | null;
  /** What an erasure leaves of the salt. Null: no erasure has changed the event. */
  kept: Uint8Array | null;
}

/** The fields that an erasure can replace. The order is part of the format of `kept`. */
export const personalFields = [
  'actor_name',
  'target_name',
  'impersonator_name',
  'ip',
  'user_agent',
  'details.to',
  'details.statedReason',
] as const;

export type PersonalField = (typeof personalFields)[number];

/** An entry of the log: what a leaf of the tree contains. */
export interface LogEntry {
  eventId: string;
  atMicros: bigint;
  /** 32 bytes. */
  commitment: Uint8Array;
}

/** The bytes of an entry. */
const entryBytes = 56;

/** Encodes an entry: the event id (16 bytes), the time (8 bytes) and the commitment (32 bytes). */
export function encodeEntry({ eventId, atMicros, commitment }: LogEntry): Buffer {
  const bytes = Buffer.alloc(entryBytes);
  bytes.write(eventId.replaceAll('-', ''), 0, 16, 'hex');
  bytes.writeBigInt64BE(atMicros, 16);
  bytes.set(commitment, 24);
  return bytes;
}

/** @throws `RangeError` if the bytes are not those of an entry */
export function decodeEntry(bytes: Buffer): LogEntry {
  if (bytes.length !== entryBytes)
    throw new RangeError(`an entry has ${entryBytes} bytes, not ${bytes.length}`);
  const id = bytes.toString('hex', 0, 16);
  return {
    eventId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    atMicros: bytes.readBigInt64BE(16),
    commitment: bytes.subarray(24),
  };
}

/**
 * Returns the commitment to an event: an HMAC over all columns. The key comes from the salt of the row. Without the salt,
 * the commitment reveals nothing about the event, so pruning needs to delete only the row.
 *
 * Each personal field has its own key. An erasure deletes the salt and keeps the digests of the erased fields and the keys
 * of the others. The commitment stays the same, and a guess of an erased value cannot be checked with the digest.
 *
 * @throws `RangeError` if the row has neither a salt nor a valid `kept`, or both
 */
export function commitmentOf(row: CommittedRow): Buffer {
  const { restKey, digestOf } = secretsOf(row);
  const { salt: _salt, kept: _kept, id, at_micros, details, count, ...columns } = row;
  const rest: Record<string, unknown> = { ...columns, id, at: at_micros, count };
  // `JSON.parse` reads numbers as doubles, which cannot hold every number. `numbers` keeps the original text.
  const given: unknown = JSON.parse(details, (_, value) =>
    value === Infinity || value === -Infinity ? 0 : value,
  );
  const digests: Record<string, string> = {};
  for (const field of personalFields) {
    digests[field] = Buffer.from(digestOf(field, takeField(field, rest, given))).toString('hex');
  }
  const numbers = unusualNumbers(details);
  const text = canonicalize({ ...withoutNulls(rest), details: given, digests, ...(numbers && { numbers }) });
  return createHmac('sha256', restKey).update(`latchkey/audit-event/v1\n${text}`).digest();
}

/** Removes a personal field from the columns or the details, and returns its value. */
function takeField(field: PersonalField, columns: Record<string, unknown>, details: unknown): string | null {
  const [, key] = field.split('.');
  const holder = key === undefined ? columns : details;
  if (!isRecord(holder)) return null;
  const name = key ?? field;
  const value = Object.hasOwn(holder, name) ? holder[name] : null;
  if (typeof value !== 'string') return null;
  delete holder[name];
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Columns of later versions are null in earlier events, so a null must not change the commitment. */
const withoutNulls = (columns: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null && value !== undefined));

/**
 * Returns the numbers of a JSON text as they are written, if at least one differs from the canonical spelling of its
 * value as a double. Otherwise, two numbers that JavaScript cannot tell apart would have the same commitment.
 */
function unusualNumbers(json: string): string[] | null {
  const numbers = (json.match(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g) ?? []).filter(
    (token) => token[0] !== '"',
  );
  return numbers.some((number) => JSON.stringify(Number(number)) !== number) ? numbers : null;
}

const keptVersion = 1;
const digestBytes = 32;
const keptBytes = 2 + digestBytes * (1 + personalFields.length);

interface RowSecrets {
  restKey: Uint8Array;
  digestOf(field: PersonalField, value: string | null): Uint8Array;
}

function secretsOf({ salt, kept }: CommittedRow): RowSecrets {
  if ((salt === null) === (kept === null))
    throw new RangeError('an event has either a salt or the rest of a salt');
  if (salt !== null)
    return {
      restKey: sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt),
      digestOf: (field, value) => digestWith(fieldKey(field, salt), value),
    };
  if (kept?.length !== keptBytes || kept[0] !== keptVersion)
    throw new RangeError(`what an erasure keeps of a salt has version ${keptVersion} and ${keptBytes} bytes`);
  const part = (index: number) => kept.subarray(2 + index * digestBytes, 2 + (index + 1) * digestBytes);
  const isErased = new Set(erasedFields(kept));
  return {
    restKey: part(0),
    digestOf: (field, value) => {
      const stored = part(1 + personalFields.indexOf(field));
      return isErased.has(field) ? stored : digestWith(stored, value);
    },
  };
}

/** Returns the fields that erasures have replaced. */
export const erasedFields = (kept: Uint8Array | null): PersonalField[] =>
  personalFields.filter((_, index) => (((kept?.[1] ?? 0) >> index) & 1) === 1);

/**
 * Returns the key for the digest of a personal field. `erase_user` calculates the same value in SQL.
 */
export const fieldKey = (field: PersonalField, salt: Uint8Array): Buffer =>
  sha256(Buffer.from(`latchkey/audit-field/v1\n${field}\n`), salt);

const digestWith = (key: Uint8Array, value: string | null) =>
  value === null ? sha256(key, Buffer.of(0)) : sha256(key, Buffer.of(1), Buffer.from(value));

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
