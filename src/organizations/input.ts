import * as v from 'valibot';

/** A role within an organization. */
export const membershipRole = v.picklist(['user', 'admin'], 'expected "user" or "admin"');
