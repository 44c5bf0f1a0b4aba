import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  proveConsistency,
  proveInclusion,
  verifyConsistency,
  verifyInclusion,
} from '../../../src/audit/log/proof.ts';
import {
  appendToTiles,
  edgeOf,
  hashesIn,
  readFrom,
  type Tile,
  tilesOf,
  widthOf,
} from '../../../src/audit/log/tiles.ts';
import { hashChildren, hashLeaf, type ReadHash, rootOf } from '../../../src/audit/log/tree.ts';
import vectors from './vectors/merkle-proofs.json' with { type: 'json' };

const hex = (text: string) => Buffer.from(text, 'hex');
const base64 = (text: string) => Buffer.from(text, 'base64');

/** The leaves and roots that Certificate Transparency tests use (transparency-dev/merkle, testonly/constants.go). */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const hashedLeaves: Buffer[] = [];
/** The tests share the hashes, because a large tree needs many. */
function leafHashes(count: number, from = 0): Buffer[] {
  while (hashedLeaves.length < from + count)
    hashedLeaves.push(hashLeaf(Buffer.from(`leaf ${hashedLeaves.length}`)));
  return hashedLeaves.slice(from, from + count);
}

/** Caches the hashes that `readHash` returns. */
function remember(readHash: ReadHash): ReadHash {
  const known = new Map<string, Uint8Array>();
  return (height, index) => {
    const place = `${height}/${index}`;
    const hash = known.get(place) ?? readHash(height, index);
    known.set(place, hash);
    return hash;
  };
}

/** The definition of the root in RFC 6962, section 2.1, as an independent implementation. */
function rootByDefinition(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (only === undefined) return createHash('sha256').digest();
  if (hashes.length === 1) return only;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return hashChildren(rootByDefinition(hashes.slice(0, split)), rootByDefinition(hashes.slice(split)));
}

/** A tree that grew in these steps. Contains the newest version of each tile. */
function grow(steps: readonly number[]) {
  const tiles = new Map<string, Tile>();
  let [edge, size, root]: [Tile[], number, Buffer] = [[], 0, rootOf(0, readFrom([]))];
  for (const step of steps) {
    const appended = appendToTiles(edge, size, leafHashes(step, size));
    for (const tile of appended.tiles) tiles.set(`${tile.level}/${tile.n}`, tile);
    size += step;
    [edge, root] = [appended.edge, appended.root];
  }
  return { tiles, edge, size, root, readHash: remember(readFrom([...tiles.values()])) };
}

/** A short text to compare, because the comparison of a million bytes takes seconds. */
function digestOf(tiles: ReadonlyMap<string, Tile>): string {
  const digest = createHash('sha256');
  for (const place of [...tiles.keys()].sort())
    digest.update(`${place}\n`).update(tiles.get(place)?.hashes ?? '');
  return digest.digest('hex');
}

describe('the tree', () => {
  test.each(roots.map((root, size) => ({ root, size })))(
    'has the published root at size $size',
    ({ root, size }) => {
      const hashes = leaves.slice(0, size).map((leaf) => hashLeaf(hex(leaf)));
      expect(appendToTiles([], 0, hashes).root.toString('hex')).toBe(root);
    },
  );

  test.each([[[1]], [[255, 1]], [[256]], [[257]], [[100, 200, 300]], [[1000, 1, 0, 1000]], [[65_535, 1, 1]]])(
    'has the same root and the same tiles, no matter in which steps it grew (%j)',
    (steps) => {
      const { root, size, tiles, edge } = grow(steps);
      expect(root).toStrictEqual(rootByDefinition(leafHashes(size)));
      expect(digestOf(tiles)).toBe(digestOf(grow([size]).tiles));
      expect(edge.map(({ level, n }) => ({ level, n }))).toStrictEqual(edgeOf(size));
      for (const tile of tiles.values()) expect(hashesIn(tile)).toHaveLength(widthOf(tile, size));
    },
  );

  test('of 70,000 leaves has the tiles that C2SP tlog-tiles lists for this size', () => {
    const widths = [...grow([70_000]).tiles.values()].map(
      (tile) => [tile.level, hashesIn(tile).length] as const,
    );
    const count = (level: number, width: number) =>
      widths.filter(([itsLevel, itsWidth]) => itsLevel === level && itsWidth === width).length;
    expect([count(0, 256), count(0, 112), count(1, 256), count(1, 17), count(2, 1)]).toStrictEqual([
      273, 1, 1, 1, 1,
    ]);
    expect(widths).toHaveLength(277);
  });

  test('refuses to grow from partial tiles that do not match its size', () => {
    const { edge } = grow([300]);
    expect(() => appendToTiles(edge, 301, leafHashes(1))).toThrow('tile 0/1 must have 45 hashes at size 301');
    expect(() => appendToTiles([], 300, leafHashes(1))).toThrow(RangeError);
    expect(() => appendToTiles(edge, 256, leafHashes(1))).toThrow(RangeError);
  });

  test('names the missing tile that a proof needs', () => {
    const { tiles } = grow([600]);
    tiles.delete('0/1');
    const readHash = readFrom([...tiles.values()]);
    expect(() => proveInclusion(300, 600, readHash)).toThrow('tile 0/1 is missing');
    expect(proveInclusion(0, 600, readHash)).toHaveLength(10);
  });
});

