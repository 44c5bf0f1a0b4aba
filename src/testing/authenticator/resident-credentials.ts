import type { KeyObject } from 'node:crypto';
import type { PublicKeyCredentialDescriptorJSON } from '@simplewebauthn/server';
import type { Bytes } from './bytes.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** A passkey the software authenticator holds. */
export interface SoftwareCredential {
  /** base64url. */
  readonly id: string;
  readonly rpId: string;
  /** base64url: `user.id` of the creation options. */
  readonly userHandle: string;
  /** `user.name` of the creation options. */
  readonly username: string;
  readonly algorithm: SoftwareAlgorithm;
  /** The COSE key as it was sent, with whatever tampering it underwent. */
  readonly publicKey: Bytes;
  readonly privateKey: KeyObject;
  /** A UUID. */
  readonly aaguid: string;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  /** The signature counter of the latest response; 0 where nothing counts (WebAuthn Level 3, 6.1.1). */
  readonly counter: number;
}

/** By id, in the order of their making: the newest is the last. */
export type ResidentCredentials = Map<string, SoftwareCredential>;

/** Holding one of those excluded is InvalidStateError, as in a browser (WebAuthn Level 3, 5.1.3, 6.3.2). */
export function refuseExcluded(
  residents: ResidentCredentials,
  rpId: string,
  excluded: readonly PublicKeyCredentialDescriptorJSON[] = [],
): void {
  if (excluded.some(({ id }) => residents.get(id)?.rpId === rpId)) {
    throw new DOMException(`This authenticator already holds a credential for ${rpId}`, 'InvalidStateError');
  }
}

/** The newest credential asked for; none is NotAllowedError, as in a browser (WebAuthn Level 3, 5.1.4). */
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
    throw new DOMException(
      `This authenticator holds no credential for ${rpId} that is allowed`,
      'NotAllowedError',
    );
  }
  return newest;
}
