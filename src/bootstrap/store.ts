import { type Sql, sql } from '../db/sql.ts';

/** The id of the bootstrapped account, even if it is deleted; no row if no account was bootstrapped. */
export const selectBootstrapped = sql`select bootstrap.user_id as bootstrapped_id from latchkey.bootstrap`;

/**
 * Records that a superadmin was bootstrapped. The table holds one row at most, so only one of several concurrent claims
 * returns a row.
 *
 * @param source a `from` or `where` clause: the claim is made only if it gives a row
 */
export const claimBootstrap = (userId: string, source: Sql): Sql => sql`
  insert into latchkey.bootstrap (one, user_id, at)
  select true, ${userId}::uuid, latchkey.clock()
  ${source}
  on conflict do nothing
  returning user_id`;

/** Replaces an earlier claim. @param condition on an earlier CTE, starting with `and` */
export const reclaimBootstrap = (previousId: string, userId: string, condition: Sql): Sql => sql`
  update latchkey.bootstrap set user_id = ${userId}::uuid, at = latchkey.clock()
  where user_id = ${previousId}::uuid ${condition}
  returning user_id`;
