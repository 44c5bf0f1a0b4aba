import { expect, test } from 'vitest';
import { randomBytes } from '../../src/core/random.ts';

test('bytes are as many as were asked for, and never the same ones again', () => {
  const seen = new Set<string>();
  for (let turn = 0; turn < 20_000; turn += 1) {
    const count = [16, 32, 64, 256][turn % 4] as number;
    const bytes = randomBytes(count);
    expect(bytes.length).toBe(count);
    // Any sixteen bytes of one answer in another would be no chance.
    for (let at = 0; at + 16 <= count; at += 16) {
      const piece = bytes.toString('latin1', at, at + 16);
      if (seen.has(piece)) expect.fail(`turn ${turn} repeats what was given out before`);
      seen.add(piece);
    }
  }
});

test('what was given out is the receiver’s alone: nothing that comes later changes it', () => {
  const first = randomBytes(32);
  const copy = Buffer.from(first);
  for (let turn = 0; turn < 200; turn += 1) randomBytes(64);
  expect(first).toEqual(copy);
  first.fill(1);
  expect(randomBytes(32).equals(Buffer.alloc(32, 1))).toBe(false);
});

test('every bit comes up about as often as not', () => {
  const ones = new Array<number>(128).fill(0);
  const turns = 20_000;
  for (let turn = 0; turn < turns; turn += 1) {
    const bytes = randomBytes(16);
    for (let bit = 0; bit < 128; bit += 1)
      if (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) ones[bit] = (ones[bit] ?? 0) + 1;
  }
  // Six standard deviations: one failure in millions of runs.
  for (const [bit, count] of ones.entries())
    if (Math.abs(count - turns / 2) > 6 * Math.sqrt(turns / 4))
      expect.fail(`bit ${bit}: ${count} of ${turns}`);
});

test('there is no getting fewer than were asked for', () => {
  expect(randomBytes(1024).length).toBe(1024);
  expect(() => randomBytes(1025)).toThrow(RangeError);
});
