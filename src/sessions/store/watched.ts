import type { Lifetimes } from '../../core/config-lifetimes.ts';
import { interval } from '../../core/duration.ts';
import type { SessionKind, SessionMethod } from '../../core/session.ts';
import type { Role } from '../../core/user.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import { isActive } from '../../users/store.ts';
import { hasUnusedPasskey, isWithin } from '../store.ts';
import { isValid, joinUsers } from './validity.ts';

/** The state that a watch compares with the state of the session when the watch started. */
export interface WatchedRow {
  id: string;
  kind: SessionKind;
  method: SessionMethod;
  role: Role;
  has_unused_passkey: boolean;
  expires_at: Timestamp;
}

/** Selects the live sessions with these ids. Does not record a use, so it extends no session. */
export const selectWatched = (
  sessionIds: readonly string[],
  { admin, superadmin }: Readonly<Record<'admin' | 'superadmin', Lifetimes>>,
): Sql => sql`
  select sessions.id, sessions.kind, sessions.method, users.role, sessions.expires_at,
    ${hasUnusedPasskey} as has_unused_passkey
  from latchkey.sessions
  ${joinUsers}
  where sessions.id = any(string_to_array(${sessionIds.join(',')}::text, ',')::uuid[])
    and sessions.expires_at > latchkey.clock()
    and ${isWithin('admin', interval(admin.ttlSeconds), interval(admin.idleSeconds))}
    and ${isWithin('superadmin', interval(superadmin.ttlSeconds), interval(superadmin.idleSeconds))}
    and ${isValid}
    and ${isActive}`;
