import { createHash } from 'node:crypto';

/**
 * Returns the hash of a complete subtree. The subtree contains the leaves from `index * 2 ** height` up to, but not
 * including, `(index + 1) * 2 ** height`.
 */
export type ReadHash = (height: number, index: number) => Uint8Array;

const leafPrefix = Buffer.of(0x00);
const nodePrefix = Buffer.of(0x01);

/** Hashes a leaf (RFC 6962, section 2.1). */
export const hashLeaf = (entry: Uint8Array): Buffer =>
  createHash('sha256').update(leafPrefix).update(entry).digest();

/** Hashes the two children of a node (RFC 6962, section 2.1). */
export const hashChildren = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(nodePrefix).update(left).update(right).digest();

/** Returns the root hash of a tree with `size` leaves. The root of an empty tree is the hash of no bytes. */
export const rootOf = (size: number, readHash: ReadHash): Buffer =>
  size === 0 ? createHash('sha256').digest() : Buffer.from(hashOfRange(0, size, readHash));

/**
 * Returns the hash of the leaves from `start` up to, but not including, `end`: `MTH(D[start:end])` in RFC 6962. `start`
 * must be a multiple of the smallest power of two that is not less than the number of leaves.
 */
export function hashOfRange(start: number, end: number, readHash: ReadHash): Uint8Array {
  const width = end - start;
  const height = heightBelow(width);
  if (2 ** height === width) return readHash(height, start / width);
  const middle = start + 2 ** height;
  return hashChildren(hashOfRange(start, middle, readHash), hashOfRange(middle, end, readHash));
}

/** Returns the position between the left and the right child of a node: `k` in RFC 6962. */
export function splitOf(start: number, end: number): number {
  const width = end - start;
  const height = heightBelow(width);
  return start + 2 ** (2 ** height === width ? height - 1 : height);
}

/** Returns the exponent of the largest power of two that is not greater than `width`. */
function heightBelow(width: number): number {
  let height = 0;
  while (2 ** (height + 1) <= width) height += 1;
  return height;
}
