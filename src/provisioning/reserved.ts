import { createHash } from 'node:crypto';
import type { Reserved } from './rules.ts';

/** The values of one batch. `also`: values of earlier batches, which this set does not change. */
export function reservedInBatch(also: Reserved | null): Reserved & { readonly added: ReadonlySet<string> } {
  const added = new Set<string>();
  return { added, has: (key) => added.has(key) || (also?.has(key) ?? false), add: (key) => added.add(key) };
}

/**
 * The values of all accepted users of a dry run, which stores nothing. Keeps 48 bits of a digest of each value, so that a
 * million values take about 50 MB. With a million values, two of them have the same 48 bits with a probability of 0.2 %.
 */
export function reservedInDryRun(): Reserved {
  const digests = new Set<number>();
  const digestOf = (key: string) => createHash('sha256').update(key).digest().readUIntBE(0, 6);
  return { has: (key) => digests.has(digestOf(key)), add: (key) => digests.add(digestOf(key)) };
}
