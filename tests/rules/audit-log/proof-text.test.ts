import { createPublicKey, hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkpointText } from '../../../src/audit/log/checkpoint.ts';
import {
  type CommittedRow,
  commitmentOf,
  encodeEntry,
  fieldKey,
  personalFields,
} from '../../../src/audit/log/entry.ts';
import { noteSigner, noteVerifier, signNote, verifierKey } from '../../../src/audit/log/note.ts';
import { checkAuditProof, proofText, timeOf } from '../../../src/audit/log/proof-text.ts';
import { hashLeaf } from '../../../src/audit/log/tree.ts';
import { signingKeyFrom } from '../../../src/core/signing-keys.ts';
import { randomBytesOf } from '../../support/random.ts';

const randomBytes = randomBytesOf('rules/audit-log/proof-text');
const origin = 'example.com/auth/audit-log/0123abcd';
const { privateKey } = signingKeyFrom(randomBytes(32));
const key = verifierKey(noteVerifier(origin, createPublicKey(privateKey)));
const row: CommittedRow = {
  id: '0199f3b0-7a8c-7def-8123-456789abcdef',
  at_micros: '1763921234567890',
  event: 'session.logout',
  outcome: 'success',
  actor_type: 'anonymous',
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
  details: '{}',
  count: null,
  salt: randomBytes(16),
  kept: null,
};
const entry = { eventId: row.id, atMicros: BigInt(row.at_micros), commitment: commitmentOf(row) };
/** The row of the proof with another value. The salt is enough to make it: the commitment stays the same. */
function markedAsErased(field: (typeof personalFields)[number], value: string): CommittedRow {
  const salt = Buffer.from(row.salt ?? []);
  const sha256 = (...parts: Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer');
  const keys = personalFields.map((name) => {
    const own = fieldKey(name, salt);
    return name === field ? sha256(own, Buffer.of(0)) : own;
  });
  const marks = Buffer.of(1, 1 << personalFields.indexOf(field));
  const kept = Buffer.concat([marks, sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt), ...keys]);
  const [, name] = field.split('.');
  const changed = name === undefined ? { [field]: value } : { details: JSON.stringify({ [name]: value }) };
  return { ...row, ...changed, salt: null, kept };
}

/** A log with one event. */
const text = checkpointText({ origin, size: 1, root: hashLeaf(encodeEntry(entry)) });
const proof = { index: 0, row, entry, hashes: [], note: signNote(text, [noteSigner(origin, privateKey)]) };

describe('a proof', () => {
  test('shows the event, its time in microseconds and the log', () => {
    expect(checkAuditProof(proofText(proof), [key])).toMatchObject({
      event: { id: row.id, event: 'session.logout', at: '2025-11-23T18:07:14.567Z' },
      at: '2025-11-23T18:07:14.567890Z',
      position: 0,
      size: 1,
      origin,
      erased: [],
      witnesses: [],
    });
  });

  test('of a pruned event shows its id and its time', () => {
    const checked = checkAuditProof(proofText({ ...proof, row: null }), [key]);
    expect(checked).toMatchObject({ event: null, eventId: row.id, at: '2025-11-23T18:07:14.567890Z' });
  });

  test('is not valid if a known key signed the checkpoint of another log', () => {
    const name = 'example.com/another-log';
    const other = verifierKey(noteVerifier(name, createPublicKey(privateKey)));
    const note = signNote(text, [noteSigner(name, privateKey)]);
    expect(() => checkAuditProof(proofText({ ...proof, note }), [other])).toThrow(
      `the log ${origin} has not signed the proof with a key that you gave`,
    );
  });

  test.each(personalFields)('is not valid with another value of %s, marked as erased', (field) => {
    const marked = (value: string) => proofText({ ...proof, row: markedAsErased(field, value) });
    expect(() => checkAuditProof(marked('mallory'), [key])).toThrow(
      `the proof marks ${field} as erased, but the value is not a pseudonym`,
    );
    expect(checkAuditProof(marked('erased:0123456789abcdef'), [key]).erased).toEqual([field]);
  });

  test('shows a missing column as null, because both have the same commitment', () => {
    const columns: Partial<CommittedRow> = { ...row };
    for (const name of ['impersonator_type', 'target_type', 'actor_id', 'ip', 'count'] as const)
      delete columns[name];
    const checked = checkAuditProof(proofText({ ...proof, row: columns as CommittedRow }), [key]);
    expect(checked).toEqual(checkAuditProof(proofText(proof), [key]));
    expect(checked.event).toMatchObject({ impersonator: null, target: null, ip: null });
  });

  test.each(['id', 'at_micros', 'event', 'details'] as const)(
    'without the column %s is not valid',
    (name) => {
      const { [name]: _, ...columns } = row;
      expect(() => checkAuditProof(proofText({ ...proof, row: columns as CommittedRow }), [key])).toThrow(
        RangeError,
      );
    },
  );

  test('is rejected without a valid public key', () => {
    expect(() => checkAuditProof(proofText(proof), ['x'])).toThrow(TypeError);
    expect(() => checkAuditProof(proofText(proof), [])).toThrow('no known key has signed the note');
  });

  test('can have a time before 1970', () => {
    expect(timeOf(-1n)).toBe('1969-12-31T23:59:59.999999Z');
    expect(timeOf(2n ** 63n - 1n)).toBe('9223372036854775807 microseconds since 1970');
  });
});
