import type { AttestationKind } from './attestation.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** How a software authenticator behaves in every ceremony. */
export interface SoftwareAuthenticatorOptions {
  /** The origin of the page it acts on, as the browser would report it: `https://app.example`. */
  origin: string;
  /** The keys it makes; `ES256` by default. */
  algorithm?: SoftwareAlgorithm;
  /** Its model, as a UUID; all zeros by default: unknown. */
  aaguid?: string;
  /** `['internal', 'hybrid']` by default; an authenticator without `internal` is a `cross-platform` one. */
  transports?: string[];
  /** Whether its passkeys may be synced (BE; WebAuthn Level 3, 6.1.3); true by default. */
  backupEligible?: boolean;
  /** Whether they are (BS); by default as `backupEligible`. */
  backedUp?: boolean;
  /** The signature counter at registration; 0 by default. */
  counter?: number;
  /** What each assertion adds to it; by default 1, or 0 where `counter` is 0, like synced passkeys. */
  counterStep?: number;
  /** Attestation at registration, whatever conveyance the options prefer; `none` by default. */
  attestation?: AttestationKind;
}

export interface AuthenticatorSettings extends Required<SoftwareAuthenticatorOptions> {
  attachment: 'platform' | 'cross-platform';
}

const UNKNOWN_MODEL = '00000000-0000-0000-0000-000000000000';

export function authenticatorSettings(options: SoftwareAuthenticatorOptions): AuthenticatorSettings {
  const { transports = ['internal', 'hybrid'], backupEligible = true, counter = 0 } = options;
  const { backedUp = backupEligible } = options;
  if (backedUp && !backupEligible) {
    throw new TypeError('backedUp needs backupEligible; to lie about it, tamper with flags.bs');
  }
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
    attachment: transports.includes('internal') ? 'platform' : 'cross-platform',
  };
}
