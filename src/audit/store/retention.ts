import { v7 as uuid } from 'uuid';
import type { Operator } from '../../core/actor.ts';
import { interval } from '../../core/duration.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** The result of `eraseFromDatabase`. */
export interface ErasureRow {
  /** Null: no user has the id. */
  erasure: { pseudonym: string; events: number; finished: boolean } | null;
}

/**
 * Erases a deleted user: replaces the personal data in up to `most` audit events with a pseudonym. If fewer events are
 * left, also removes everything but the id from the user's row. Records the event `user.erase` if anything changed (see
 * migration 15).
 */
export function eraseFromDatabase(userId: string, { operator }: Operator, most: number): Sql {
  const id = uuid();
  return sql`
  select latchkey.erase_user(${userId}::uuid, ${operator}::text, ${id}::uuid, ${most}::integer) as erasure`
    .withAuditEvent({ id, event: 'user.erase' })
    .invalidating(userId);
}

/** Selects a row if a process has pruned the audit log within the last hour. */
export const selectRecentPruning = sql`
  select audit_events.id from latchkey.audit_events
  where audit_events.event = 'audit.prune' and audit_events.at > latchkey.clock() - interval '1 hour'
  limit 1`;

/**
 * Deletes up to `most` events older than `seconds`, oldest first. Returns the number of deleted events as `removed`. If
 * this number is not 0, also records an `audit.prune` event. A trigger rejects other deletes (see migration 5).
 */
export function pruneEvents(seconds: number, most: number): Sql {
  const id = uuid();
  return sql`
  select latchkey.forget_audit_events(
    latchkey.clock() - ${interval(seconds)}::interval, ${most}::integer, ${id}::uuid
  ) as removed`.withAuditEvent({ id, event: 'audit.prune' });
}
