import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { CBORType } from '@levischuck/tiny-cbor';
import { type Bytes, concatBytes } from './bytes.ts';
import { coseAlgorithmId, type SoftwareAlgorithm } from './signing-key.ts';

/** A CBOR map. COSE keys, attestation statements and extension outputs are CBOR maps. */
export type CborMap = Map<string | number, CBORType>;

/**
 * The labels of a COSE key (RFC 9052, 7.1 and RFC 9053, 7), for tests that change the public key. RSA uses -1 for the
 * modulus and -2 for the exponent (RFC 8230).
 *
 * @example await authenticator.create(options, { publicKey: (key) => key.set(COSE.alg, -7) });
 */
export const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;

const KEY_TYPES: Record<string, number> = { OKP: 1, EC: 2, RSA: 3 };
const CURVES: Record<string, number> = {
  'P-256': 1,
  'P-384': 2,
  'P-521': 3,
  Ed25519: 6,
  Ed448: 7,
  secp256k1: 8,
};

/** Converts the public key to a COSE key, with members in CTAP2 canonical order (WebAuthn Level 3, 6.5.1.1). */
export function coseKey(privateKey: KeyObject, algorithm: SoftwareAlgorithm): CborMap {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return new Map<string | number, CBORType>([
    [COSE.kty, KEY_TYPES[jwk.kty ?? '']],
    [COSE.alg, coseAlgorithmId(algorithm)],
    ...(jwk.kty === 'RSA' ? rsaMembers(jwk) : curveMembers(jwk)),
  ]);
}

/** Encodes the public key as SubjectPublicKeyInfo in DER, as the browser's `getPublicKey()` returns it. */
export function subjectPublicKeyInfo(privateKey: KeyObject): Bytes {
  return concatBytes(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
}

function rsaMembers(jwk: JsonWebKey): [number, CBORType][] {
  return [
    [COSE.n, fromJwk(jwk.n)],
    [COSE.e, fromJwk(jwk.e)],
  ];
}

function curveMembers(jwk: JsonWebKey): [number, CBORType][] {
  const members: [number, CBORType][] = [
    [COSE.crv, CURVES[jwk.crv ?? '']],
    [COSE.x, fromJwk(jwk.x)],
  ];
  if (jwk.y) members.push([COSE.y, fromJwk(jwk.y)]);
  return members;
}

function fromJwk(member: string | undefined): Bytes {
  return concatBytes(Buffer.from(member ?? '', 'base64url'));
}
