import { hashChildren, type ReadHash, rootOf } from './tree.ts';

/**
 * A tile of the tree (C2SP tlog-tiles): up to 256 consecutive hashes. The tiles of level 0 contain the hashes of leaves.
 * A hash in a tile of a higher level is the hash of a full tile of the level below.
 */
export interface Tile {
  level: number;
  /** The number of the tile in its level, from 0. */
  n: number;
  /** 32 bytes for each hash. */
  hashes: Buffer;
}

/** Hashes in a full tile. */
export const tileWidth = 256;
const tileHeight = 8;
const hashBytes = 32;

/** The tree after an append. */
export interface AppendedTiles {
  /** Every tile that is new or has new hashes. */
  tiles: Tile[];
  /** The partial tiles of the right edge, at most one for each level, the lowest level first. */
  edge: Tile[];
  root: Buffer;
}

/** Returns the tiles of the right edge of a tree: the tiles that are not full and not empty. */
export function edgeOf(size: number): Pick<Tile, 'level' | 'n'>[] {
  const places: Pick<Tile, 'level' | 'n'>[] = [];
  for (let level = 0, width = size; width > 0; level += 1, width = Math.floor(width / tileWidth))
    if (width % tileWidth > 0) places.push({ level, n: Math.floor(width / tileWidth) });
  return places;
}

/** Returns how many hashes a tile has in a tree with `size` leaves. 0: the tree does not have the tile. */
export function widthOf({ level, n }: Pick<Tile, 'level' | 'n'>, size: number): number {
  const hashes = Math.floor(size / tileWidth ** level) - n * tileWidth;
  return Math.max(0, Math.min(tileWidth, hashes));
}

/**
 * Appends leaves to a tree with `size` leaves. Reads only the partial tiles of its right edge, so an append costs the
 * same in a large tree as in a small one.
 *
 * @param edge the partial tiles of the tree, as `edgeOf` lists them
 * @throws `RangeError` if the partial tiles are not those of a tree with `size` leaves
 */
export function appendToTiles(
  edge: readonly Tile[],
  size: number,
  leafHashes: readonly Buffer[],
): AppendedTiles {
  const partial = new Map<number, Tile>();
  for (const place of edgeOf(size)) {
    const tile = edge.find(({ level, n }) => level === place.level && n === place.n);
    const expected = widthOf(place, size);
    if (tile?.hashes.length !== expected * hashBytes)
      throw new RangeError(`tile ${place.level}/${place.n} must have ${expected} hashes at size ${size}`);
    partial.set(place.level, tile);
  }
  if (edge.length !== partial.size)
    throw new RangeError(`the edge has tiles that no tree of size ${size} has`);

  const tiles: Tile[] = [];
  let added: readonly Buffer[] = leafHashes;
  for (let level = 0; added.length > 0; level += 1) {
    const open = partial.get(level);
    const full = Math.floor(size / tileWidth ** (level + 1));
    const hashes = Buffer.concat(open ? [open.hashes, ...added] : [...added]);
    const above: Buffer[] = [];
    partial.delete(level);
    for (let start = 0; start < hashes.length; start += tileWidth * hashBytes) {
      const tile = {
        level,
        n: full + start / (tileWidth * hashBytes),
        hashes: hashes.subarray(start, start + tileWidth * hashBytes),
      };
      tiles.push(tile);
      if (tile.hashes.length < tileWidth * hashBytes) partial.set(level, tile);
      else above.push(rootOfFull(tile));
    }
    added = above;
  }

  const newEdge = [...partial.values()].sort((one, other) => one.level - other.level);
  return { tiles, edge: newEdge, root: rootOf(size + leafHashes.length, readFrom(newEdge.concat(tiles))) };
}

/** A tile does not have a hash that the tree needs. */
export class MissingTileError extends Error {
  override name = 'MissingTileError';
  readonly level: number;
  readonly n: number;

  constructor({ level, n }: Pick<Tile, 'level' | 'n'>) {
    super(`tile ${level}/${n} is missing, or has too few hashes`);
    this.level = level;
    this.n = n;
  }
}

/**
 * Returns a function that finds hashes in tiles.
 *
 * The function throws a `MissingTileError` if the hash is in none of the tiles.
 */
export function readFrom(tiles: readonly Tile[]): ReadHash {
  const byPlace = new Map(tiles.map((tile) => [`${tile.level}/${tile.n}`, tile]));
  return (height, index) => {
    const place = placeOf(height, index);
    const tile = byPlace.get(`${place.level}/${place.n}`);
    const hash = tile && nodeInTile(tile, place.height, place.offset);
    if (hash) return hash;
    throw new MissingTileError(place);
  };
}

/** Returns the tiles that a calculation reads. The calculation runs with placeholder hashes. */
export function tilesOf(calculate: (readHash: ReadHash) => unknown): Pick<Tile, 'level' | 'n'>[] {
  const places = new Map<string, Pick<Tile, 'level' | 'n'>>();
  const anyHash = Buffer.alloc(hashBytes);
  calculate((height, index) => {
    const { level, n } = placeOf(height, index);
    places.set(`${level}/${n}`, { level, n });
    return anyHash;
  });
  return [...places.values()];
}

/** Where a node of the tree is: `height` levels above the hashes of a tile, at `offset` from the left. */
function placeOf(
  height: number,
  index: number,
): { level: number; n: number; height: number; offset: number } {
  const level = Math.floor(height / tileHeight);
  const inTile = height % tileHeight;
  const perTile = tileWidth / 2 ** inTile;
  return { level, n: Math.floor(index / perTile), height: inTile, offset: index % perTile };
}

/** Returns undefined if the tile has too few hashes. */
function nodeInTile(
  { hashes }: Pick<Tile, 'hashes'>,
  height: number,
  offset: number,
): Uint8Array | undefined {
  const start = offset * 2 ** height * hashBytes;
  const end = start + 2 ** height * hashBytes;
  if (end > hashes.length) return undefined;
  if (height === 0) return hashes.subarray(start, end);
  const left = nodeInTile({ hashes }, height - 1, offset * 2);
  const right = nodeInTile({ hashes }, height - 1, offset * 2 + 1);
  return left && right && hashChildren(left, right);
}

/** @throws `RangeError` if the tile is not full */
export function rootOfFull(tile: Tile): Buffer {
  const root = nodeInTile(tile, tileHeight, 0);
  if (!root) throw new RangeError(`tile ${tile.level}/${tile.n} is not full`);
  return Buffer.from(root);
}

/** Splits the bytes of a tile into hashes. */
export function hashesIn({ hashes }: Pick<Tile, 'hashes'>): Buffer[] {
  return Array.from({ length: Math.floor(hashes.length / hashBytes) }, (_, index) =>
    hashes.subarray(index * hashBytes, (index + 1) * hashBytes),
  );
}
