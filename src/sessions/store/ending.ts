import type { SignedInActor } from '../../core/actor.ts';
import { andExists, from, raw, type Sql, sql } from '../../db/sql.ts';
import { hashToken } from '../token.ts';

/**
 * Ends one live session of a user.
 *
 * @param condition on an earlier CTE of the statement, starting with `and`
 */
export const deleteSession = (userId: string, sessionId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where id = ${sessionId}::uuid and user_id = ${userId}::uuid and expires_at > latchkey.clock() ${condition}
  returning id as ended_id`.invalidating(sessionId);

/** @param condition as in `deleteSession` */
export const deleteSessionsOf = (userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/** @param condition as in `deleteSession` */
export const deleteOtherSessions = (userId: string, keptId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid and id <> ${keptId}::uuid ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/**
 * Ends all sessions of an account except the one with this token, which the same statement opens.
 *
 * @param condition as in `deleteSession`
 */
export const deleteSessionsExcept = (token: string, userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid and token_hash <> ${hashToken(token)}::text ${condition}
  returning id as ended_id`.invalidating(userId);

/**
 * Ends each recovery session of an account. Needs no cache invalidation, because recovery sessions are never cached.
 *
 * @param condition as in `deleteSession`
 */
export const deleteRecoverySessions = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and user_id = ${userId}::uuid ${condition}
  returning id as ended_id`;

/**
 * Ends the recovery sessions with these ids.
 *
 * @param ids a `select` of one column
 * @param condition as in `deleteSession`
 */
export const deleteRecoverySessionsIn = (ids: Sql, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and id in (${ids}) ${condition}
  returning id as ended_id`;

/**
 * Ends the recovery sessions of an account that a recovery link opened, but not those that a recovery code opened.
 *
 * @param condition as in `deleteSession`
 */
export const deleteAssistedRecoverySessions = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and method = 'assisted_recovery' and user_id = ${userId}::uuid ${condition}
  returning id as ended_id`;

/**
 * CTEs that end all sessions of the actor's account except the current one, which moves to the account's new epoch. A
 * concurrent sign-in opens its session in the old epoch, so that session is not valid either.
 *
 * @param claimed the CTE that incremented the epoch and returned `session_epoch`
 */
export const endOtherSessions = ({ user, session }: SignedInActor, claimed: string): Sql => sql`
  kept as (${keepInEpoch(session.id, claimed)}),
  ended as (${deleteOtherSessions(user.id, session.id, andExists(claimed))})`;

const keepInEpoch = (sessionId: string, claimed: string): Sql =>
  sql`
  update latchkey.sessions set epoch = ${raw(claimed)}.session_epoch
  ${from(claimed)}
  where sessions.id = ${sessionId}::uuid
  returning sessions.id`.invalidating(sessionId);
