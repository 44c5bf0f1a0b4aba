import { generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type Bytes, concatBytes } from './bytes.ts';

const newKeyPair = promisify(generateKeyPair);

/** The name of a signature algorithm (a COSEAlgorithmIdentifier; WebAuthn Level 3, 5.8.5). */
export type SoftwareAlgorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384' | 'ES512' | 'RS1';

/**
 * Servers offer ES256, EdDSA and RS256 (WebAuthn Level 3, 5.8.5). The other algorithms are for tests. If a server did
 * not offer the algorithm of a key, the server must reject the key, even a valid key. RS1 is RSA with SHA-1.
 */
const ALGORITHMS = {
  ES256: { id: -7, digest: 'sha256', newKeyPair: () => newKeyPair('ec', { namedCurve: 'P-256' }) },
  EdDSA: { id: -8, digest: 'sha512', newKeyPair: () => newKeyPair('ed25519') },
  RS256: { id: -257, digest: 'sha256', newKeyPair: () => newKeyPair('rsa', { modulusLength: 2048 }) },
  ES384: { id: -35, digest: 'sha384', newKeyPair: () => newKeyPair('ec', { namedCurve: 'P-384' }) },
  ES512: { id: -36, digest: 'sha512', newKeyPair: () => newKeyPair('ec', { namedCurve: 'P-521' }) },
  RS1: { id: -65535, digest: 'sha1', newKeyPair: () => newKeyPair('rsa', { modulusLength: 2048 }) },
} as const satisfies Record<SoftwareAlgorithm, object>;

export function coseAlgorithmId(algorithm: SoftwareAlgorithm): number {
  return ALGORITHMS[algorithm].id;
}

export async function newPrivateKey(algorithm: SoftwareAlgorithm): Promise<KeyObject> {
  const { privateKey } = await ALGORITHMS[algorithm].newKeyPair();
  return privateKey;
}

/**
 * Signs as WebAuthn Level 3, 6.5.5 requires: ECDSA in DER, RSA as PKCS#1 v1.5, EdDSA without an encoding. The digest
 * depends on `algorithm`, not on the key. For example, a P-384 key signs with SHA-256 if `algorithm` is ES256.
 */
export function signWith(privateKey: KeyObject, algorithm: SoftwareAlgorithm, data: Uint8Array): Bytes {
  const hashesByItself = privateKey.asymmetricKeyType?.startsWith('ed') ?? false;
  return concatBytes(sign(hashesByItself ? null : ALGORITHMS[algorithm].digest, data, privateKey));
}
