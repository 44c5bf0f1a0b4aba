import type { AuthenticatorObstacle } from '../attestation/rules.ts';
import type { Refusal } from '../audit/operations/refuse.ts';
import type { ErrorCode } from '../core/errors.ts';

/** Why a ceremony failed, for the audit log. The response does not contain this reason. */
export type RefusalReason =
  | 'client_data_malformed'
  | 'challenge_unknown'
  | 'challenge_expired'
  | 'challenge_spent'
  | 'challenge_of_another_kind'
  | 'challenge_of_another_browser'
  | 'challenge_of_another_user'
  | 'session_not_by_password'
  | 'credential_unknown'
  | 'credential_of_another_user'
  | 'credential_id_mismatch'
  | 'credential_id_too_long'
  | 'user_handle_missing'
  | 'user_handle_mismatch'
  | 'user_disabled'
  | 'cross_origin'
  | 'attestation_not_asked_for'
  | 'attestation_malformed'
  | 'attestation_untrusted'
  | AuthenticatorObstacle
  | 'public_key_unacceptable'
  | 'backup_eligibility_changed'
  | 'counter_not_increased'
  | 'look_alike'
  | 'type_mismatch'
  | 'origin_mismatch'
  | 'rp_id_mismatch'
  | 'user_not_present'
  | 'user_not_verified'
  | 'signature_invalid'
  | 'verification_failed'
  | 'concurrent_change';

/** Thrown by the verification steps. Operations record the reason in the audit log. */
export class CeremonyError extends Error {
  override readonly name = 'CeremonyError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The audit event and response of a failed ceremony. */
export type RefusedCeremony = Refusal<RefusalReason | ErrorCode>;

/**
 * Returns the reason and cause of a `CeremonyError`. Rethrows any other error, because such an error is a bug or an
 * outage.
 */
export function refusalReason(error: unknown): Pick<RefusedCeremony, 'reason' | 'cause'> {
  if (error instanceof CeremonyError) return { reason: error.reason, cause: error.cause };
  throw error;
}
