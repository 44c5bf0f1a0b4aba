import { v7 as uuid } from 'uuid';
import type { Operator } from '../../core/actor.ts';
import { interval } from '../../core/duration.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** The result of `eraseFromDatabase`. */
export interface ErasureRow {
  /** Null: no user has the id. */
  erasure: { pseudonym: string; events: number; finished: boolean } | null;
}

const eraseFunction = 'latchkey.erase_user(uuid, text, uuid, integer)';

/** Selects the name of the current role, quoted if necessary, and whether the role can run `eraseFromDatabase`. */
export const selectRightToErase = sql`
  select quote_ident(current_user) as role, has_function_privilege(${eraseFunction}::text, 'execute') as granted`;

/** The statement with which the owner of the schema grants a role the right to run `eraseFromDatabase`. */
export const grantToErase = (role: string): string => `grant execute on function ${eraseFunction} to ${role}`;

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
 * Deletes up to `most` events older than `days`, oldest first. Returns the number of deleted events as `removed`. If
 * this number is not 0, also records an `audit.prune` event. A trigger rejects other deletes (see migration 5).
 */
export function pruneEvents(days: number, most: number): Sql {
  const id = uuid();
  return sql`
  select latchkey.forget_audit_events(
    latchkey.clock() - ${interval(days * 86_400)}::interval, ${most}::integer, ${id}::uuid
  ) as removed`.withAuditEvent({ id, event: 'audit.prune' });
}
