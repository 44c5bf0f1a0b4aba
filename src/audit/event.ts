import type { Impersonator } from '../core/session.ts';
import { rfc3339 } from '../db/timestamp.ts';
import type { AuditOutcome } from './event-names.ts';
import type { AuditEventRow } from './store/events.ts';

/** An event in the audit log. */
export interface AuditEvent {
  id: string;
  /** RFC 3339. */
  at: string;
  /** An `AuditEventName`, or a name that only another version of the package uses. */
  event: string;
  outcome: AuditOutcome;
  actor: {
    type: 'user' | 'operator' | 'anonymous' | 'system';
    id: string | null;
    name: string | null;
  };
  /**
   * The superadmin or the operator who acted as `actor` in an impersonated session. Null: the session was not
   * impersonated. For an erased superadmin, `name` is a pseudonym.
   */
  impersonator: Impersonator | null;
  target: { type: string; id: string | null; name: string | null } | null;
  /** The organization that the event belongs to. Null: none. */
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The id of the request, the same as in the application's log. */
  requestId: string | null;
  details: Record<string, string | number | boolean | null>;
  /**
   * How many times it happened: 1, or more for a burst of refusals. `details` of a burst contains the times of the first
   * and the last refusal, `firstAt` and `lastAt`.
   */
  count: number;
}

export const eventFromRow = (row: AuditEventRow): AuditEvent => ({
  id: row.id,
  at: rfc3339(row.at),
  event: row.event,
  outcome: row.outcome,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  impersonator:
    row.impersonator_type === null
      ? null
      : { type: row.impersonator_type, id: row.impersonator_id, name: row.impersonator_name ?? '' },
  target:
    row.target_type === null ? null : { type: row.target_type, id: row.target_id, name: row.target_name },
  organizationId: row.organization_id,
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
  details: row.details,
  count: row.count ?? 1,
});
