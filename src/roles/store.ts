import { type Sql, sql } from '../db/sql.ts';

export const selectRoster = sql`
  select superadmin_roster.version as roster_version from latchkey.superadmin_roster`;

/**
 * Moves the version of the superadmins' roster on, if nobody else has since it was read: whoever ceases to be an active
 * superadmin does so one after the other.
 *
 * @param condition on an earlier part of the statement, starting with `and`
 */
export const claimRoster = (version: number, condition: Sql): Sql => sql`
  update latchkey.superadmin_roster set version = version + 1
  where version = ${version}::integer ${condition}
  returning version`;
