import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer, type SealingPurpose } from '../../src/core/sealing.ts';
import { anyText, forAll } from './support/for-all.ts';

const secrets = [
  'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
  'mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwYkJ9v2Qx7',
] as const;
const sealer = createSealer([secrets[0]]);
const purposes = ['ceremony', 'device', 'password', 'recovery_code'] as const satisfies SealingPurpose[];
const purpose = fc.constantFrom(...purposes);

test('a token opens as the JSON value that was sealed, even after a rotation of the secret', () => {
  forAll([purpose, fc.jsonValue()], (of, value) => {
    const token = sealer.seal(of, value);
    const expected = JSON.parse(JSON.stringify(value));
    expect(sealer.open(of, token)?.value).toEqual(expected);
    expect(createSealer([secrets[1], secrets[0]]).open(of, token)?.value).toEqual(expected);
    expect(createSealer([secrets[1]]).open(of, token)).toBeNull();
    for (const other of purposes) if (other !== of) expect(sealer.open(other, token)).toBeNull();
  });
});

test('a token does not open after any change of its text', () => {
  const edit = fc.record({ at: fc.nat(200), removed: fc.nat(3), inserted: anyText(3) });
  forAll(
    [fc.jsonValue(), edit],
    (value, { at, removed, inserted }) => {
      const token = sealer.seal('device', value);
      const from = at % token.length;
      const changed = token.slice(0, from) + inserted + token.slice(from + removed);
      expect(sealer.open('device', changed) === null).toBe(changed !== token);
    },
    1000,
  );
});

test('no text opens as a token', () => {
  forAll([anyText(200)], (text) => expect(sealer.open('device', text)).toBeNull());
});