describe('a proof', () => {
  const inclusion = vectors.inclusion.map((vector) => ({
    ...vector,
    proof: (vector.proof ?? []).map(base64),
  }));
  const consistency = vectors.consistency.map((vector) => ({
    ...vector,
    proof: (vector.proof ?? []).map(base64),
  }));

  test.each(inclusion)('of inclusion has the published result: $name', (vector) => {
    const leaf = { index: vector.leafIdx, hash: base64(vector.leafHash) };
    const tree = { size: vector.treeSize, root: base64(vector.root) };
    expect(verifyInclusion(leaf, tree, vector.proof)).toBe(!vector.wantErr);
  });

  test.each(consistency)('of consistency has the published result: $name', (vector) => {
    const old = { size: vector.size1, root: base64(vector.root1 ?? '') };
    const tree = { size: vector.size2, root: base64(vector.root2 ?? '') };
    expect(verifyConsistency(old, tree, vector.proof)).toBe(!vector.wantErr);
  });

  const isHappy = ({ wantErr, name }: { wantErr: boolean; name: string }) =>
    !wantErr && name.endsWith('happy-path');
  const published = readFrom(
    appendToTiles(
      [],
      0,
      leaves.map((leaf) => hashLeaf(hex(leaf))),
    ).tiles,
  );

  test.each(inclusion.filter((vector) => isHappy(vector) && vector.treeSize <= 8))(
    'of inclusion has the published hashes: $name',
    ({ leafIdx, treeSize, proof }) => {
      expect(proveInclusion(leafIdx, treeSize, published)).toStrictEqual(proof);
    },
  );

  test.each(consistency.filter((vector) => isHappy(vector) && vector.size2 <= 8))(
    'of consistency has the published hashes: $name',
    ({ size1, size2, proof }) => {
      expect(proveConsistency(size1, size2, published)).toStrictEqual(proof);
    },
  );

  test('of inclusion verifies for each leaf of each tree of up to 70 leaves, and fails with another index or leaf', () => {
    const { readHash } = grow([70]);
    const wrong: object[] = [];
    for (let size = 1; size <= 70; size += 1) {
      const tree = { size, root: rootOf(size, readHash) };
      for (let index = 0; index < size; index += 1) {
        const proof = proveInclusion(index, size, readHash);
        const hash = Buffer.from(readHash(0, index));
        const shown = verifyInclusion({ index, hash }, tree, proof);
        const another = verifyInclusion({ index: index ^ 1, hash }, tree, proof);
        const changed = verifyInclusion({ index, hash: hashLeaf(hash) }, tree, proof);
        if (!shown || another || changed) wrong.push({ size, index, shown, another, changed });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('of consistency verifies for each pair of trees of up to 70 leaves, and fails with another root', () => {
    const { readHash } = grow([70]);
    const roots = Array.from({ length: 71 }, (_, size) => rootOf(size, readHash));
    const wrong: object[] = [];
    for (let size = 1; size <= 70; size += 1) {
      const tree = { size, root: roots[size] as Buffer };
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const proof = proveConsistency(oldSize, size, readHash);
        const old = { size: oldSize, root: roots[oldSize] as Buffer };
        const shown = verifyConsistency(old, tree, proof);
        const another = verifyConsistency({ ...old, root: hashLeaf(old.root) }, tree, proof);
        const changed = verifyConsistency(old, { ...tree, root: hashLeaf(tree.root) }, proof);
        if (!shown || another || changed) wrong.push({ size, oldSize, shown, another, changed });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('of inclusion in a tree of a million leaves reads at most 5 tiles', () => {
    const places = tilesOf((readHash) => proveInclusion(543_210, 1_000_000, readHash));
    expect(places.length).toBeLessThanOrEqual(5);
  });

  test('cannot be made for a missing leaf or for a larger old tree', () => {
    const { readHash } = grow([3]);
    expect(() => proveInclusion(3, 3, readHash)).toThrow('a tree of size 3 has no leaf 3');
    expect(() => proveConsistency(4, 3, readHash)).toThrow(
      'a tree of size 3 does not contain a tree of size 4',
    );
  });
});
