import type { OpenedSession, Session, SessionKind, SessionMethod } from '../../core/session.ts';
import { sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';

export interface SessionRow {
  session_id: string;
  kind: SessionKind;
  method: SessionMethod;
  session_passkey_id: string | null;
  session_created_at: Timestamp;
  last_seen_at: Timestamp;
  authenticated_at: Timestamp;
  expires_at: Timestamp;
  ip: string | null;
  user_agent: string | null;
  impersonator_type: 'user' | 'operator' | null;
  impersonator_id: string | null;
  impersonator_name: string | null;
}

/** The columns that only `selectByToken` returns. */
export interface TokenRow {
  /** The database's time. */
  now: Timestamp;
  /** Whether the user last authenticated within the reauthentication window. */
  fresh: boolean;
  /** True: the last recorded use of the session is too old, so this use must be recorded. */
  stale: boolean;
  /** The session ends at this time, even if it is used until then. */
  ends_at: Timestamp;
  has_unused_passkey: boolean;
}

/** The columns of a session. The prefix `sessions.` is valid in a `select` and also in a `returning` clause. */
export const sessionColumns = sql`
  sessions.id as session_id, sessions.kind, sessions.method, sessions.passkey_id as session_passkey_id,
  sessions.created_at as session_created_at, sessions.last_seen_at, sessions.authenticated_at, sessions.expires_at, sessions.ip, sessions.user_agent,
  sessions.impersonator_type, sessions.impersonator_id, sessions.impersonator_name`;

export const sessionFromRow = (row: SessionRow, currentId: string | null): Session => ({
  id: row.session_id,
  kind: row.kind,
  current: row.session_id === currentId,
  createdAt: rfc3339(row.session_created_at),
  lastSeenAt: rfc3339(row.last_seen_at),
  authenticatedAt: rfc3339(row.authenticated_at),
  method: row.method,
  // A process of an earlier version does not set the column when it renews a session, so the column can be outdated.
  passkeyId: row.method === 'passkey' ? row.session_passkey_id : null,
  expiresAt: rfc3339(row.expires_at),
  ip: row.ip,
  userAgent: row.user_agent,
  impersonator:
    row.impersonator_type === null
      ? null
      : { type: row.impersonator_type, id: row.impersonator_id, name: row.impersonator_name ?? '' },
});

/** The columns of a session with a new token. */
export const openedColumns = sql`${sessionColumns}, sessions.epoch as session_epoch`;

export interface OpenedSessionRow extends SessionRow {
  session_epoch: number;
}

export const openedFromRow = (row: OpenedSessionRow, token: string): OpenedSession => ({
  session: sessionFromRow(row, row.session_id),
  token,
  epoch: row.session_epoch,
});
