import { type Actor, isOperator, isSignedIn } from '../../core/actor.ts';
import { addressBlock } from '../../core/address-block.ts';
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
  /** A message for the user. Default: the title of the code. The audit log does not contain it. */
  message?: string | undefined;
  /** The user, if the request has authenticated a user. */
  proven?: ActorName | undefined;
  cause?: unknown;
  /** Headers of the response, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
}

/**
 * Records the refusal in the audit log, then throws the error for the response. In a burst, refusals of callers without
 * a session are only counted. Housekeeping records the count.
 *
 * @throws AuthError with the refusal's code
 */
export async function refuse(runtime: Runtime, actor: Actor, refusal: Refusal): Promise<never> {
  const { event, code, reason, publicReason, message, target, organizationId, proven, cause, headers } =
    refusal;
  const error = new AuthError(code, {
    detail: reason,
    cause,
    ...(publicReason && { reason: publicReason }),
    ...(message && { message }),
    ...(headers && { headers }),
  });
  if (!countInBurst(runtime, actor, refusal)) {
    const entry = { event, outcome: 'failure', target, organizationId, details: { reason } } as const;
    await runtime.db.query(recordEvent(actor, entry, undefined, proven));
    recorded.add(error);
    if (cause instanceof AuthError) recorded.add(cause);
  }
  throw error;
}

const recorded = new WeakSet<AuthError>();

/** Whether `refuse` recorded an audit event for this error or its cause. False if it only counted the refusal. */
export const isRecorded = (error: AuthError): boolean => recorded.has(error);

/**
 * Counts the refusal and returns true if the refusal belongs to a burst. The refusals of users with a session, and of
 * operators, are recorded one by one: an attacker needs an account for them, and every refused authorization must name
 * its actor (ASVS 16.3.2).
 */
function countInBurst({ bursts }: Runtime, actor: Actor, refusal: Refusal): boolean {
  if (isSignedIn(actor) || isOperator(actor)) return false;
  const { event, reason, target, proven = null } = refusal;
  return bursts.count({
    event,
    reason,
    actor: proven,
    // Without an id, the name is what the request claims. So each request could be of another kind.
    target: target?.id ? { type: target.type, id: target.id, name: target.name } : null,
    ip: actor.ip && addressBlock(actor.ip),
  });
}
