import { day, interval, second } from '../../core/duration.ts';
import { type Sql, sql } from '../../db/sql.ts';

const secondsInDay = day / second;

/** Selects deleted accounts whose usernames can be released, the earliest deletion first. */
export const selectReleasable = (days: number, limit: number): Sql => sql`
  select users.id, users.username from latchkey.users
  where users.deleted_at <= latchkey.clock() - ${interval(days * secondsInDay)}::interval
    and users.username is not null
  order by users.deleted_at
  limit ${limit}::integer`;

/** Removes the username from a deleted account, so that another user can sign up with it. */
export const releaseUsername = (userId: string, username: string): Sql =>
  sql`
  update latchkey.users set username = null, skeleton = null
  where id = ${userId}::uuid and username = ${username}::text and deleted_at is not null
  returning id`.invalidating(userId);

/** Selects the digests of erased usernames that can be released. `deleted_before` is at most a day after the deletion. */
export const selectReleasableErased = (days: number, limit: number): Sql => sql`
  select erased_usernames.digest from latchkey.erased_usernames
  where erased_usernames.deleted_before <= latchkey.clock() - ${interval(days * secondsInDay)}::interval
  order by erased_usernames.deleted_before
  limit ${limit}::integer`;

/** Releases an erased username, so that another user can sign up with it. */
export const releaseErasedUsername = (digest: string): Sql => sql`
  delete from latchkey.erased_usernames where digest = ${digest}::text
  returning digest`;
