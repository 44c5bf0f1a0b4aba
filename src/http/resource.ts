import * as v from 'valibot';

/** A moment as answers give it: RFC 3339, in UTC. */
export const time = v.pipe(v.string(), v.isoTimestamp());

/** An opaque id. */
export const id = v.string();
