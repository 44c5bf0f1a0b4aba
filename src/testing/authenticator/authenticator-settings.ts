import type { AttestationAuthority, IssuingAuthority } from './attestation-authority.ts';
import { createAttestationAuthority } from './attestation-authority.ts';
import type { AttestationKind } from './attestation-kind.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** The options of `createSoftwareAuthenticator`. They apply to every ceremony. */
export interface SoftwareAuthenticatorOptions {
  /** The origin of the page, as the browser reports it: `https://app.example`. */
  origin: string;
  /** The algorithm of new keys. Default: `ES256`. */
  algorithm?: SoftwareAlgorithm;
  /** The UUID of the authenticator's model. Default: all zeros, which hides the model. */
  aaguid?: string;
  /** Default: `['internal', 'hybrid']`. Without `internal`, the authenticator is `cross-platform`. */
  transports?: string[];
  /** Whether passkeys can be synced (BE flag; WebAuthn Level 3, 6.1.3). Default: true. */
  backupEligible?: boolean;
  /** Whether passkeys are synced (BS flag). Default: the value of `backupEligible`. */
  backedUp?: boolean;
  /** The signature counter of a new passkey. Default: 0. */
  counter?: number;
  /**
   * How much each assertion adds to the counter. Default: 0 if `counter` is 0, as with synced passkeys. Otherwise 1.
   */
  counterStep?: number;
  /** The attestation of a new passkey. The preference in the creation options has no effect. Default: `none`. */
  attestation?: AttestationKind;
  /** The authority whose certificates the attestation contains. Default: a new one, which no service trusts. */
  attestationAuthority?: AttestationAuthority;
}

export interface AuthenticatorSettings extends Required<SoftwareAuthenticatorOptions> {
  /** Read it only for certificates, because the first read creates the authority. */
  attestationAuthority: IssuingAuthority;
  attachment: 'platform' | 'cross-platform';
}

const UNKNOWN_MODEL = '00000000-0000-0000-0000-000000000000';

export function authenticatorSettings(options: SoftwareAuthenticatorOptions): AuthenticatorSettings {
  const { transports = ['internal', 'hybrid'], backupEligible = true, counter = 0 } = options;
  const { backedUp = backupEligible } = options;
  if (backedUp && !backupEligible) {
    throw new TypeError(
      'backedUp: expected backupEligible to be true, too. To send an invalid flag, use tamper.flags.bs.',
    );
  }
  let authority: IssuingAuthority | undefined;
  return {
    origin: options.origin,
    algorithm: options.algorithm ?? 'ES256',
    aaguid: options.aaguid ?? UNKNOWN_MODEL,
    transports,
    backupEligible,
    backedUp,
    counter,
    counterStep: options.counterStep ?? (counter === 0 ? 0 : 1),
    attestation: options.attestation ?? 'none',
    get attestationAuthority() {
      authority ??= (options.attestationAuthority ?? createAttestationAuthority()) as IssuingAuthority;
      return authority;
    },
    attachment: transports.includes('internal') ? 'platform' : 'cross-platform',
  };
}
