import { tileWidth } from './tiles.ts';

/** What a path of C2SP tlog-tiles names: a tile of the tree, or a bundle of entries. */
export interface TilePlace {
  /** `entries`: a bundle of entries. Its number and width are those of the tile of level 0 with their hashes. */
  level: number | 'entries';
  /** The number of the tile in its level, from 0. */
  n: number;
  /** How many hashes or entries the tile has. 256: the tile is full. */
  width: number;
}

const highestLevel = 63;
/** With four parts of three digits, the position of every entry is a safe integer. */
const mostParts = 4;

/**
 * Reads the end of a path: `<level>/<index>`, such as `0/x001/067` or `entries/000.p/12`. Null: no log has such a path.
 * Each tile has only one path, so caches keep it only once.
 */
export function readTilePath(level: string, index: string): TilePlace | null {
  const isEntries = level === 'entries';
  if (!isEntries && !(/^(0|[1-9]\d?)$/.test(level) && Number(level) <= highestLevel)) return null;
  const [, path = '', width] = /^((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(index) ?? [];
  const parts = path.split('/');
  if (path === '' || parts.length > mostParts) return null;
  const n = Number(path.replaceAll(/[x/]/g, ''));
  if (indexPath(n) !== path || Number(width ?? 0) >= tileWidth) return null;
  return { level: isEntries ? level : Number(level), n, width: Number(width ?? tileWidth) };
}

/** Returns the number of a tile as a path: 1234067 is `x001/x234/067`. */
export function indexPath(n: number): string {
  const digits = `${n}`.padStart(Math.ceil(`${n}`.length / 3) * 3, '0');
  const parts = digits.match(/\d{3}/g) ?? [];
  return parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
}
