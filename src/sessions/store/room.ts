import type { Caller } from '../../core/actor.ts';
import { bounds } from '../../core/bounds.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { hashToken } from '../token.ts';

/**
 * The account's live sessions, except the session that the caller's new session replaces. Impersonated sessions do not
 * count, because an impersonator must not sign out the user.
 */
const others = (userId: string, { sessionToken }: Caller): Sql => sql`
  from latchkey.sessions
  where sessions.user_id = ${userId}::uuid and sessions.expires_at > latchkey.clock()
    and sessions.impersonator_type is null
    and sessions.token_hash <> ${sessionToken === null ? '' : hashToken(sessionToken)}::text`;

/**
 * Selects a row if the account can certainly have another session. Every sign-in asks this, so it only counts entries
 * of an index, also those of expired sessions, and stops as soon as it knows the answer.
 */
export const selectRoom = (userId: string): Sql => sql`
  select 1 as id where not exists (
    select 1 from latchkey.sessions where sessions.user_id = ${userId}::uuid offset ${bounds.sessions - 1}::integer)`;

/**
 * CTEs that end the oldest sessions of an account, so that it can have another session. The oldest are the least
 * recently used ones. The CTE `ended_oldest` returns the ended sessions.
 *
 * - `excess`: more sessions than an account can have, which concurrent sign-ins can cause
 * - `oldest`: the oldest of the other sessions, if the account has the largest number of sessions
 *
 * Both skip the sessions that a concurrent sign-in is ending. So each of several concurrent sign-ins ends another
 * `oldest`, and the number of sessions stays right.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const endOldestSessions = (userId: string, caller: Caller, condition: Sql): Sql => sql`
    newest as (
      select sessions.id ${others(userId, caller)}
      order by sessions.last_seen_at desc, sessions.id desc
      limit ${bounds.sessions}::integer
    ),
    excess as (
      select sessions.id ${others(userId, caller)} and sessions.id not in (select id from newest) ${condition}
      for update skip locked
    ),
    oldest as (
      select sessions.id ${others(userId, caller)} and sessions.id in (select id from newest) ${condition}
        and exists (select 1 from newest offset ${bounds.sessions - 1}::integer)
      order by sessions.last_seen_at, sessions.id
      limit 1
      for update skip locked
    ),
    ended_oldest as (${deleteOldest(userId)})`;

const deleteOldest = (userId: string): Sql =>
  sql`
  delete from latchkey.sessions
  where id in (select id from excess union all select id from oldest)
  returning id as ended_id`.invalidating(userId);
