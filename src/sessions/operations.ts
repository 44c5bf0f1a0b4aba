import { recordEvent } from '../audit/store.ts';
import type { Caller, SignedInActor } from '../core/actor.ts';
import type { Configuration } from '../core/config.ts';
import { minute, second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import type { CheckedSession, Session } from '../core/session.ts';
import { awaitStandby } from '../db/confirm-answer.ts';
import { andExists, from, sql } from '../db/sql.ts';
import { milliseconds } from '../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../db/version-conflict.ts';
import { deleteLinksTo } from '../impersonation-links/store.ts';
import { claimVersion } from '../users/store/versions.ts';
import { type FieldsRow, selectUser, type UserRow, userFromRow } from '../users/store.ts';
import { longestLifetimes, longestSeconds, touchSeconds } from './lifetimes.ts';
import { isPrivileged } from './rules.ts';
import { deleteOtherSessions, deleteSession } from './store/ending.ts';
import { type SessionRow, sessionFromRow, type TokenRow } from './store/session-row.ts';
import { recordUses } from './store/uses.ts';
import { selectByToken, selectByUser, selectLiveSession } from './store.ts';

/** Reads the live session with this token from the database. Returns null if no live session has this token. */
export async function readSession(runtime: Runtime, token: string | null): Promise<CheckedSession | null> {
  const row = token === null ? null : await findRow(runtime, token);
  return row && readFromRow(row, runtime.config);
}

/** Like `readSession`, but returns the session from the cache if this process has read it in the last few seconds. */
export const checkSession = (runtime: Runtime, token: string | null): Promise<CheckedSession | null> =>
  token === null
    ? Promise.resolve(null)
    : runtime.sessions.read(token, async (uncachedToken) => {
        const row = await findRow(runtime, uncachedToken);
        return row && { read: readFromRow(row, runtime.config), settledMs: settledMs(row, runtime.config) };
      });

type FoundRow = SessionRow & UserRow & FieldsRow & TokenRow;

/** Reads the row. Also records the session's use if the last recorded use is too old. */
async function findRow(runtime: Runtime, token: string): Promise<FoundRow | null> {
  const { config, db } = runtime;
  const [row] = await db.query<FoundRow>(
    selectByToken(token, config.reauthenticationWindowSeconds, touchSeconds(config), {
      admin: longestLifetimes('admin', config),
      superadmin: longestLifetimes('superadmin', config),
    }),
  );
  if (!row || !isUsable(row, config)) return null;
  return row.stale ? recordUse(runtime, row) : row;
}

/** Impersonated sessions are unusable without the option `impersonation`. */
const isUsable = (row: Pick<SessionRow, 'impersonator_type'>, { impersonation }: Configuration): boolean =>
  impersonation || row.impersonator_type === null;

/** Returns the row as it is after the use is recorded. */
async function recordUse({ config, db, uses }: Runtime, row: FoundRow): Promise<FoundRow> {
  const idleSeconds = idleSecondsOf(row, config);
  const usedAtMs = milliseconds(row.now);
  const use = { sessionId: row.session_id, usedAtMs, idleSeconds };
  const idleMs = idleSeconds * second;
  const lastUsedAtMs = milliseconds(row.last_seen_at);
  const leftMs = Math.min(milliseconds(row.expires_at), lastUsedAtMs + idleMs) - usedAtMs;
  if (leftMs > minute && usedAtMs - lastUsedAtMs < 5 * minute) uses.add(use);
  // Records at once if the session expires within a minute, because another process could see it expire while
  // the use waits in this process. Also records at once after a pause of five minutes, so that after a crash,
  // the recorded use is at most five minutes too old.
  else await db.query(recordUses([use.sessionId], { ...use, touchSeconds: touchSeconds(config) }));
  const expiresAtMs = Math.min(milliseconds(row.ends_at), usedAtMs + idleMs);
  return { ...row, last_seen_at: row.now, expires_at: new Date(expiresAtMs) };
}

/**
 * Returns the idle timeout of a session. If a function chose the timeout, it is the time from the last use to the
 * expiry in the row. If the session has reached its absolute expiry (`ends_at`), the row does not show the timeout.
 * Then any timeout gives the same expiry, because a session never expires after `ends_at`.
 */
function idleSecondsOf(row: FoundRow, config: Configuration): number {
  const longest = Math.min(longestSeconds(row.kind), longestLifetimes(row.role, config).idleSeconds);
  if (!config.lifetimeFunctions.idleSeconds) return longest;
  if (milliseconds(row.expires_at) >= milliseconds(row.ends_at)) return longest;
  const chosenMs = milliseconds(row.expires_at) - milliseconds(row.last_seen_at);
  return Math.min(longest, Math.round(chosenMs / second));
}

function readFromRow(row: FoundRow, config: Configuration): CheckedSession {
  const { method, has_unused_passkey: hasUnusedPasskey } = row;
  // The impersonator authenticated, not the user.
  const fresh = row.fresh && row.impersonator_type === null;
  return {
    user: userFromRow(row),
    fields: row.fields,
    session: sessionFromRow(row, row.session_id),
    fresh,
    privileged: isPrivileged(config, { method, hasUnusedPasskey }),
    hasUnusedPasskey,
  };
}

/**
 * Returns the time in milliseconds for which a cached session stays correct, if no statement changes it. Returns 0 for
 * a recovery session. Recovery sessions must not be cached, because some statements end them without knowing their ids.
 */
function settledMs(row: FoundRow, config: Configuration): number {
  if (row.kind === 'recovery') return 0;
  const until = Math.min(
    milliseconds(row.expires_at),
    milliseconds(row.last_seen_at) + touchSeconds(config) * second,
    row.fresh
      ? milliseconds(row.authenticated_at) + config.reauthenticationWindowSeconds * second
      : Number.POSITIVE_INFINITY,
  );
  // Timestamps are truncated to milliseconds. Subtracts 1, so that the returned time is never too long.
  return until - milliseconds(row.now) - 1;
}

/** Returns the caller's live sessions, the most recently used first. */
export async function listSessions(runtime: Runtime, actor: SignedInActor): Promise<Session[]> {
  const sessions = await listSessionsOf(runtime, actor.user.id, actor.session.id);
  return (
    sessions
      // The database may not have recorded this use of the current session yet.
      .map((session) => (session.current ? { ...actor.session, current: true } : session))
      .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt))
  );
}

