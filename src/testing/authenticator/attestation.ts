import { encodeCBOR } from '@levischuck/tiny-cbor';
import { type Bytes, concatBytes } from './bytes.ts';
import { hashClientData } from './client-data.ts';
import type { CborMap } from './cose-key.ts';
import type { SoftwareCredential } from './resident-credentials.ts';
import { coseAlgorithmId, signWith } from './signing-key.ts';
import { type CreateTampering, transformed } from './tampering.ts';

/**
 * `packed-self`: signed with the key of the new credential (WebAuthn Level 3, 8.2). `none`: without a signature (8.7).
 */
export type AttestationKind = 'none' | 'packed-self';

/**
 * Encodes the attestation object (WebAuthn Level 3, 6.5.4). The signature covers the given `authenticatorData` and
 * `clientDataJSON`, even if a test has changed them.
 */
export function encodeAttestationObject(
  kind: AttestationKind,
  credential: SoftwareCredential,
  authenticatorData: Bytes,
  clientDataJSON: Bytes,
  tamper: CreateTampering,
): Bytes {
  const signedData = concatBytes(authenticatorData, hashClientData(clientDataJSON));
  const statement: CborMap =
    kind === 'none' ? new Map() : selfAttestation(credential, signedData, tamper.afterSigning);
  const attestationObject: CborMap = new Map();
  attestationObject.set('fmt', tamper.fmt ?? (kind === 'none' ? 'none' : 'packed'));
  attestationObject.set('attStmt', tamper.attStmt?.(statement, signedData) ?? statement);
  attestationObject.set('authData', transformed(authenticatorData, tamper.afterSigning?.authenticatorData));
  return transformed(new Uint8Array(encodeCBOR(attestationObject)), tamper.afterSigning?.attestationObject);
}

function selfAttestation(
  { privateKey, algorithm }: SoftwareCredential,
  signedData: Bytes,
  afterSigning: CreateTampering['afterSigning'],
): CborMap {
  const signature = transformed(signWith(privateKey, algorithm, signedData), afterSigning?.signature);
  return new Map<string | number, number | Bytes>([
    ['alg', coseAlgorithmId(algorithm)],
    ['sig', signature],
  ]);
}
