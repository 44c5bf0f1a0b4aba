import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { decodePartialCBOR } from '@levischuck/tiny-cbor';
import { bounds } from '../core/bounds.ts';
import { CeremonyError } from './refusal.ts';

/** The offered algorithms in order of preference: EdDSA, ES256, RS256 (for Windows Hello). */
export const offeredAlgorithms = [-8, -7, -257];

/** Labels of a COSE key (RFC 9052, 7.1; RFC 9053, 7). RSA uses -1 and -2 for its modulus and exponent (RFC 8230). */
const label = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;
const keyType = { OKP: 1, EC2: 2, RSA: 3 } as const;
const curve = { P256: 1, Ed25519: 6 } as const;

const rsaBits = { min: 2048, max: 8192 };

/**
 * Rejects a public key that cannot verify signatures or that would accept forged signatures:
 *
 * - a curve that does not fit the algorithm
 * - a point that is not on the curve, or a point of small order
 * - an RSA modulus of fewer than 2048 or more than 8192 bits, or an invalid RSA exponent
 * - a key that additional members make larger than 2048 bytes, because the key is stored
 *
 * SimpleWebAuthn does not check this. With attestation `none`, it accepts any key of an offered algorithm.
 *
 * @throws CeremonyError `public_key_unacceptable`
 */
export async function assertAcceptableKey(coseKey: Uint8Array): Promise<void> {
  try {
    if (coseKey.length > bounds.publicKeyBytes) throw new Error('the key is too large');
    const key = toJwk(coseKey);
    if (key.kty === 'OKP') {
      // The curve library is loaded on first use, because most passkeys use ES256.
      const { assertNotSmallOrder } = await import('./edwards-point.ts');
      assertNotSmallOrder(`${key.x}`);
    }
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    if (asymmetricKeyType !== 'rsa') return;
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
    const isAllowedSize = modulusLength >= rsaBits.min && modulusLength <= rsaBits.max;
    if (!isAllowedSize || publicExponent < 3n || publicExponent % 2n === 0n)
      throw new Error('the size or the exponent of the RSA key is not allowed');
  } catch (error) {
    throw new CeremonyError('public_key_unacceptable', error);
  }
}

/** The `alg` of a COSE key: a number if the key is valid. */
export const algorithmOf = (coseKey: Uint8Array): unknown => decodeKey(coseKey).get(label.alg);

function decodeKey(coseKey: Uint8Array): ReadonlyMap<unknown, unknown> {
  const [key, length] = decodePartialCBOR(Uint8Array.from(coseKey), 0);
  if (!(key instanceof Map)) throw new Error('not a CBOR map');
  if (length !== coseKey.length) throw new Error('bytes after the key');
  return key;
}

/** Converts a COSE key to a JWK. Rejects a key type or curve that does not fit the algorithm (RFC 9053, RFC 8812). */
function toJwk(coseKey: Uint8Array): JsonWebKey {
  const key = decodeKey(coseKey);
  const bytes = (member: number, length?: number) => {
    const value = key.get(member);
    if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length)) {
      throw new Error(
        `COSE label ${member}: expected ${length === undefined ? 'a byte string' : `${length} bytes`}`,
      );
    }
    return Buffer.from(value).toString('base64url');
  };
  const is = (member: number, value: number) => key.get(member) === value;
  const { kty, alg, crv, x, y, n, e } = label;

  if (is(alg, -7) && is(kty, keyType.EC2) && is(crv, curve.P256)) {
    return { kty: 'EC', crv: 'P-256', x: bytes(x, 32), y: bytes(y, 32) };
  }
  if (is(alg, -8) && is(kty, keyType.OKP) && is(crv, curve.Ed25519)) {
    return { kty: 'OKP', crv: 'Ed25519', x: bytes(x, 32) };
  }
  if (is(alg, -257) && is(kty, keyType.RSA)) {
    return { kty: 'RSA', n: bytes(n), e: bytes(e) };
  }
  throw new Error('the algorithm, key type and curve do not match');
}
