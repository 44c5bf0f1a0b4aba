import { expect, test } from 'vitest';
import { randomBytes } from '../../src/core/random.ts';

test('randomBytes returns the requested number of bytes and never repeats them', () => {
  const seen = new Set<string>();
  for (let turn = 0; turn < 20_000; turn += 1) {
    const count = [16, 32, 64, 256][turn % 4] as number;
    const bytes = randomBytes(count);
    expect(bytes.length).toBe(count);
    // Sixteen equal bytes cannot be a coincidence.
    for (let at = 0; at + 16 <= count; at += 16) {
      const piece = bytes.toString('latin1', at, at + 16);
      if (seen.has(piece)) expect.fail(`turn ${turn} repeats earlier bytes`);
      seen.add(piece);
    }
  }
});

test('later calls do not change returned bytes, and changes of returned bytes do not affect later calls', () => {
  const first = randomBytes(32);
  const copy = Buffer.from(first);
  for (let turn = 0; turn < 200; turn += 1) randomBytes(64);
  expect(first).toEqual(copy);
  first.fill(1);
  expect(randomBytes(32).equals(Buffer.alloc(32, 1))).toBe(false);
});

test('every bit is set about half the time', () => {
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

test('randomBytes rejects a request for more than 1,024 bytes', () => {
  expect(randomBytes(1024).length).toBe(1024);
  expect(() => randomBytes(1025)).toThrow(RangeError);
});
