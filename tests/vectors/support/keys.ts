import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { CBORType } from '@levischuck/tiny-cbor';
import { p256, p384, p521 } from '@noble/curves/nist.js';

/** A COSE key, in the order of its members. */
export type CoseKey = Map<string | number, CBORType>;

/** A key pair whose signatures depend only on the key and the data. */
export interface Keys {
  publicKey: CoseKey;
  sign(data: Uint8Array): Uint8Array;
}

const bytes = (base64url = '') => Uint8Array.from(Buffer.from(base64url, 'base64url'));

const curves = {
  ES256: { id: -7, crv: 1, of: p256 },
  ES384: { id: -35, crv: 2, of: p384 },
  ES512: { id: -36, crv: 3, of: p521 },
} as const;

/** Keys for ECDSA in DER, with the deterministic nonce of RFC 6979. Node's own ECDSA uses a random nonce. */
export function ecdsaKeys(algorithm: keyof typeof curves, secret: Uint8Array): Keys {
  const { id, crv, of: curve } = curves[algorithm];
  const length = curve.Point.Fp.BYTES;
  const key = Uint8Array.from([...new Uint8Array(length - secret.length), ...secret]);
  const point = curve.getPublicKey(key, false);
  return {
    publicKey: new Map<string | number, CBORType>([
      [1, 2],
      [3, id],
      [-1, crv],
      [-2, point.slice(1, 1 + length)],
      [-3, point.slice(1 + length)],
    ]),
    sign: (data) => curve.sign(data, key, { lowS: false, format: 'der' }),
  };
}

// The PKCS#8 structures around the private keys of RFC 8032 (RFC 8410, section 7).
const edwards = {
  EdDSA: { id: -8, crv: 6, pkcs8: '302e020100300506032b657004220420' },
  Ed448: { id: -53, crv: 7, pkcs8: '3047020100300506032b6571043b0439' },
} as const;

export function edwardsKeys(algorithm: keyof typeof edwards, secret: Uint8Array): Keys {
  const { id, crv, pkcs8 } = edwards[algorithm];
  const der = Buffer.concat([Buffer.from(pkcs8, 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    publicKey: new Map<string | number, CBORType>([
      [1, 1],
      [3, id],
      [-1, crv],
      [-2, bytes(createPublicKey(key).export({ format: 'jwk' }).x)],
    ]),
    sign: (data) => sign(null, data, key),
  };
}

/** The RSA key of the specification: its primes are the two smallest Mersenne primes 2^p - 1 with p >= 1024. */
export function mersenneRsaKeys(): Keys {
  const [p, q, e] = [2n ** 1279n - 1n, 2n ** 2203n - 1n, 65_537n];
  const d = inverse(e, (p - 1n) * (q - 1n));
  const members = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, base64url(value)]));
  const key: KeyObject = createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' });
  return {
    publicKey: new Map<string | number, CBORType>([
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ]),
    sign: (data) => sign('sha256', data, key),
  };
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** The inverse of `value` modulo `modulus`, by the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r, nextR, s, nextS] = [modulus, value, 0n, 1n];
  while (nextR !== 0n) {
    const quotient = r / nextR;
    [r, nextR, s, nextS] = [nextR, r - quotient * nextR, nextS, s - quotient * nextS];
  }
  return ((s % modulus) + modulus) % modulus;
}
