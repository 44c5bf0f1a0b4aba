import type { ProblemList } from './problem.ts';
import { hashesIn, rootOfFull, type Tile, tileWidth } from './tiles.ts';
import type { TrustedTiles } from './trusted-tiles.ts';

/** A tile of level 0, and the entries below it. */
export interface LeafTile {
  /** The position of the first entry. */
  first: number;
  /** The hashes of the entries. Undefined: the entry does not exist. */
  entries: readonly (Buffer | undefined)[];
  /** Undefined: the tile does not exist. */
  stored: Tile | undefined;
  /** Returns the id of the event in an entry. */
  eventIdOf(position: number): string | undefined;
}

/**
 * Compares a tile with the entries below it, and both with the trusted hash. Reports only what is broken: the entries if
 * the tile is right, the tile if the entries are right, and otherwise both.
 *
 * @returns whether the signed root confirms the entries
 */
export function checkLeafTile(
  { first, entries, stored, eventIdOf }: LeafTile,
  trusted: TrustedTiles,
  problems: ProblemList,
): boolean {
  const n = first / tileWidth;
  const width = entries.length;
  const hashes = stored === undefined ? [] : hashesIn(stored).slice(0, width);
  const isSame = entries.every(
    (entry, index) => entry !== undefined && hashes[index]?.equals(entry) === true,
  );
  const expected = width === tileWidth ? trusted.hashOf(n) : undefined;
  const isConfirmed = width === tileWidth ? expected !== undefined : trusted.lastTile?.n === n;
  const present = entries.filter((entry) => entry !== undefined);

  if (expected !== undefined && present.length === width && hasRoot(n, present, expected)) {
    if (!isSame) problems.add(tileProblem('Its entries are unchanged.'));
    return true;
  }
  const isTileRight =
    expected === undefined ? isConfirmed : hashes.length === width && hasRoot(n, hashes, expected);
  if (isTileRight) {
    for (const [index, entry] of entries.entries())
      if (entry === undefined || hashes[index]?.equals(entry) !== true)
        problems.add(entryProblem(first + index, entry));
    return isSame;
  }
  if (expected !== undefined || !isSame)
    problems.add(
      tileProblem(`It covers the entries from ${first} to ${first + width - 1}, which may be changed, too.`),
    );
  return false;

  function tileProblem(more: string) {
    const message = `Tile 0/${n} was ${stored === undefined ? 'deleted' : 'changed'}. ${more}`;
    return { kind: 'tile', position: first, message } as const;
  }

  function entryProblem(position: number, entry: Buffer | undefined) {
    const eventId = eventIdOf(position);
    const message = `Entry ${position} was ${entry === undefined ? 'deleted' : 'changed'}.`;
    return { kind: 'entry', position, message, ...(eventId !== undefined && { eventId }) } as const;
  }
}

const hasRoot = (n: number, hashes: readonly Buffer[], expected: Uint8Array) =>
  rootOfFull({ level: 0, n, hashes: Buffer.concat(hashes) }).equals(expected);
