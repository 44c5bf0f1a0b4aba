import type { KeyObject } from 'node:crypto';
import type { PublicKeyCredentialDescriptorJSON } from '@simplewebauthn/server';
import type { Bytes } from './bytes.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** A passkey of the software authenticator. */
export interface SoftwareCredential {
  /** base64url. */
  readonly id: string;
  readonly rpId: string;
  /** base64url: `user.id` of the creation options. */
  readonly userHandle: string;
  /** `user.name` of the creation options. */
  readonly username: string;
  readonly algorithm: SoftwareAlgorithm;
  /** The COSE key as the response contained it, including the changes of a test. */
  readonly publicKey: Bytes;
  readonly privateKey: KeyObject;
  /** A UUID. */
  readonly aaguid: string;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  /** The signature counter of the latest response. Zero: the authenticator has no counter (WebAuthn Level 3, 6.1.1). */
  readonly counter: number;
}

/** The credentials by id, in the order of creation. */
export type ResidentCredentials = Map<string, SoftwareCredential>;

/**
 * Rejects a registration if the authenticator already has an excluded credential (WebAuthn Level 3, 5.1.3 and 6.3.2).
 *
 * @throws DOMException `InvalidStateError`
 */
export function refuseExcluded(
  residents: ResidentCredentials,
  rpId: string,
  excluded: readonly PublicKeyCredentialDescriptorJSON[] = [],
): void {
  if (excluded.some(({ id }) => residents.get(id)?.rpId === rpId)) {
    throw new DOMException(`This authenticator already has a credential for ${rpId}`, 'InvalidStateError');
  }
}

/**
 * Chooses the newest allowed credential (WebAuthn Level 3, 5.1.4). An empty list allows every credential.
 *
 * @throws DOMException `NotAllowedError` if the authenticator has no allowed credential
 */
export function chooseCredential(
  residents: ResidentCredentials,
  rpId: string,
  allowed: readonly PublicKeyCredentialDescriptorJSON[] = [],
): SoftwareCredential {
  const allowedIds = new Set(allowed.map(({ id }) => id));
  const eligible = [...residents.values()].filter(
    (credential) => credential.rpId === rpId && (allowedIds.size === 0 || allowedIds.has(credential.id)),
  );
  const newest = eligible.at(-1);
  if (!newest) {
    throw new DOMException(`This authenticator has no allowed credential for ${rpId}`, 'NotAllowedError');
  }
  return newest;
}
