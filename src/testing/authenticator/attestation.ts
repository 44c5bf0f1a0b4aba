import { encodeCBOR } from '@levischuck/tiny-cbor';
import type { AuthenticatorSettings } from './authenticator-settings.ts';
import { type Bytes, concatBytes } from './bytes.ts';
import { certifiedStatement } from './certified-attestation.ts';
import { hashClientData } from './client-data.ts';
import type { CborMap } from './cose-key.ts';
import type { SoftwareCredential } from './resident-credentials.ts';
import { coseAlgorithmId, signWith } from './signing-key.ts';
import { type CreateTampering, transformed } from './tampering.ts';

/**
 * Encodes the attestation object (WebAuthn Level 3, 6.5.4). The signature covers the given `authenticatorData` and
 * `clientDataJSON`, even if a test has changed them.
 */
export function encodeAttestationObject(
  settings: AuthenticatorSettings,
  credential: SoftwareCredential,
  authenticatorData: Bytes,
  clientDataJSON: Bytes,
  tamper: CreateTampering,
): Bytes {
  const { attestation: kind } = settings;
  const clientDataHash = hashClientData(clientDataJSON);
  const signedData = concatBytes(authenticatorData, clientDataHash);
  const statement: CborMap =
    kind === 'none'
      ? new Map()
      : kind === 'packed-self'
        ? selfAttestation(credential, signedData, tamper.afterSigning)
        : certifiedStatement(kind, settings.attestationAuthority, {
            credential,
            authenticatorData,
            clientDataHash,
            tamper,
          });
  const attestationObject: CborMap = new Map();
  attestationObject.set('fmt', tamper.fmt ?? (kind === 'packed-self' ? 'packed' : kind));
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
