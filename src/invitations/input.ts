import * as v from 'valibot';
import { hoursExpected, isLifetime, longestHours } from './rules.ts';

/** How many hours an invitation can be accepted. */
export const expiresInHours = v.pipe(
  v.number(hoursExpected),
  v.metadata({ type: 'integer', minimum: 1, maximum: longestHours }),
  v.check(isLifetime, hoursExpected),
);
