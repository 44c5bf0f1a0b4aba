import type { Refusal } from '../../audit/operations.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { CeremonyRefusal, type RefusalReason } from '../refusal.ts';

/** A refusal of a ceremony. */
export type RefusedCeremony = Refusal<RefusalReason | ErrorCode>;

/** The reason of a verification that threw. Anything but a refusal is a fault of ours and goes on as it is. */
export function refusalReason(error: unknown): Pick<RefusedCeremony, 'reason' | 'cause'> {
  if (error instanceof CeremonyRefusal) return { reason: error.reason, cause: error.cause };
  throw error;
}
