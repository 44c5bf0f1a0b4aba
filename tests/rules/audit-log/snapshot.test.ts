import { describe, expect, test } from 'vitest';
import { advanceSnapshot, readSnapshot, snapshotText } from '../../../src/audit/log/snapshot.ts';

const advance = (seen: string, now: string, xid: bigint) =>
  snapshotText(advanceSnapshot(readSnapshot(seen), readSnapshot(now), xid));

describe('a snapshot that advances up to a transaction', () => {
  test('shows the transactions before it that have ended', () => {
    expect(advance('10:10:', '12:20:12,15', 18n)).toBe('12:18:12,15');
    expect(advance('10:10:', '20:20:', 18n)).toBe('18:18:');
    expect(advance('10:10:', '12:20:12', 30n)).toBe('12:20:12');
  });

  test('keeps what it has shown, so a transaction that ends late does not hide later ones', () => {
    expect(advance('12:20:12,15', '30:30:', 13n)).toBe('15:20:15');
    expect(advance('12:20:12,15', '15:30:15', 13n)).toBe('15:20:15');
    expect(advance('12:20:12', '30:30:', 13n)).toBe('20:20:');
  });

  test('does not show a transaction that still runs, or that comes after the given one', () => {
    expect(advance('12:20:12,15', '12:30:12', 18n)).toBe('12:20:12');
    expect(advance('12:20:12,15', '30:30:', 15n)).toBe('15:20:15');
  });
});
