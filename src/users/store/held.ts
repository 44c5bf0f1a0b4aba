import { type Sql, sql } from '../../db/sql.ts';
import { skeletonOf } from '../look-alikes.ts';

/** Counts the earlier usernames of an account, except the username to which the account changes. */
export const countHeldUsernames = (userId: string, username: string): Sql => sql`
  select count(*) as held from latchkey.held_usernames
  where held_usernames.user_id = ${userId}::uuid and held_usernames.username <> ${username}::text`;

/**
 * Keeps an earlier username taken. Only its account can get it again. Triggers on `users` enforce this, even for a
 * sign-up that is concurrent with the change of the username.
 *
 * @param source `from(cte)`: holds the username only if this CTE returns a row
 */
export const holdUsername = (userId: string, username: string, source: Sql): Sql => sql`
  insert into latchkey.held_usernames (username, skeleton, user_id, held_at)
  select ${username}::text, ${skeletonOf(username)}::text, ${userId}::uuid, latchkey.clock()
  ${source}
  returning username`;

/** Removes an earlier username of the account, because the account gets it again. @param condition as in `claimVersion` */
export const takeHeldUsername = (userId: string, username: string, condition: Sql): Sql => sql`
  delete from latchkey.held_usernames
  where user_id = ${userId}::uuid and username = ${username}::text ${condition}
  returning username`;

export const selectHeldUsernames = (userId: string): Sql => sql`
  select held_usernames.username from latchkey.held_usernames where held_usernames.user_id = ${userId}::uuid`;

/** Releases an earlier username of a deleted account, so that another user can sign up with it. */
export const releaseHeldUsername = (userId: string, username: string): Sql => sql`
  delete from latchkey.held_usernames
  where user_id = ${userId}::uuid and username = ${username}::text
    and exists (select 1 from latchkey.users where users.id = ${userId}::uuid and users.deleted_at is not null)
  returning username as id`;

/** An SQL expression: the time when an account got its username. */
export const usernameSince = (userId: string): Sql => sql`
  (select coalesce(users.username_since, users.created_at) from latchkey.users where users.id = ${userId}::uuid)`;
