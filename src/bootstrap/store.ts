import { type Sql, sql } from '../db/sql.ts';

/** The account that was bootstrapped, which may be deleted since; no row where none was. */
export const selectBootstrapped = sql`select bootstrap.user_id as bootstrapped_id from latchkey.bootstrap`;

/**
 * Claims that a superadmin has been bootstrapped, once and for all: the table holds one row at most, so of any number
 * who claim it at once one gets a row back.
 *
 * @param source a `from` clause, for the conditions that it is done on
 */
export const claimBootstrap = (userId: string, source: Sql): Sql => sql`
  insert into latchkey.bootstrap (one, user_id, at)
  select true, ${userId}::uuid, latchkey.clock()
  ${source}
  on conflict do nothing
  returning user_id`;

/** As `claimBootstrap`, in place of an earlier one. @param condition on an earlier part of the statement, starting with `and` */
export const reclaimBootstrap = (earlierId: string, userId: string, condition: Sql): Sql => sql`
  update latchkey.bootstrap set user_id = ${userId}::uuid, at = latchkey.clock()
  where user_id = ${earlierId}::uuid ${condition}
  returning user_id`;
