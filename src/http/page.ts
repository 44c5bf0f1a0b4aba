import * as v from 'valibot';
import { defaultPage, longestPage } from '../core/page.ts';

/** `limit` and `cursor` of a list's query. */
export const pageQuery = {
  limit: v.optional(
    v.pipe(
      v.string('expected one number'),
      v.regex(/^\d{1,3}$/, `expected a number from 1 to ${longestPage}`),
      v.transform(Number),
      v.check((limit) => limit >= 1 && limit <= longestPage, `expected a number from 1 to ${longestPage}`),
    ),
    `${defaultPage.limit}`,
  ),
  cursor: v.optional(v.string('expected the nextCursor of the page before')),
};