/**
 * Returns a user's live sessions, the most recently used first. Leaves out impersonated sessions that are unusable
 * because the option `impersonation` is off.
 *
 * @param currentId the id of the session to mark as current; null: none
 */
export async function listSessionsOf(
  runtime: Runtime,
  userId: string,
  currentId: string | null = null,
): Promise<Session[]> {
  const rows = await runtime.db.query<SessionRow>(selectByUser(userId));
  return rows.filter((row) => isUsable(row, runtime.config)).map((row) => sessionFromRow(row, currentId));
}

/**
 * Ends the caller's current session. Also succeeds if the caller has no live session. In an impersonated session, this
 * ends the impersonation.
 */
export async function logOut(runtime: Runtime, caller: Caller): Promise<void> {
  if (caller.sessionToken === null) return;
  const read = await readSession(runtime, caller.sessionToken);
  if (read) {
    const { id, impersonator } = read.session;
    const event = impersonator ? 'impersonation.end' : 'session.logout';
    if ((await endSession(runtime, { ...caller, ...read }, id, event)) === 'ended') return;
  }
  await awaitStandby(runtime);
}

/**
 * Ends one of the caller's sessions. Ending the current session is the same as signing out.
 *
 * @throws AuthError `not_found` if the caller has no live session with this id
 * @throws AuthError `not_authenticated` if the caller's current session has ended
 */
export async function revokeSession(
  runtime: Runtime,
  actor: SignedInActor,
  sessionId: string,
): Promise<void> {
  const event = sessionId === actor.session.id ? 'session.logout' : 'session.revoke';
  const outcome = isUuid(sessionId) ? await endSession(runtime, actor, sessionId, event) : 'not_found';
  if (outcome !== 'ended') throw new AuthError(outcome);
}

async function endSession(
  runtime: Runtime,
  actor: SignedInActor,
  sessionId: string,
  event: 'session.logout' | 'session.revoke' | 'impersonation.end',
): Promise<'ended' | 'not_found' | 'not_authenticated'> {
  const target = { type: 'session', id: sessionId, name: null } as const;
  const [row] = await runtime.db.query<{ ended_id: string | null }>(sql`
    with live as (${selectLiveSession(actor.session.id)}),
      ended as (${deleteSession(actor.user.id, sessionId, andExists('live'))}),
      entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('ended'))})
    select ended.ended_id from live left join ended on true`);
  if (!row) return 'not_authenticated';
  return row.ended_id === null ? 'not_found' : 'ended';
}

/**
 * Ends each session of the caller except the current session. Also ends the sessions in which the caller uses the account
 * of another user, and deletes the impersonation link to the caller's account.
 *
 * Claims the account's version, because an impersonation can be starting in one of these sessions or as the caller. It
 * increments the version, too. So the later statement sees what the earlier statement has written.
 *
 * @returns the number of sessions that were live
 * @throws AuthError `not_authenticated` if the caller's current session has ended
 */
export async function revokeOtherSessions(runtime: Runtime, actor: SignedInActor): Promise<number> {
  const target = { type: 'user', id: actor.user.id, name: actor.user.username } as const;
  const event = { event: 'session.revoke_others', outcome: 'success', target } as const;
  return retryVersionConflicts(async () => {
    const [account] = await runtime.db.query<{ version: number }>(selectUser(actor.user.id));
    if (!account) throw new AuthError('not_authenticated');
    const rows = await runtime.db.query<{ claimed_id: string | null; was_live: boolean | null }>(sql`
      with live as (${selectLiveSession(actor.session.id)}),
        claimed as (${claimVersion(actor.user.id, account.version, andExists('live'))}),
        ended as (${deleteOtherSessions(actor.user.id, actor.session.id, andExists('claimed'))}),
        links as (${deleteLinksTo(actor.user.id, andExists('claimed'))}),
        entry as (${recordEvent(actor, event, from('claimed'))})
      select claimed.id as claimed_id, ended.was_live from live
      left join claimed on true left join ended on true`);
    const [row] = rows;
    if (!row) throw new AuthError('not_authenticated');
    return row.claimed_id === null ? versionConflict : rows.filter(({ was_live }) => was_live).length;
  });
}
