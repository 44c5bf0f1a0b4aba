import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import {
  type CommittedRow,
  commitmentOf,
  decodeEntry,
  encodeEntry,
  erasedFields,
  fieldKey,
  type PersonalField,
  personalFields,
} from '../../../src/audit/log/entry.ts';
import { randomBytesOf } from '../../support/random.ts';
import vectors from './vectors/canonical-json.json' with { type: 'json' };
import published from './vectors/canonical-numbers.json' with { type: 'json' };

const randomBytes = randomBytesOf('rules/audit-log/entry');
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

const row: CommittedRow = {
  id: '0199f3b0-7a8c-7def-8123-456789abcdef',
  at_micros: '1763921234567890',
  event: 'user.rename',
  outcome: 'success',
  actor_type: 'user',
  actor_id: '0199f3b0-0000-7000-8000-000000000001',
  actor_name: 'alice',
  target_type: 'user',
  target_id: '0199f3b0-0000-7000-8000-000000000002',
  target_name: 'bob',
  organization_id: null,
  ip: '192.0.2.7',
  user_agent: 'Firefox',
  request_id: 'r-1',
  impersonator_type: null,
  impersonator_id: null,
  impersonator_name: null,
  details: '{"to": "robert", "number": 3, "isFirst": true}',
  count: null,
  salt: randomBytes(16),
  kept: null,
};

/** What `erase_user` does with a row: keeps digests of the erased fields, and the keys of the others. */
function erase(from: CommittedRow, values: Partial<Record<PersonalField, string | null>>): CommittedRow {
  const salt = from.salt ?? Buffer.alloc(0);
  const parts = personalFields.map((field) => {
    const value = values[field];
    const key = fieldKey(field, salt);
    if (value === undefined) return key;
    return value === null ? sha256(key, Buffer.of(0)) : sha256(key, Buffer.of(1), Buffer.from(value));
  });
  const mask = personalFields.reduce(
    (sum, field, index) => sum + (values[field] === undefined ? 0 : 1 << index),
    0,
  );
  const restKey = sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt);
  return { ...from, salt: null, kept: Buffer.concat([Buffer.of(1, mask), restKey, ...parts]) };
}

describe('an entry', () => {
  const entry = { eventId: row.id, atMicros: -1n, commitment: randomBytes(32) };

  test('has 56 bytes: the event id, the time in microseconds and the commitment', () => {
    const bytes = encodeEntry(entry);
    expect(bytes.toString('hex')).toBe(
      `0199f3b07a8c7def8123456789abcdefffffffffffffffff${entry.commitment.toString('hex')}`,
    );
    expect(decodeEntry(bytes)).toStrictEqual(entry);
  });

  test('of another length is refused', () => {
    expect(() => decodeEntry(Buffer.alloc(55))).toThrow('an entry has 56 bytes, not 55');
  });
});

