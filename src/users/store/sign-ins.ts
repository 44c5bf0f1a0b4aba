import type { Caller } from '../../core/actor.ts';
import type { LastSignIn, SignInMethod } from '../../core/user-list.ts';
import { andExists, type Sql, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';

/**
 * Records the time, the method and the browser of a sign-in. For the statement that opens the session. Updates a row that
 * exists as long as the account, so a concurrent deletion of the account leaves no row.
 *
 * @param opening a CTE that returns a row if the session is opened
 */
export const recordSignIn = (
  userId: string,
  method: SignInMethod,
  { userAgent }: Caller,
  opening: string,
): Sql => sql`
  update latchkey.user_sign_ins
  set last_sign_in_at = latchkey.clock(), sign_in_method = ${method}::text, sign_in_user_agent = ${userAgent}::text
  where user_id = ${userId}::uuid ${andExists(opening)}
  returning user_id`;

/**
 * Like `recordSignIn`, for the statement that creates the account. Inserts the row before the trigger of `users` does.
 * In the in-memory database, the row already exists.
 */
export const recordSignUp = (userId: string, method: SignInMethod, { userAgent }: Caller): Sql => sql`
  insert into latchkey.user_sign_ins (user_id, last_sign_in_at, sign_in_method, sign_in_user_agent)
  select ${userId}::uuid, latchkey.clock(), ${method}::text, ${userAgent}::text
  on conflict (user_id) do update
  set last_sign_in_at = latchkey.clock(), sign_in_method = ${method}::text, sign_in_user_agent = ${userAgent}::text
  returning user_id`;

export interface LastSignInRow {
  last_sign_in_at: Timestamp;
  sign_in_method: SignInMethod | null;
  sign_in_user_agent: string | null;
}

/** The columns of the last sign-in. */
const signInColumns = sql`
  user_sign_ins.last_sign_in_at, user_sign_ins.sign_in_method, user_sign_ins.sign_in_user_agent`;

/** Selects the last sign-in of each user. */
export const selectSignIns = (userIds: readonly string[]): Sql => sql`
  select user_sign_ins.user_id, ${signInColumns} from latchkey.user_sign_ins
  where user_sign_ins.user_id = any(string_to_array(${userIds.join()}::text, ',')::uuid[])`;

/** A user who has never signed in has a row without a method. */
export const lastSignInFromRow = (row: LastSignInRow): LastSignIn | null =>
  row.sign_in_method === null
    ? null
    : { at: rfc3339(row.last_sign_in_at), method: row.sign_in_method, userAgent: row.sign_in_user_agent };
