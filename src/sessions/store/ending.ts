import type { SignedInActor } from '../../core/actor.ts';
import type { Impersonator } from '../../core/session.ts';
import { everySession } from '../../core/session-cache.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, raw, type Sql, sql } from '../../db/sql.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import { hashToken } from '../token.ts';

/**
 * Ends one live session of a user.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const deleteSession = (userId: string, sessionId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where id = ${sessionId}::uuid and user_id = ${userId}::uuid and expires_at > latchkey.clock() ${condition}
  returning id as ended_id`.invalidating(sessionId);

/**
 * Ends all sessions of an account, and the sessions in which the user of the account uses other accounts.
 *
 * @param condition as in `deleteSession`
 */
export const deleteSessionsOf = (userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where (user_id = ${userId}::uuid or impersonator_id = ${userId}::uuid) ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/**
 * Ends up to `most` sessions of any accounts. The ids are an array for the reason that `batchDeletion` states.
 *
 * @param until leaves out later sign-ins. Null: now. Sessions that a link has opened end in any case
 */
export const deleteSomeSessions = (most: number, until: string | null): Sql =>
  sql`
  delete from latchkey.sessions
  where id = any(array(
    select sessions.id from latchkey.sessions
    where sessions.created_at <= coalesce(${until}::timestamptz, latchkey.clock())
      or sessions.method = 'impersonation' or sessions.kind = 'recovery'
    limit ${raw(`${most}`)}))
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(everySession);

/**
 * Ends all sessions of an account except the session with the id `keptId`. Also ends the sessions in which the user of
 * the account uses other accounts.
 *
 * @param condition as in `deleteSession`
 */
export const deleteOtherSessions = (userId: string, keptId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where (user_id = ${userId}::uuid or impersonator_id = ${userId}::uuid) and id <> ${keptId}::uuid ${condition}
  returning id as ended_id, expires_at > latchkey.clock() as was_live`.invalidating(userId);

/**
 * Ends the impersonated sessions of an account, and the sessions in which the user of the account uses other accounts.
 * Statements that change the role need it. Without it, a session would be valid again if the earlier role came back.
 *
 * @param condition as in `deleteSession`
 */
export const deleteImpersonatedSessions = (userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where impersonator_type is not null and (user_id = ${userId}::uuid or impersonator_id = ${userId}::uuid) ${condition}
  returning id as ended_id`.invalidating(userId);

/**
 * Ends the earlier impersonated sessions of an impersonator: for a superadmin, in all accounts; for an operator, in
 * this account.
 *
 * @param opened the session that the same statement opens
 * @param condition as in `deleteSession`
 */
export const deleteOtherSessionsOfImpersonator = (
  {
    id: openedId,
    user,
    impersonator: { id, name },
  }: { id: string; user: Pick<User, 'id'>; impersonator: Impersonator },
  condition: Sql,
): Sql =>
  sql`
  delete from latchkey.sessions
  where id <> ${openedId}::uuid and ${
    id === null
      ? sql`user_id = ${user.id}::uuid and impersonator_type = 'operator' and impersonator_name = ${name}::text`
      : sql`impersonator_id = ${id}::uuid`
  } ${condition}
  returning id as ended_id`.invalidating(id ?? user.id);

/**
 * Ends all sessions of an account except the session with this token. For a statement that also opens this session.
 *
 * @param condition as in `deleteSession`
 */
export const deleteSessionsExcept = (token: string, userId: string, condition: Sql): Sql =>
  sql`
  delete from latchkey.sessions
  where user_id = ${userId}::uuid and token_hash <> ${hashToken(token)}::text ${condition}
  returning id as ended_id`.invalidating(userId);

/**
 * Ends all recovery sessions of an account. Invalidates no cached sessions, because recovery sessions are never cached.
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
 * @param ids a `select` of one column: the ids
 * @param condition as in `deleteSession`
 */
export const deleteRecoverySessionsIn = (ids: Sql, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and id in (${ids}) ${condition}
  returning id as ended_id`;

/**
 * Ends the recovery sessions that a recovery link for this account opened. Does not end the recovery sessions that a
 * recovery code opened.
 *
 * @param condition as in `deleteSession`
 */
export const deleteAssistedRecoverySessions = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.sessions
  where kind = 'recovery' and method = 'assisted_recovery' and user_id = ${userId}::uuid ${condition}
  returning id as ended_id`;

/**
 * CTEs that end all sessions of the actor's account except the current session. The account has a new epoch, so the
 * current session must get the new epoch, too. A session that a concurrent sign-in opens has the old epoch and is not
 * valid. The CTEs also delete the impersonation link to the account.
 *
 * @param claimed the CTE that increments the account's epoch and returns it as `session_epoch`
 * @param removedPasskeyId the passkey that the statement removes. The current session then no longer refers to it.
 */
export const endOtherSessions = (
  { user, session }: SignedInActor,
  claimed: string,
  removedPasskeyId: string | null = null,
): Sql => sql`
  kept as (${keepInEpoch(session.id, claimed, removedPasskeyId)}),
  ended as (${deleteOtherSessions(user.id, session.id, andExists(claimed))}),
  impersonation_links as (${deleteLinksTo(user.id, andExists(claimed))})`;

const keepInEpoch = (sessionId: string, claimed: string, removedPasskeyId: string | null): Sql =>
  sql`
  update latchkey.sessions set epoch = ${raw(claimed)}.session_epoch,
    passkey_id = case when sessions.passkey_id = ${removedPasskeyId}::uuid then null else sessions.passkey_id end
  ${from(claimed)}
  where sessions.id = ${sessionId}::uuid
  returning sessions.id`.invalidating(sessionId);
