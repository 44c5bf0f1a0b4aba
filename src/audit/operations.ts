import type { Actor } from '../core/actor.ts';
import { AuthError, type ErrorCode } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { AuditEntry, AuditEventName, AuditTarget } from './events.ts';
import { type ActorName, recordEvent } from './store.ts';

/** Writes down a refusal. A success is never recorded here: it travels in the statement of its change. */
export async function recordFailure(
  runtime: Runtime,
  actor: Actor,
  entry: Omit<AuditEntry, 'outcome'>,
  proven?: ActorName,
): Promise<void> {
  await runtime.db.query(recordEvent(actor, { ...entry, outcome: 'failure' }, undefined, proven));
}

/** A refusal about to be written down and answered. */
export interface Refusal<Reason extends string = string> {
  event: AuditEventName;
  code: ErrorCode;
  /** Why: for the audit log alone. */
  reason: Reason;
  target?: AuditTarget | undefined;
  /** The person, where it has been proven who it is. */
  proven?: ActorName | undefined;
  cause?: unknown;
}

/** Writes the failure row, then throws the one answer that is given for every cause. */
export async function refuse(runtime: Runtime, actor: Actor, refusal: Refusal): Promise<never> {
  const { event, code, reason, target, proven, cause } = refusal;
  await recordFailure(runtime, actor, { event, target, details: { reason } }, proven);
  throw new AuthError(code, { detail: reason, cause });
}
