import type { Actor } from '../../core/actor.ts';
import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { AuditEventName, AuditTarget } from '../event-names.ts';
import { type ActorName, recordEvent } from '../store.ts';

/** An operation that an actor attempted. */
export interface Attempt {
  event: AuditEventName;
  target?: AuditTarget | undefined;
  organizationId?: string | undefined;
}

/** The data of a refusal, for the audit log and for the response. */
export interface Refusal<Reason extends string = string> extends Attempt {
  /** The code in the response. */
  code: ErrorCode;
  /** The reason in the audit log. */
  reason: Reason;
  /** The `reason` in the response. Default: none. */
  publicReason?: string | undefined;
  /** The user, if the request has authenticated a user. */
  proven?: ActorName | undefined;
  cause?: unknown;
  /** Headers of the response, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
}

/**
 * Records the refusal in the audit log, then throws the error for the response.
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
