import * as v from 'valibot';

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** A time in a query. */
export const timeText = (description: string) =>
  v.pipe(
    v.string('expected a single time'),
    v.metadata({ format: 'date-time', description }),
    v.check(
      (text) => rfc3339.test(text) && Date.parse(text) >= 0,
      'expected an RFC 3339 time in 1970 or later',
    ),
    // JavaScript accepts some dates that PostgreSQL rejects, such as February 30. The conversion makes them valid.
    v.transform((text) => new Date(text).toISOString()),
  );
