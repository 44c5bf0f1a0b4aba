import type { AuditEventName, AuditTarget } from '../../audit/events.ts';
import { recordFailure } from '../../audit/operations.ts';
import type { ActorName } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { CeremonyRefusal, type RefusalReason } from '../refusal.ts';

/** A refusal about to be written down and answered. */
export interface Refusal {
  event: AuditEventName;
  code: ErrorCode;
  reason: RefusalReason | ErrorCode;
  target?: AuditTarget | undefined;
  /** The person, where the ceremony has proven who it is. */
  proven?: ActorName | undefined;
  cause?: unknown;
}

/** Writes the failure row, then throws the one answer that the ceremony gives for every cause. */
export async function refuse(runtime: Runtime, actor: Actor, refusal: Refusal): Promise<never> {
  const { event, code, reason, target, proven, cause } = refusal;
  await recordFailure(runtime, actor, { event, target, details: { reason } }, proven);
  throw new AuthError(code, { detail: reason, cause });
}

/** The reason of a verification that threw. Anything but a refusal is a fault of ours and goes on as it is. */
export function refusalReason(error: unknown): Pick<Refusal, 'reason' | 'cause'> {
  if (error instanceof CeremonyRefusal) return { reason: error.reason, cause: error.cause };
  throw error;
}
