import { bounds } from './bounds.ts';
import { AuthError } from './errors.ts';

/** Selects a page of a list. */
export interface PageRequest {
  /** The largest number of items on the page, from 1 to 200. Default: 50. */
  limit: number;
  /** The `nextCursor` of the previous page. Absent: the first page. */
  cursor?: string | undefined;
}

/** Adds the defaults to a page request from the application's code. @throws TypeError for an invalid limit */
export function pageRequest({ limit = defaultPage.limit, cursor }: Partial<PageRequest>): PageRequest {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= bounds.pageItems))
    throw new TypeError(`limit: expected a whole number from 1 to ${bounds.pageItems}, not ${limit}`);
  return { limit, cursor };
}

export const defaultPage = { limit: 50 } as const satisfies PageRequest;

/**
 * One page of a list, with the same properties as in HTTP responses. For example, `Page<'users', User>` is
 * `{ users: User[], nextCursor }`. To read the next page, pass `nextCursor` as `cursor`. On the last page, `nextCursor`
 * is null.
 */
export type Page<Name extends string, T> = Record<Name, T[]> & { nextCursor: string | null };

/**
 * Builds a page from rows. The query must select one row more than the limit, because an extra row means that another
 * page exists.
 *
 * @param name the property that contains the items
 * @param keyOf returns the sort key of a row; the next page starts after the sort key of the last row
 */
export function toPage<Name extends string, Row, T>(
  name: Name,
  rows: readonly Row[],
  { limit }: PageRequest,
  itemOf: (row: Row) => T,
  keyOf: (row: Row) => string,
): Page<Name, T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    ...({ [name]: shown.map(itemOf) } as Record<Name, T[]>),
    nextCursor: more ? toCursor(keyOf(last)) : null,
  };
}

const toCursor = (key: string) => Buffer.from(key).toString('base64url');

/** Decodes the sort key in a cursor. @throws AuthError `invalid_request` for a text that `toCursor` never returns */
export function keyOfCursor({ cursor }: PageRequest, isKey: (key: string) => boolean): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (key !== '' && toCursor(key) === cursor && isKey(key)) return key;
  throw invalidCursor();
}

export const invalidCursor = (): AuthError =>
  new AuthError('invalid_request', {
    errors: [{ path: 'cursor', message: 'expected the nextCursor of the previous page' }],
  });
