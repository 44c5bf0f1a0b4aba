import { hashChildren, hashOfRange, type ReadHash, splitOf } from './tree.ts';

/**
 * Returns the proof that a leaf is in a tree: the hashes of the siblings on the way from the leaf to the root (RFC 6962,
 * section 2.1.1).
 *
 * @throws `RangeError` if the tree has no leaf with this index
 */
export function proveInclusion(index: number, size: number, readHash: ReadHash): Buffer[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`a tree of size ${size} has no leaf ${index}`);
  const path: Buffer[] = [];
  for (let [start, end] = [0, size]; end - start > 1; ) {
    const middle = splitOf(start, end);
    const isLeft = index < middle;
    path.push(
      Buffer.from(isLeft ? hashOfRange(middle, end, readHash) : hashOfRange(start, middle, readHash)),
    );
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return path.reverse();
}

/**
 * Returns the proof that a tree begins with a smaller tree (RFC 6962, section 2.1.2). The proof is empty if the sizes are
 * equal, or if the smaller tree is empty.
 *
 * @throws `RangeError` if the first tree is larger
 */
export function proveConsistency(oldSize: number, size: number, readHash: ReadHash): Buffer[] {
  if (!(oldSize >= 0 && oldSize <= size))
    throw new RangeError(`a tree of size ${size} does not contain a tree of size ${oldSize}`);
  if (oldSize === 0 || oldSize === size) return [];
  const path: Buffer[] = [];
  let [start, end, isWhole] = [0, size, true];
  while (end !== oldSize) {
    const middle = splitOf(start, end);
    if (oldSize <= middle) {
      path.push(Buffer.from(hashOfRange(middle, end, readHash)));
      end = middle;
    } else {
      path.push(Buffer.from(hashOfRange(start, middle, readHash)));
      [start, isWhole] = [middle, false];
    }
  }
  if (!isWhole) path.push(Buffer.from(hashOfRange(start, end, readHash)));
  return path.reverse();
}

/** Returns whether a proof shows that the tree with this root has the leaf (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  leaf: { index: number; hash: Uint8Array },
  tree: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isIndex(leaf.index) || !isIndex(tree.size) || leaf.index >= tree.size) return false;
  let [fn, sn] = [BigInt(leaf.index), BigInt(tree.size) - 1n];
  let hash = leaf.hash;
  for (const sibling of proof) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      hash = hashChildren(sibling, hash);
      while ((fn & 1n) === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else hash = hashChildren(hash, sibling);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && areEqual(hash, tree.root);
}

/** Returns whether a proof shows that the new tree begins with the old tree (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(
  old: { size: number; root: Uint8Array },
  tree: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isIndex(old.size) || !isIndex(tree.size) || old.size > tree.size) return false;
  if (old.size === tree.size) return proof.length === 0 && areEqual(old.root, tree.root);
  if (old.size === 0) return proof.length === 0;
  const oldSize = BigInt(old.size);
  const isPowerOfTwo = (oldSize & (oldSize - 1n)) === 0n;
  const [first, ...rest] = isPowerOfTwo ? [old.root, ...proof] : proof;
  if (first === undefined || (isPowerOfTwo && rest.length === 0)) return false;
  let [fn, sn] = [oldSize - 1n, BigInt(tree.size) - 1n];
  while ((fn & 1n) === 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [oldHash, hash] = [first, first];
  for (const sibling of rest) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      [oldHash, hash] = [hashChildren(sibling, oldHash), hashChildren(sibling, hash)];
      while ((fn & 1n) === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else hash = hashChildren(hash, sibling);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && areEqual(oldHash, old.root) && areEqual(hash, tree.root);
}

const isIndex = (value: number) => Number.isSafeInteger(value) && value >= 0;
const areEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
