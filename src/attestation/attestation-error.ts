/** An attestation cannot be trusted. `attestation_malformed`: it has a form that the specification does not allow. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly reason: 'attestation_malformed' | 'attestation_untrusted';

  constructor(reason: AttestationError['reason'], cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
