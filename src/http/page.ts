import * as v from 'valibot';
import { bounds } from '../core/bounds.ts';
import { defaultPage } from '../core/page.ts';

const expected = `expected a number from 1 to ${bounds.pageItems}`;

/** The query parameters of a page: `limit` and `cursor`. */
export const pageQuery = {
  limit: v.optional(
    v.pipe(
      v.string('expected a single number'),
      v.metadata({ type: 'integer', minimum: 1, maximum: bounds.pageItems, default: defaultPage.limit }),
      v.check((given) => /^\d{1,3}$/.test(given), expected),
      v.transform(Number),
      v.check((limit) => limit >= 1 && limit <= bounds.pageItems, expected),
    ),
    `${defaultPage.limit}`,
  ),
  cursor: v.optional(
    v.pipe(
      v.string('expected the nextCursor of the previous page'),
      v.metadata({ description: 'The `nextCursor` of the previous page. Absent: the first page.' }),
    ),
  ),
};

/** A page of a list. `name` is the property that contains the items. */
export const pageOf = <Name extends string, Item extends v.GenericSchema>(name: Name, item: Item) =>
  v.object({
    ...({ [name]: v.array(item) } as Record<Name, v.ArraySchema<Item, undefined>>),
    nextCursor: v.nullable(
      v.pipe(v.string(), v.description('The `cursor` for the next page. Null: this is the last page.')),
    ),
  });
