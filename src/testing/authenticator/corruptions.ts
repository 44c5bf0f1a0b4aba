import { type Bytes, concatBytes } from './bytes.ts';
import { type CborMap, COSE } from './cose-key.ts';
import type { ByteTransform } from './tampering.ts';

/**
 * Flips the lowest bit of the last byte, which is the smallest possible change.
 *
 * @example await authenticator.get(options, { afterSigning: { signature: flipLastBit } });
 */
export function flipLastBit(bytes: Uint8Array): Bytes {
  const flipped = new Uint8Array(bytes);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  return flipped;
}

/**
 * Removes `count` bytes from the end.
 *
 * @example await authenticator.get(options, { authenticatorData: truncateBy(1) });
 */
export function truncateBy(count: number): ByteTransform {
  return (bytes) => bytes.slice(0, Math.max(0, bytes.length - count));
}

/**
 * Appends bytes to the end.
 *
 * @example await authenticator.create(options, { authenticatorData: append(0x00) });
 */
export function append(...trailing: number[]): ByteTransform {
  return (bytes) => concatBytes(bytes, Uint8Array.from(trailing));
}

/**
 * Encodes the length of a small CBOR map in two bytes. CTAP2 canonical CBOR requires the shortest form, one byte.
 *
 * @example await authenticator.create(options, { afterSigning: { attestationObject: nonMinimalMap } });
 */
export function nonMinimalMap(cbor: Uint8Array): Bytes {
  return concatBytes(Uint8Array.of(0xb8, smallMapSize(cbor)), cbor.subarray(1));
}

/**
 * Encodes the CBOR map with indefinite length. CTAP2 canonical CBOR forbids indefinite length.
 *
 * @example await authenticator.create(options, { afterSigning: { attestationObject: indefiniteMap } });
 */
export function indefiniteMap(cbor: Uint8Array): Bytes {
  smallMapSize(cbor);
  return concatBytes(Uint8Array.of(0xbf), cbor.subarray(1), Uint8Array.of(0xff));
}

/**
 * Converts an ECDSA signature from DER to r || s. WebAuthn Level 3, 6.5.5 requires DER.
 *
 * @param size the number of bytes of r, and also of s
 * @example await authenticator.get(options, { afterSigning: { signature: (der) => rawEcdsaSignature(der) } });
 */
export function rawEcdsaSignature(der: Uint8Array, size = 32): Bytes {
  const sequence = Buffer.from(der);
  const r = derInteger(sequence, sequence.readUInt8(1) < 0x80 ? 2 : 3);
  const s = derInteger(sequence, r.end);
  return concatBytes(fixedSize(r.bytes, size), fixedSize(s.bytes, size));
}

/**
 * Changes an elliptic-curve COSE key, so that its point is not on the curve.
 *
 * @example await authenticator.create(options, { publicKey: offCurve });
 */
export function offCurve(key: CborMap): CborMap {
  const y = key.get(COSE.y);
  if (!(y instanceof Uint8Array)) throw new TypeError('offCurve: expected an elliptic-curve key');
  return new Map(key).set(COSE.y, flipLastBit(y));
}

/**
 * Removes a member from a COSE key.
 *
 * @example await authenticator.create(options, { publicKey: withoutMember(COSE.y) });
 */
export function withoutMember(label: number): (key: CborMap) => CborMap {
  return (key) => new Map([...key].filter(([member]) => member !== label));
}

function smallMapSize(cbor: Uint8Array): number {
  const head = cbor.at(0) ?? 0;
  if (head < 0xa0 || head > 0xb7) throw new TypeError('expected a CBOR map of fewer than 24 members');
  return head - 0xa0;
}

function derInteger(der: Buffer, at: number): { bytes: Buffer; end: number } {
  const start = at + 2;
  const end = start + der.readUInt8(at + 1);
  return { bytes: der.subarray(start, end), end };
}

function fixedSize(integer: Buffer, size: number): Buffer {
  return Buffer.concat([Buffer.alloc(size), integer]).subarray(-size);
}
