import { createPublicKey, hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkpointText } from '../../../src/audit/log/checkpoint.ts';
import {
  type CommittedRow,
  commitmentOf,
  encodeEntry,
  fieldKey,
  personalFields,
} from '../../../src/audit/log/entry.ts';
import { noteSigner, noteVerifier, signNote, verifierKey } from '../../../src/audit/log/note.ts';
import { checkAuditProof, proofText } from '../../../src/audit/log/proof-text.ts';
import { hashLeaf } from '../../../src/audit/log/tree.ts';
import { signingKeyFrom } from '../../../src/core/signing-keys.ts';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';

const origin = 'example.com/auth/audit-log/0123abcd';
const { privateKey } = signingKeyFrom(Buffer.alloc(32, 9));
const key = verifierKey(noteVerifier(origin, createPublicKey(privateKey)));
const salt = Buffer.alloc(16, 3);
const row: CommittedRow = {
  id: '0199f3b0-7a8c-7def-8123-456789abcdef',
  at_micros: '1763921234567890',
  event: 'session.login',
  outcome: 'success',
  actor_type: 'user',
  actor_id: '0199f3b0-7a8c-7def-8123-456789abcd00',
  actor_name: 'ada',
  target_type: 'user',
  target_id: '0199f3b0-7a8c-7def-8123-456789abcd00',
  target_name: 'ada',
  organization_id: null,
  ip: '192.0.2.1',
  user_agent: 'Firefox',
  request_id: 'r-1',
  impersonator_type: null,
  impersonator_id: null,
  impersonator_name: null,
  details: '{"method":"passkey","count":2}',
  count: null,
  salt,
  kept: null,
};

/** The row after the erasure of the IP address, which keeps the digests of the erased field and the other keys. */
function withoutAddress(): CommittedRow {
  const sha256 = (...parts: Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer');
  const keys = personalFields.map((name) =>
    name === 'ip'
      ? sha256(fieldKey(name, salt), Buffer.of(1), Buffer.from(`${row.ip}`))
      : fieldKey(name, salt),
  );
  const marks = Buffer.of(1, 1 << personalFields.indexOf('ip'));
  const kept = Buffer.concat([marks, sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt), ...keys]);
  return { ...row, ip: 'erased:0123456789abcdef', salt: null, kept };
}

const entry = { eventId: row.id, atMicros: BigInt(row.at_micros), commitment: commitmentOf(row) };
const text = checkpointText({ origin, size: 1, root: hashLeaf(encodeEntry(entry)) });
const note = signNote(text, [noteSigner(origin, privateKey)]);
const proofs = [row, null, withoutAddress()].map((one) =>
  proofText({ index: 0, row: one, entry, hashes: [], note }),
);
const [original] = proofs.map((proof) => checkAuditProof(proof, [key]).event);

/** The file with a proof of an event: the log has signed one event, so a valid proof shows no other event. */
export const auditProof: FuzzTarget = {
  name: 'audit-proof',
  maxBytes: 4096,
  dictionary: [
    '\n',
    '\n\n',
    'extra ',
    'index ',
    'c2sp.org/tlog-proof@v1',
    '\u2014 ',
    origin,
    ' ',
    '0',
    '+',
    '=',
  ],
  // The JSON of the events is in base64, so the fuzzer changes it decoded: see `encoded`.
  seeds: () => proofs.map((proof) => Buffer.from(decoded(proof))),
  run: (input) => {
    const proof = encoded(Buffer.from(input).toString());
    let checked: ReturnType<typeof checkAuditProof>;
    try {
      checked = checkAuditProof(proof, [key]);
    } catch (error) {
      if (error instanceof RangeError && error.message !== 'Invalid time value') return;
      throw error;
    }
    assertHolds(
      checked.eventId === row.id && checked.position === 0 && checked.size === 1,
      'proved another event',
    );
    const ip = checked.erased.includes('ip') ? original?.ip : checked.event?.ip;
    const isOriginal = checked.event === null || isDeepStrictEqual({ ...checked.event, ip }, original);
    assertHolds(isOriginal, `proved ${JSON.stringify(checked.event)}`);
  },
};

const extraLine = /^extra (.*)$/ms;

const decoded = (proof: string): string =>
  proof.replace(/^extra ([\w+/=]+)$/m, (_, base64: string) => `extra ${Buffer.from(base64, 'base64')}`);

const encoded = (proof: string): string =>
  proof.replace(extraLine, (line) => {
    const [first = '', ...others] = line.split('\n');
    return [`extra ${Buffer.from(first.slice('extra '.length)).toString('base64')}`, ...others].join('\n');
  });
