import { type Sql, sql } from '../db/sql.ts';

/** The roster is one row with a version. The version increments if a superadmin is demoted, disabled or deleted. */
export const selectRosterVersion = sql`
  select superadmin_roster.version as roster_version from latchkey.superadmin_roster`;

/**
 * Increments the roster's version if it still equals `version`. If several statements demote, disable or delete
 * superadmins at the same time, only one statement succeeds. The other statements must read the version again.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const claimRosterVersion = (version: number, condition: Sql): Sql => sql`
  update latchkey.superadmin_roster set version = version + 1
  where version = ${version}::integer ${condition}
  returning version`;
