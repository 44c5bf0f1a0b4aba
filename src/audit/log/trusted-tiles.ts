import type { ProblemList } from './problem.ts';
import { edgeOf, hashesIn, readFrom, rootOfFull, type Tile, tileWidth, widthOf } from './tiles.ts';
import { rootOf } from './tree.ts';

/** The tiles that the signed root confirms. */
export interface TrustedTiles {
  /** Whether the tiles of the right edge have the signed root. */
  isRootRight: boolean;
  /** Returns the hash that a full tile of level 0 must have. Undefined: the tile above it is broken. */
  hashOf(n: number): Uint8Array | undefined;
  /** Returns the partial tile of level 0, if the signed root confirms it. */
  readonly lastTile: Tile | undefined;
}

/**
 * Checks the tiles from the root down to level 1. A tile is trusted if the hash of the tile is in a trusted tile of the
 * level above. So the check reports a changed tile, but not its neighbors.
 *
 * @param tiles all tiles of the levels from 1, and the partial tile of level 0
 */
export function trustTiles(
  { size, root }: { size: number; root: Uint8Array },
  tiles: readonly Tile[],
  problems: ProblemList,
): TrustedTiles {
  const stored = new Map(tiles.map((tile) => [`${tile.level}/${tile.n}`, cut(tile, size)]));
  const trusted = new Map<number, readonly Buffer[]>();
  const edge = edgeOf(size).flatMap(({ level, n }) => stored.get(`${level}/${n}`) ?? []);
  const isRootRight = hasRoot(edge, size, root);
  if (!isRootRight) return { isRootRight, hashOf: () => undefined, lastTile: undefined };

  const queue = edge.filter(({ level }) => level > 0);
  for (let tile = queue.pop(); tile; tile = queue.pop()) {
    const hashes = hashesIn(tile);
    if (tile.level === 1) trusted.set(tile.n, hashes);
    else
      for (const [index, hash] of hashes.entries()) check(tile.level - 1, tile.n * tileWidth + index, hash);
  }
  return {
    isRootRight,
    hashOf: (n) => trusted.get(Math.floor(n / tileWidth))?.[n % tileWidth],
    lastTile: edge.find(({ level }) => level === 0),
  };

  function check(level: number, n: number, hash: Buffer): void {
    const tile = stored.get(`${level}/${n}`);
    const isFull =
      tile !== undefined && widthOf(tile, size) === tileWidth && hashesIn(tile).length === tileWidth;
    if (isFull && rootOfFull(tile).equals(hash)) queue.push(tile);
    else
      problems.add({
        kind: 'tile',
        position: n * tileWidth ** (level + 1),
        message: `Tile ${level}/${n} was ${tile ? 'changed' : 'deleted'}.`,
      });
  }
}

/** The database can have more hashes than the checkpoint covers, because entries were added in the meantime. */
const cut = (tile: Tile, size: number): Tile => ({
  ...tile,
  hashes: tile.hashes.subarray(0, widthOf(tile, size) * 32),
});

function hasRoot(edge: readonly Tile[], size: number, root: Uint8Array): boolean {
  try {
    return rootOf(size, readFrom(edge)).equals(root);
  } catch {
    return false;
  }
}
