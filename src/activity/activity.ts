import type { AuditOutcome } from '../audit/events.ts';

/** An event of the audit log. */
export interface AuditEvent {
  id: string;
  /** RFC 3339. */
  at: string;
  /** One of `AuditEventName`; a log may also hold names of versions before or after this one. */
  event: string;
  outcome: AuditOutcome;
  actor: {
    type: 'user' | 'operator' | 'anonymous' | 'system';
    id: string | null;
    name: string | null;
  };
  target: { type: string; id: string | null; name: string | null } | null;
  /** The organization that it happened in. */
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  /** Ties it to the lines of the application's own log. */
  requestId: string | null;
  details: Record<string, string | number | boolean | null>;
}
