import { v7 as uuid } from 'uuid';
import type { Caller, SignedInActor } from '../core/actor.ts';
import type { Configuration } from '../core/config.ts';
import type { Lifetimes } from '../core/config-lifetimes.ts';
import { interval } from '../core/duration.ts';
import type { Impersonator, SessionKind, SessionMethod } from '../core/session.ts';
import type { Role, User } from '../core/user.ts';
import { batchDeletion } from '../db/expired-rows.ts';
import { composeOnce, raw, type Sql, sql } from '../db/sql.ts';
import { currentEpoch, hasPasskey, isActive, isInRole, userColumns } from '../users/store.ts';
import { impersonatedLifetimes, lifetimesOf } from './lifetimes.ts';
import { openedColumns, sessionColumns } from './store/session-row.ts';
import { shortened } from './store/shorten.ts';
import { andStillValid, epochOfImpersonation, isValid, joinUsers } from './store/validity.ts';
import { hashToken } from './token.ts';

/**
 * The condition that the user has a passkey, but did not authenticate with a passkey in this session. PostgreSQL looks
 * for a passkey only if the method is not `passkey`.
 */
export const hasUnusedPasskey = sql`(sessions.method <> 'passkey' and ${hasPasskey})`;

export interface NewSession {
  /** Default: a new id. */
  id?: string;
  /** The role decides how long the session lives. */
  user: Pick<User, 'id' | 'role'>;
  token: string;
  kind: SessionKind;
  method: SessionMethod;
  /** The passkey with which the user authenticated. Default: none. */
  passkeyId?: string;
  /**
   * The account's epoch after the statement. Needed only if the same statement increments the epoch. Default: the
   * account's epoch before the statement. A session is valid only in the current epoch of its account (see
   * `isValid`).
   */
  epoch?: Sql;
  /** The superadmin or the operator who uses the session as the user. Default: the user uses it. */
  impersonator?: Impersonator;
}

/** @param source `from(cte)`: opens the session only if this CTE returns a row */
export const insertSession = (
  {
    id = uuid(),
    user,
    token,
    kind,
    method,
    passkeyId,
    epoch = currentEpoch(user.id),
    impersonator,
  }: NewSession,
  caller: Caller,
  configured: Configuration,
  source = sql``,
): Sql => {
  const lifetimes = lifetimesOf(kind, user.role, configured, caller.request);
  const { ttlSeconds, idleSeconds } = impersonator ? impersonatedLifetimes(lifetimes) : lifetimes;
  return sql`
  insert into latchkey.sessions
    (id, user_id, epoch, token_hash, kind, method, passkey_id, created_at, last_seen_at, authenticated_at, ends_at,
     expires_at, ip, user_agent, impersonator_type, impersonator_id, impersonator_name, impersonator_epoch)
  select
    ${id}::uuid, ${user.id}::uuid, ${impersonator ? epochOfImpersonation(epoch) : epoch}, ${hashToken(token)}::text, ${kind}::text, ${method}::text,
    ${passkeyId ?? null}::uuid,
    latchkey.clock(), latchkey.clock(), latchkey.clock(),
    latchkey.clock() + ${interval(ttlSeconds)}::interval,
    latchkey.clock() + ${interval(idleSeconds)}::interval,
    ${caller.ip}::text, ${caller.userAgent}::text,
    ${impersonator?.type ?? null}::text, ${impersonator?.id ?? null}::uuid, ${impersonator?.name ?? null}::text,
    ${impersonator?.id ? currentEpoch(impersonator.id) : sql`null::integer`}
  ${source}
  returning ${openedColumns}`;
};

/**
 * Ends the session whose token is in the request. For a statement that opens a new session for the caller.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export function deletePresented({ sessionToken }: Caller, condition = sql``): Sql {
  const hash = sessionToken === null ? null : hashToken(sessionToken);
  return sql`
  delete from latchkey.sessions where token_hash = ${hash}::text ${condition}
  returning id`.invalidating(hash);
}

/**
 * Selects the live session with this token, and its user. Returns no row if the user is not active.
 *
 * A change of role shortens the sessions of the user (see `shortenSessions`), but not a session that a concurrent
 * sign-in is opening. So this check also compares the session with the lifetimes of the current role.
 */
export const selectByToken = (
  token: string,
  freshSeconds: number,
  touchSeconds: number,
  { admin, superadmin }: { readonly [R in Exclude<Role, 'user'>]: Lifetimes },
): Sql =>
  selectByHash(
    hashToken(token),
    interval(freshSeconds),
    interval(touchSeconds),
    interval(admin.ttlSeconds),
    interval(admin.idleSeconds),
    interval(superadmin.ttlSeconds),
    interval(superadmin.idleSeconds),
  );

/** The condition that a session of this role is within the lifetimes of the role. */
export const isWithin = (role: Role, ttl: string, idle: string): Sql => sql`
  (users.role <> ${raw(`'${role}'`)} or (sessions.created_at + ${ttl}::interval > latchkey.clock()
    and sessions.last_seen_at + ${idle}::interval > latchkey.clock()))`;

