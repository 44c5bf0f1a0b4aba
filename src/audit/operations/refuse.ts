import type { Actor } from '../../core/actor.ts';
import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { AuditEventName, AuditTarget } from '../event-names.ts';
import { type ActorName, recordEvent } from '../store.ts';

/** The operation that an actor attempted, as the audit log names it. */
export interface Attempt {
  event: AuditEventName;
  target?: AuditTarget | undefined;
  organizationId?: string | undefined;
}

/** A refusal to record in the audit log and to answer with. */
export interface Refusal<Reason extends string = string> extends Attempt {
  code: ErrorCode;
  /** The reason, for the audit log only. */
  reason: Reason;
  /** The `reason` in the response, if the caller may know it. */
  publicReason?: string | undefined;
  /** The user, if the request has authenticated one. */
  proven?: ActorName | undefined;
  cause?: unknown;
  /** Headers of the response, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
}

/**
 * Records a failure, then throws the error to answer with. Successes are recorded by the statement that makes the change.
 *
 * @throws AuthError with the refusal's code
 */
export async function refuse(runtime: Runtime, actor: Actor, refusal: Refusal): Promise<never> {
  const { event, code, reason, publicReason, target, organizationId, proven, cause, headers } = refusal;
  const entry = { event, outcome: 'failure', target, organizationId, details: { reason } } as const;
  await runtime.db.query(recordEvent(actor, entry, undefined, proven));
  throw new AuthError(code, {
    detail: reason,
    cause,
    ...(publicReason && { reason: publicReason }),
    ...(headers && { headers }),
  });
}
