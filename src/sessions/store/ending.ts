import type { SignedInActor } from '../../core/actor.ts';
import { andExists, from, raw, type Sql, sql } from '../../db/sql.ts';
import { hashToken } from '../token.ts';

/**
 * Ends one live session of a user.
 *
 * @param condition on an earlier part of the statement, starting with `and`
 */
export const deleteSession = (userId: string, sessionId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where id = ${sessionId}::uuid and user_id = ${userId}::uuid and expires_at > latchkey.clock() ${condition}
  returning id as ended_id`.invalidating(sessionId);

/** @param condition as of `deleteSession` */
export const deleteSessionsOf = (userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/** @param condition as of `deleteSession` */
export const deleteOtherSessions = (userId: string, keptId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid and id <> ${keptId}::uuid ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/**
 * Ends all sessions of an account but the one with this token, which the same statement opens.
 *
 * @param condition as of `deleteSession`
 */
export const deleteSessionsBut = (token: string, userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid and token_hash <> ${hashToken(token)}::text ${condition}
  returning id as ended_id`.invalidating(userId);

/**
 * Ends every unfinished recovery of an account. No process caches recovery sessions, so no cache entry goes stale.
 *
 * @param condition as of `deleteSession`
 */
export const deleteRecoverySessions = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and user_id = ${userId}::uuid ${condition}
  returning id as ended_id`;

/**
 * Ends the recovery sessions with these ids.
 *
 * @param ids a `select` of one column
 * @param condition as of `deleteSession`
 */
export const deleteRecoverySessionsIn = (ids: Sql, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and id in (${ids}) ${condition}
  returning id as ended_id`;

/**
 * Ends the recovery sessions that recovery links opened for an account; those opened by a code go on.
 *
 * @param condition as of `deleteSession`
 */
export const deleteAssistedRecoverySessions = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and method = 'assisted_recovery' and user_id = ${userId}::uuid ${condition}
  returning id as ended_id`;

/**
 * The parts of a statement that end all sessions of the actor's account but the actor's own, which moves into the
 * account's new epoch. A sign-in at the same moment opens its session in the old epoch, so it ends as well.
 *
 * @param claimed an earlier part of the statement, which moved the epoch and returned `session_epoch`
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
