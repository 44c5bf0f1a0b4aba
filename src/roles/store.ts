import { type Sql, sql } from '../db/sql.ts';

export const selectRosterVersion = sql`
  select superadmin_roster.version as roster_version from latchkey.superadmin_roster`;

/**
 * Increments the version of the superadmin roster if it is still the version that was read. Of concurrent statements that
 * demote, disable or delete superadmins, only one succeeds; the others read again.
 *
 * @param condition on an earlier CTE, starting with `and`
 */
export const claimRosterVersion = (version: number, condition: Sql): Sql => sql`
  update latchkey.superadmin_roster set version = version + 1
  where version = ${version}::integer ${condition}
  returning version`;
