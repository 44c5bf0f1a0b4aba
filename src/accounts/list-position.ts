import { createHash } from 'node:crypto';
import { isUuid } from '../core/identifiers.ts';
import type { SortOrder, UserSort } from '../core/user-list.ts';
import { isStorable } from '../users/rules.ts';

/** A list of users. A cursor of one list is invalid for any other list. */
export interface UserOrder {
  search?: string | undefined;
  sort: UserSort;
  order: SortOrder;
}

/** The last user of a page. */
export interface ListPosition {
  /** The username, or the time by which the list is sorted. */
  key: string;
  id: string;
}

/** The content of a cursor. In the list by username without a search, it is a username, as in earlier versions. */
export const textOfPosition = (list: UserOrder, { key, id }: ListPosition): string =>
  isPlain(list) ? key : [list.sort, list.order, digestOf(list), key, id].join(' ');

/** Returns undefined for a text that `textOfPosition` does not return for this list. */
export function positionFrom(list: UserOrder, text: string): ListPosition | undefined {
  if (isPlain(list)) return isStorable(text) ? { key: text, id: '' } : undefined;
  const [sort, order, digest, key = '', id = '', ...rest] = text.split(' ');
  const isOfList = sort === list.sort && order === list.order && digest === digestOf(list);
  const isKey = list.sort === 'username' ? isStorable(key) : isTime(key);
  return isOfList && isKey && isUuid(id) && rest.length === 0 ? { key, id } : undefined;
}

const isPlain = ({ search, sort, order }: UserOrder) =>
  search === undefined && sort === 'username' && order === 'asc';

/** Cursors appear in URLs and logs, so they contain a digest of the search text instead of the text. */
const digestOf = ({ search = '' }: UserOrder): string =>
  createHash('sha256').update(search).digest('base64url').slice(0, 10);

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** JavaScript accepts some dates that PostgreSQL rejects, such as February 30. `toISOString` returns another date then. */
function isTime(key: string): boolean {
  const at = timePattern.test(key) ? Date.parse(key) : Number.NaN;
  return at >= 0 && new Date(at).toISOString().slice(0, -1) === key.slice(0, -4);
}
