import type { Lifetimes } from '../../core/config-lifetimes.ts';
import { interval } from '../../core/duration.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** The assignments that shorten a session to these lifetimes. They never make a session longer. */
export const shortened = ({ ttlSeconds, idleSeconds }: Lifetimes): Sql => sql`
  ends_at = least(ends_at, created_at + ${interval(ttlSeconds)}::interval),
  expires_at = least(expires_at, least(
    created_at + ${interval(ttlSeconds)}::interval, last_seen_at + ${interval(idleSeconds)}::interval))`;

/**
 * Shortens the sessions of an account to the lifetimes of its new role. With the default lifetimes, a demotion changes
 * no session, because the lifetimes of the role `user` are the longest. `deleteImpersonatedSessions` ends the
 * impersonated sessions.
 *
 * @param exceptId a session that the same statement changes in another place; null: none
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const shortenSessions = (
  userId: string,
  exceptId: string | null,
  lifetimes: Lifetimes,
  condition: Sql,
): Sql =>
  sql`
  update latchkey.sessions set ${shortened(lifetimes)}
  where user_id = ${userId}::uuid and impersonator_type is null
    and (ends_at > created_at + ${interval(lifetimes.ttlSeconds)}::interval
      or expires_at > last_seen_at + ${interval(lifetimes.idleSeconds)}::interval)
    ${exceptId === null ? sql`` : sql`and id <> ${exceptId}::uuid`}
    ${condition}
  returning id`.invalidating(userId);
