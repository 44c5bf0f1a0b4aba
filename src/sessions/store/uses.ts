import { interval } from '../../core/duration.ts';
import type { SessionUse } from '../../core/session-uses.ts';
import { type Sql, sql } from '../../db/sql.ts';

/**
 * Records a use of each session, and moves its idle expiry, but not beyond the absolute expiry. Skips
 * sessions whose last recorded use is less than `touchSeconds` before this use.
 *
 * Skips the rows that another statement has locked, so it neither waits nor causes a deadlock. The other statement
 * ends or renews the session, or records its use.
 */
export function recordUses(
  sessionIds: readonly string[],
  { usedAtMs, idleSeconds, touchSeconds }: Omit<SessionUse, 'sessionId'> & { touchSeconds: number },
): Sql {
  const usedAt = sql`${new Date(usedAtMs).toISOString()}::text::timestamptz`;
  return sql`
  update latchkey.sessions
  set last_seen_at = ${usedAt}, expires_at = least(ends_at, ${usedAt} + ${interval(idleSeconds)}::interval)
  where id = any(array(
    select used.id from latchkey.sessions as used
    where used.id = any(string_to_array(${sessionIds.join(',')}::text, ',')::uuid[])
      and used.expires_at > ${usedAt}
      and used.last_seen_at + ${interval(touchSeconds)}::interval <= ${usedAt}
    for update skip locked
  ))`;
}
