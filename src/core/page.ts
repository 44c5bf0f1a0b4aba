import { AuthError } from './errors.ts';

/** Which part of a list is asked for. */
export interface PageRequest {
  /** 1 to 200; 50 where nothing is said. */
  limit: number;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export const longestPage = 200;

/** The part of a list that an application asks for. @throws TypeError for a limit that is none */
export function pageRequest({ limit = defaultPage.limit, cursor }: Partial<PageRequest>): PageRequest {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= longestPage))
    throw new TypeError(`limit: expected a whole number from 1 to ${longestPage}`);
  return { limit, cursor };
}

/** What is meant where nothing is said. */
export const defaultPage = { limit: 50 } as const satisfies PageRequest;

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Asks for the next page; null: this is the last. */
  nextCursor: string | null;
}

/**
 * Cuts what was read to the length of a page. It is read one longer than that, which tells whether there is more.
 *
 * @param keyOf what the list is ordered by, and the next page goes on from
 */
export function toPage<Row, T>(
  rows: readonly Row[],
  { limit }: PageRequest,
  itemOf: (row: Row) => T,
  keyOf: (row: Row) => string,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), nextCursor: more ? toCursor(keyOf(last)) : null };
}

const toCursor = (key: string) => Buffer.from(key).toString('base64url');

/** The key that a cursor stands for. @throws AuthError `invalid_request` for one that we did not make */
export function keyOfCursor({ cursor }: PageRequest, isKey: (key: string) => boolean): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (key !== '' && toCursor(key) === cursor && isKey(key)) return key;
  throw invalidCursor();
}

export const invalidCursor = (): AuthError =>
  new AuthError('invalid_request', {
    errors: [{ path: 'cursor', message: 'expected the nextCursor of the page before' }],
  });