const selectByHash = composeOnce(
  (
    tokenHash: string,
    freshFor: string,
    touchAfter: string,
    adminTtl: string,
    adminIdle: string,
    superadminTtl: string,
    superadminIdle: string,
  ) => sql`
  select ${sessionColumns}, sessions.ends_at, ${userColumns}, users.fields, latchkey.clock() as now,
    sessions.authenticated_at + ${freshFor}::interval >= latchkey.clock() as fresh,
    sessions.last_seen_at + ${touchAfter}::interval <= latchkey.clock() as stale,
    ${hasUnusedPasskey} as has_unused_passkey
  from latchkey.sessions
  ${joinUsers}
  where sessions.token_hash = ${tokenHash}::text
    and sessions.expires_at > latchkey.clock()
    and ${isWithin('admin', adminTtl, adminIdle)}
    and ${isWithin('superadmin', superadminTtl, superadminIdle)}
    and ${isValid}
    and ${isActive}`,
);

/** How the user authenticated. */
export type Authentication =
  | { method: 'passkey'; passkeyId: string }
  | { method: 'password'; passkeyId: null };

/**
 * Replaces the token of a session after a step-up, and records the time and the method of the authentication.
 *
 * @param sessionId null: renews no session
 * @param condition as in `deletePresented`
 */
export const renewSession = (
  sessionId: string | null,
  token: string,
  { method, passkeyId }: Authentication,
  idleSeconds: number,
  condition: Sql,
): Sql =>
  sql`
  update latchkey.sessions
  set token_hash = ${hashToken(token)}::text,
    method = ${method}::text,
    passkey_id = ${passkeyId}::uuid,
    authenticated_at = latchkey.clock(),
    last_seen_at = latchkey.clock(),
    expires_at = least(ends_at, latchkey.clock() + ${interval(idleSeconds)}::interval)
  where id = ${sessionId}::uuid and expires_at > latchkey.clock() ${condition}
  returning ${openedColumns}`.invalidating(sessionId);

/**
 * Replaces the token of a session, and shortens the session to the lifetimes of the user's new role.
 *
 * @param sessionId null: changes no session
 * @param condition as in `deletePresented`
 */
export const rotateToken = (
  sessionId: string | null,
  token: string,
  lifetimes: Lifetimes,
  condition: Sql,
): Sql =>
  sql`
  update latchkey.sessions set token_hash = ${hashToken(token)}::text, ${shortened(lifetimes)}
  where id = ${sessionId}::uuid and expires_at > latchkey.clock() ${condition}
  returning ${openedColumns}`.invalidating(sessionId);

/**
 * Selects a row if the session is live. A statement repeats this check, because the session can end after the request
 * was admitted.
 *
 * A statement that ends all sessions cannot delete a session that a concurrent sign-in is inserting. This session stays
 * in an old epoch, so the check compares the epochs. The session can also end after the check, while the statement with
 * the check still runs. Therefore, a statement that adds a credential also claims the account's version.
 */
export const selectLiveSession = (sessionId: string): Sql => sql`
  select sessions.id from latchkey.sessions
  ${joinUsers}
  where sessions.id = ${sessionId}::uuid and sessions.expires_at > latchkey.clock() ${andStillValid}`;

/** Selects the ids of an account's live sessions. */
export const selectLiveIds = (userId: string): Sql => sql`
  select sessions.id from latchkey.sessions
  where sessions.user_id = ${userId}::uuid and sessions.expires_at > latchkey.clock()`;

/**
 * Selects a row if the actor's session is live, the user is active, and the user still has the same role as when the
 * request was admitted. More conditions can follow with `and`.
 */
export const selectEntitled = (actor: SignedInActor): Sql => sql`
  select sessions.id from latchkey.sessions
  ${joinUsers}
  where sessions.id = ${actor.session.id}::uuid and sessions.expires_at > latchkey.clock()
    and ${isInRole(actor.user.role)} and ${isActive} ${andStillValid}`;

/**
 * Like `selectLiveSession`, but also locks the row, so that the session cannot end before the statement commits.
 *
 * @param condition as in `deletePresented`
 */
export const lockLiveSession = (sessionId: string, condition = sql``): Sql =>
  sql`${selectLiveSession(sessionId)} ${condition} for update of sessions`;

const selectValid = (condition: Sql): Sql => sql`
  select ${sessionColumns} from latchkey.sessions
  ${joinUsers}
  where ${condition} and sessions.expires_at > latchkey.clock()
    and ${isValid}
  order by sessions.last_seen_at desc, sessions.id`;

export const selectByUser = (userId: string): Sql => selectValid(sql`sessions.user_id = ${userId}::uuid`);

/** Selects the live sessions in which a superadmin uses the accounts of other users. */
export const selectByImpersonator = (userId: string): Sql =>
  selectValid(sql`sessions.impersonator_id = ${userId}::uuid`);

export const deleteExpiredSessions = batchDeletion({
  table: 'latchkey.sessions',
  key: 'id',
  expiry: 'expires_at',
});

/** Selects the live session with this id, and its user. Returns no row if the user is not active. */
export const selectLiveSessionAndUser = (sessionId: string): Sql => sql`
  select ${sessionColumns}, ${userColumns}, ${hasUnusedPasskey} as has_unused_passkey
  from latchkey.sessions
  ${joinUsers}
  where sessions.id = ${sessionId}::uuid
    and sessions.expires_at > latchkey.clock()
    and ${isValid}
    and ${isActive}`;
