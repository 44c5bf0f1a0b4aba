import * as v from 'valibot';

/** A time in a response: RFC 3339 in UTC. */
export const time = v.pipe(v.string(), v.isoTimestamp());

/** An id. Clients must not rely on its format. */
export const id = v.string();
