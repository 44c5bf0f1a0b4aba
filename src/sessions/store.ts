import { v7 as uuid } from 'uuid';
import { type Caller, isSignedIn, type Operator, type SignedInActor } from '../core/actor.ts';
import type { Configuration } from '../core/config.ts';
import { interval } from '../core/duration.ts';
import type { Session, SessionKind, SessionMethod } from '../core/session.ts';
import { deletingExpired } from '../db/expired-rows.ts';
import { composeOnce, type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import { currentEpoch, isActive, isInRole, isOfCurrentEpoch, joinUser, userColumns } from '../users/store.ts';
import { lifetimesOf } from './lifetimes.ts';
import { hashToken } from './token.ts';

export interface SessionRow {
  session_id: string;
  kind: SessionKind;
  method: SessionMethod;
  session_created_at: Timestamp;
  last_seen_at: Timestamp;
  authenticated_at: Timestamp;
  expires_at: Timestamp;
  ip: string | null;
  user_agent: string | null;
}

/** What `selectByToken` tells beside the session and its user. */
export interface TokenRow {
  now: Timestamp;
  fresh: boolean;
  stale: boolean;
}

/** The columns of a session. In a `returning` clause of an insert or update the table's name still qualifies them. */
const sessionColumns = sql`
  sessions.id as session_id, sessions.kind, sessions.method, sessions.created_at as session_created_at,
  sessions.last_seen_at, sessions.authenticated_at, sessions.expires_at, sessions.ip, sessions.user_agent`;

export const sessionFromRow = (row: SessionRow, currentId: string | null): Session => ({
  id: row.session_id,
  kind: row.kind,
  current: row.session_id === currentId,
  createdAt: rfc3339(row.session_created_at),
  lastSeenAt: rfc3339(row.last_seen_at),
  authenticatedAt: rfc3339(row.authenticated_at),
  method: row.method,
  expiresAt: rfc3339(row.expires_at),
  ip: row.ip,
  userAgent: row.user_agent,
});

export interface NewSession {
  /** A new one where absent. */
  id?: string;
  userId: string;
  token: string;
  kind: SessionKind;
  method: SessionMethod;
  /** The epoch as an expression, for a statement that moves it. Default: the account's epoch before the statement. */
  epoch?: Sql;
}

/** @param source `from(cte)`: the session opens only where that part returned a row */
export const insertSession = (
  { id = uuid(), userId, token, kind, method, epoch = currentEpoch(userId) }: NewSession,
  caller: Caller,
  configured: Configuration,
  source = sql``,
): Sql => {
  const { ttlSeconds, idleSeconds } = lifetimesOf(kind, configured);
  return sql`
  insert into latchkey.sessions
    (id, user_id, epoch, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at,
     expires_at, ip, user_agent)
  select
    ${id}::uuid, ${userId}::uuid, ${epoch}, ${hashToken(token)}::text, ${kind}::text, ${method}::text,
    latchkey.clock(), latchkey.clock(), latchkey.clock(),
    latchkey.clock() + ${interval(ttlSeconds)}::interval,
    latchkey.clock() + ${interval(idleSeconds)}::interval,
    ${caller.ip}::text, ${caller.userAgent}::text
  ${source}
  returning ${sessionColumns}`;
};

/**
 * Ends the session a caller presented when it authenticates anew: no token outlives the login that replaces it.
 *
 * @param condition on an earlier part of the statement, starting with `and`
 */
export function deletePresented({ sessionToken }: Caller, condition = sql``): Sql {
  const hash = sessionToken === null ? null : hashToken(sessionToken);
  return sql`
  delete from latchkey.sessions where token_hash = ${hash}::text ${condition}
  returning id`.invalidating(hash);
}

/**
 * The session behind a token with its user, if both are alive by the database's clock.
 *
 * `fresh`: authenticated within the window. `stale`: not noted as seen for a while, see `touch`.
 */
export const selectByToken = (token: string, freshSeconds: number, touchSeconds: number): Sql =>
  selectByHash(hashToken(token), interval(freshSeconds), interval(touchSeconds));

const selectByHash = composeOnce(
  (tokenHash: string, freshFor: string, touchAfter: string) => sql`
  select ${sessionColumns}, ${userColumns}, latchkey.clock() as now,
    sessions.authenticated_at + ${freshFor}::interval >= latchkey.clock() as fresh,
    sessions.last_seen_at + ${touchAfter}::interval <= latchkey.clock() as stale
  from latchkey.sessions
  ${joinUser(sql`sessions.user_id`)}
  where sessions.token_hash = ${tokenHash}::text
    and sessions.expires_at > latchkey.clock()
    and ${isOfCurrentEpoch(sql`sessions.epoch`)}
    and ${isActive}`,
);

/** Notes that a session is in use and moves its idle expiry on, never past its absolute end. */
export const touch = (sessionId: string, touchSeconds: number, idleSeconds: number): Sql => sql`
  update latchkey.sessions
  set last_seen_at = latchkey.clock(),
    expires_at = least(ends_at, latchkey.clock() + ${interval(idleSeconds)}::interval)
  where id = ${sessionId}::uuid
    and expires_at > latchkey.clock()
    and last_seen_at + ${interval(touchSeconds)}::interval <= latchkey.clock()
  returning ${sessionColumns}`;

/**
 * Rotates the token after a new proof of presence, and says how it was proven.
 *
 * @param condition as of `deletePresented`
 */
export const renewSession = (
  sessionId: string,
  token: string,
  method: SessionMethod,
  idleSeconds: number,
  condition: Sql,
): Sql =>
  sql`
  update latchkey.sessions
  set token_hash = ${hashToken(token)}::text,
    method = ${method}::text,
    authenticated_at = latchkey.clock(),
    last_seen_at = latchkey.clock(),
    expires_at = least(ends_at, latchkey.clock() + ${interval(idleSeconds)}::interval)
  where id = ${sessionId}::uuid and expires_at > latchkey.clock() ${condition}
  returning ${sessionColumns}`.invalidating(sessionId);

/**
 * Rotates the token and nothing else, for a change of what its holder may do.
 *
 * @param sessionId null: no session is
 * @param condition as of `deletePresented`
 */
export const rotateToken = (sessionId: string | null, token: string, condition: Sql): Sql =>
  sql`
  update latchkey.sessions set token_hash = ${hashToken(token)}::text
  where id = ${sessionId}::uuid and expires_at > latchkey.clock() ${condition}
  returning ${sessionColumns}`.invalidating(sessionId);

/**
 * Repeats, inside a statement, the check of the epoch that let the request in. A database in memory leaves this text out,
 * since nothing happens at the same moment there. The operands are swapped so that the check at admission stays.
 */
export const andStillOfEpoch = sql`and users.session_epoch = sessions.epoch`;

/**
 * A row while a session is live, for a statement that must not act for one that has ended since the request was let in.
 *
 * The epoch is compared, too: a sign-in can leave a row behind that a statement which ended all sessions did not see. A
 * statement that gives the account a way in also claims the account's version, which moves with the epoch.
 */
export const selectLiveSession = (sessionId: string): Sql => sql`
  select sessions.id from latchkey.sessions
  ${joinUser(sql`sessions.user_id`)}
  where sessions.id = ${sessionId}::uuid and sessions.expires_at > latchkey.clock() ${andStillOfEpoch}`;

/** The ids of an account's live sessions. */
export const selectLiveIds = (userId: string): Sql => sql`
  select sessions.id from latchkey.sessions
  where sessions.user_id = ${userId}::uuid and sessions.expires_at > latchkey.clock()`;

/**
 * Gives a row where an actor may still do what their role let them do when the request was let in. An operator has
 * neither session nor role that could have ended.
 *
 * @param condition on top of that, starting with `and`; an operator is beyond it
 */
export const selectEntitled = (actor: SignedInActor | Operator, condition = sql``): Sql =>
  isSignedIn(actor)
    ? sql`
  select sessions.id from latchkey.sessions
  ${joinUser(sql`sessions.user_id`)}
  where sessions.id = ${actor.session.id}::uuid and sessions.expires_at > latchkey.clock()
    and ${isInRole(actor.user.role)} and ${isActive} ${andStillOfEpoch} ${condition}`
    : sql`select 1 as id`;

/** As `selectLiveSession`, and keeps it from ending until the statement is done. @param condition as of `deletePresented` */
export const lockLiveSession = (sessionId: string, condition = sql``): Sql =>
  sql`${selectLiveSession(sessionId)} ${condition} for update of sessions`;

export const selectByUser = (userId: string): Sql => sql`
  select ${sessionColumns} from latchkey.sessions
  ${joinUser(sql`sessions.user_id`)}
  where sessions.user_id = ${userId}::uuid and sessions.expires_at > latchkey.clock()
    and ${isOfCurrentEpoch(sql`sessions.epoch`)}
  order by sessions.last_seen_at desc, sessions.id`;

export const deleteExpiredSessions = deletingExpired({
  table: 'latchkey.sessions',
  key: 'id',
  expiry: 'expires_at',
});

/** A live session and its user as they are now, by the session's id. No row where either has ended. */
export const selectLiveSessionAndUser = (sessionId: string): Sql => sql`
  select ${sessionColumns}, ${userColumns}
  from latchkey.sessions
  ${joinUser(sql`sessions.user_id`)}
  where sessions.id = ${sessionId}::uuid
    and sessions.expires_at > latchkey.clock()
    and ${isOfCurrentEpoch(sql`sessions.epoch`)}
    and ${isActive}`;
