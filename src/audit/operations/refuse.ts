import type { Actor } from '../../core/actor.ts';
import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { AuditEventName, AuditTarget } from '../event-names.ts';
import { type ActorName, recordEvent } from '../store.ts';

/** A refusal about to be written down and answered. */
export interface Refusal<Reason extends string = string> {
  event: AuditEventName;
  code: ErrorCode;
  /** Why: for the audit log alone. */
  reason: Reason;
  /** What the answer says beside the code, as its `reason`; nothing, unless it may be known to whoever asks. */
  told?: string | undefined;
  target?: AuditTarget | undefined;
  organizationId?: string | undefined;
  /** The person, where it has been proven who it is. */
  proven?: ActorName | undefined;
  cause?: unknown;
  /** Response headers that belong to the answer: `Retry-After`, for example. */
  headers?: Record<string, string> | undefined;
}

/**
 * Writes the failure row, then throws the one answer that is given for every cause. A success is never recorded
 * here: it travels in the statement of its change.
 */
export async function refuse(runtime: Runtime, actor: Actor, refusal: Refusal): Promise<never> {
  const { event, code, reason, told, target, organizationId, proven, cause, headers } = refusal;
  const entry = { event, outcome: 'failure', target, organizationId, details: { reason } } as const;
  await runtime.db.query(recordEvent(actor, entry, undefined, proven));
  throw new AuthError(code, {
    detail: reason,
    cause,
    ...(told && { reason: told }),
    ...(headers && { headers }),
  });
}