describe('the commitment to an event', () => {
  const commitment = commitmentOf(row);

  test.each(vectors.cases)('uses canonical JSON as RFC 8785 publishes it ($name)', ({ input, output }) => {
    expect(canonicalize(JSON.parse(input))).toBe(output);
  });

  /** The numbers of RFC 8785, appendix B, except NaN and Infinity, which JSON cannot contain. */
  const publishedNumbers = published.numbers as [ieee754: string, text: string][];
  const doubleOf = (ieee754: string) => Buffer.from(ieee754, 'hex').readDoubleBE();
  const withNumber = (text: string) =>
    commitmentOf({ ...row, details: `{"number":${text}}` }).toString('hex');

  test.each(publishedNumbers)('writes the number %s as RFC 8785 publishes it', (ieee754, text) => {
    expect(canonicalize({ number: doubleOf(ieee754) })).toBe(`{"number":${text}}`);
    // A number in another spelling has another commitment, so the commitment shows which spelling the row has.
    expect(withNumber(text)).not.toBe(withNumber(text.includes('e') ? text.toUpperCase() : `${text}e0`));
  });

  test('differs for all different numbers that RFC 8785 publishes', () => {
    const texts = new Set(publishedNumbers.map(([, text]) => text));
    expect(new Set([...texts].map(withNumber)).size).toBe(texts.size);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'cannot contain %s, which RFC 8785 forbids',
    (number) => {
      expect(() => canonicalize({ number })).toThrow();
    },
  );

  test('is an HMAC over the canonical JSON of all columns, with a digest for each personal field', () => {
    const salt = row.salt ?? Buffer.alloc(0);
    const digest = (field: PersonalField, value: string | null) =>
      sha256(
        fieldKey(field, salt),
        ...(value === null ? [Buffer.of(0)] : [Buffer.of(1), Buffer.from(value)]),
      ).toString('hex');
    const text = `{"actor_id":"${row.actor_id}","actor_type":"user","at":"1763921234567890","details":{"isFirst":true,"number":3},"digests":{"actor_name":"${digest('actor_name', 'alice')}","details.statedReason":"${digest('details.statedReason', null)}","details.to":"${digest('details.to', 'robert')}","impersonator_name":"${digest('impersonator_name', null)}","ip":"${digest('ip', '192.0.2.7')}","target_name":"${digest('target_name', 'bob')}","user_agent":"${digest('user_agent', 'Firefox')}"},"event":"user.rename","id":"${row.id}","outcome":"success","request_id":"r-1","target_id":"${row.target_id}","target_type":"user"}`;
    const key = sha256(Buffer.from('latchkey/audit-rest/v1\n'), salt);
    expect(commitment).toStrictEqual(
      createHmac('sha256', key).update(`latchkey/audit-event/v1\n${text}`).digest(),
    );
  });

  const changes: Partial<CommittedRow>[] = [
    { id: '0199f3b0-7a8c-7def-8123-456789abcdee' },
    { at_micros: '1763921234567891' },
    { event: 'user.disable' },
    { outcome: 'failure' },
    { actor_type: 'operator' },
    { actor_id: null },
    { actor_name: 'mallory' },
    { actor_name: null },
    { target_type: 'passkey' },
    { target_id: null },
    { target_name: 'carol' },
    { organization_id: row.actor_id },
    { ip: '192.0.2.8' },
    { user_agent: '' },
    { user_agent: null },
    { request_id: 'r-2' },
    { impersonator_type: 'operator' },
    { impersonator_id: row.actor_id },
    { impersonator_name: 'root' },
    { details: '{}' },
    { details: '{"to": "roberta", "number": 3, "isFirst": true}' },
    { details: '{"to": null, "number": 3, "isFirst": true}' },
    { details: '{"number": 3, "isFirst": true}' },
    { details: '{"to": "robert", "number": "3", "isFirst": true}' },
    { details: '{"to": "robert", "number": 3.0, "isFirst": true}' },
    { count: 1 },
    { salt: randomBytes(16) },
  ];
  test.each(changes)('changes with every column (%j)', (change) => {
    expect(commitmentOf({ ...row, ...change })).not.toStrictEqual(commitment);
  });

  test('does not depend on the order and the spacing of the details', () => {
    expect(commitmentOf({ ...row, details: '{"isFirst":true,"to":"robert","number":3}' })).toStrictEqual(
      commitment,
    );
  });

  test('differs for different numbers that are the same double', () => {
    const texts = ['9007199254740992', '9007199254740993', '9007199254740993.0', '1e400', '2e400', '-1e400'];
    const all = texts.map((number) =>
      commitmentOf({ ...row, details: `{"number": ${number}}` }).toString('hex'),
    );
    expect(new Set(all).size).toBe(texts.length);
  });

  test.each(['null', '"to"', '[]', '[{"to": "x"}]', '{"__proto__": 1}', '{"digests": 1}'])(
    'also exists for unexpected details (%s)',
    (details) => {
      expect(commitmentOf({ ...row, details })).toHaveLength(32);
    },
  );

  test('stays the same after an erasure, without the erased values and without the salt', () => {
    const erased = erase(row, { actor_name: 'alice', ip: '192.0.2.7', 'details.to': 'robert' });
    const pseudonym = 'erased:0123456789abcdef';
    const stored = {
      ...erased,
      actor_name: pseudonym,
      ip: pseudonym,
      details: `{"to": "${pseudonym}", "number": 3, "isFirst": true}`,
    };
    expect(commitmentOf(stored)).toStrictEqual(commitment);
    expect(erasedFields(stored.kept)).toStrictEqual(['actor_name', 'ip', 'details.to']);
    expect(commitmentOf({ ...stored, target_name: 'carol' })).not.toStrictEqual(commitment);
    expect(commitmentOf({ ...stored, event: 'user.disable' })).not.toStrictEqual(commitment);
    expect(commitmentOf({ ...stored, details: '{"to": "x", "number": 4}' })).not.toStrictEqual(commitment);
  });

  test('does not reveal an erased value to a reader who can guess it', () => {
    const { kept } = erase(row, { ip: '192.0.2.7' });
    const stored = kept?.subarray(2 + 32 * 4, 2 + 32 * 5) ?? Buffer.alloc(0);
    const others = personalFields
      .filter((field) => field !== 'ip')
      .map((field) => fieldKey(field, row.salt ?? Buffer.alloc(0)));
    for (const key of [...others, Buffer.alloc(32)])
      expect(sha256(key, Buffer.of(1), Buffer.from('192.0.2.7'))).not.toStrictEqual(stored);
  });

  test.each([
    { salt: null, kept: null },
    { salt: randomBytes(16), kept: randomBytes(258) },
    { salt: null, kept: Buffer.concat([Buffer.of(2), randomBytes(257)]) },
    { salt: null, kept: Buffer.concat([Buffer.of(1), randomBytes(256)]) },
  ])('needs a salt or what an erasure kept of it', (change) => {
    expect(() => commitmentOf({ ...row, ...change })).toThrow(RangeError);
  });
});
