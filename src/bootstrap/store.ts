import { type Sql, sql } from '../db/sql.ts';

/** The id of the account of the last bootstrap, even if the account is deleted. No row before the first bootstrap. */
export const selectBootstrapped = sql`select bootstrap.user_id as bootstrapped_id from latchkey.bootstrap`;

/**
 * Records the first bootstrap. The table has at most one row, so only one of several concurrent statements returns a
 * row.
 *
 * @param source a `from` or `where` clause that decides whether the statement inserts the row
 */
export const claimBootstrap = (userId: string, source: Sql): Sql => sql`
  insert into latchkey.bootstrap (one, user_id, at)
  select true, ${userId}::uuid, latchkey.clock()
  ${source}
  on conflict do nothing
  returning user_id`;

/** Records another bootstrap. @param condition starts with `and` */
export const reclaimBootstrap = (previousId: string, userId: string, condition: Sql): Sql => sql`
  update latchkey.bootstrap set user_id = ${userId}::uuid, at = latchkey.clock()
  where user_id = ${previousId}::uuid ${condition}
  returning user_id`;
