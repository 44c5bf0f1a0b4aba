import { readFileSync } from 'node:fs';
import { decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { verifySignature } from '@simplewebauthn/server/helpers';
import { expect, test } from 'vitest';

interface Example {
  file: string;
  algorithm: number;
  key: { kty: string; crv: string; x: string; y?: string };
  cbor: string;
  external?: string;
  valid: boolean;
}

const { examples }: { examples: Example[] } = JSON.parse(
  readFileSync('tests/vectors/cose-sign1-examples.json', 'utf8'),
);
const curves: Record<string, { id: number; toDer?: (signature: Uint8Array) => Uint8Array }> = {
  'P-256': { id: 1, toDer: derOf(p256) },
  'P-384': { id: 2, toDer: derOf(p384) },
  'P-521': { id: 3, toDer: derOf(p521) },
  Ed25519: { id: 6 },
  Ed448: { id: 7 },
};

/** A COSE signature contains two numbers of fixed length. WebAuthn 6.5.5 has them in DER. */
function derOf(curve: typeof p256): (signature: Uint8Array) => Uint8Array {
  return (signature) => curve.Signature.fromBytes(signature, 'compact').toBytes('der');
}

type Message = [protectedHeader: Uint8Array, header: unknown, payload: Uint8Array, signature: Uint8Array];

/** The tag 18 of COSE_Sign1. The decoder reads no tags. */
const tag = /^d2/;
const emptyMap = 0xa0;

const bytes = (text: string, encoding: 'hex' | 'base64url') => Uint8Array.from(Buffer.from(text, encoding));

const asIs = (signature: Uint8Array) => signature;

/** Verifies the signature of a COSE_Sign1 (RFC 9052, 4.4) with the function that verifies assertions. */
async function verify({ algorithm, key, cbor, external = '' }: Example, flipped?: number): Promise<boolean> {
  const message = decodeCBOR(bytes(cbor.replace(tag, ''), 'hex')) as Message;
  const [protectedHeader, , payload, signature] = message;
  // An empty map is signed as an empty string (RFC 9052, section 3).
  const header = protectedHeader[0] === emptyMap ? new Uint8Array() : protectedHeader;
  const data = encodeCBOR(['Signature1', header, bytes(external, 'hex'), payload]);
  if (flipped !== undefined) data.set([(data.at(flipped) ?? 0) ^ 1], (flipped + data.length) % data.length);
  const { id, toDer = asIs } = curves[key.crv] ?? { id: 0 };
  const coordinates = [key.x, key.y].flatMap((value) => (value === undefined ? [] : [value]));
  const publicKey = encodeCBOR(
    new Map<number, number | Uint8Array>([
      [1, key.kty === 'EC' ? 2 : 1],
      [3, algorithm],
      [-1, id],
      ...coordinates.map((value, at): [number, Uint8Array] => [-2 - at, bytes(value, 'base64url')]),
    ]),
  );
  return verifySignature({
    signature: Uint8Array.from(toDer(signature)),
    data: Uint8Array.from(data),
    credentialPublicKey: Uint8Array.from(publicKey),
  });
}

const ofWebAuthn = examples.filter(({ key }) => key.crv !== 'Ed448');

test.each(ofWebAuthn.filter(({ valid }) => valid))(
  'the signature of $file is valid, but not for other data',
  async (example) => {
    expect(await verify(example)).toBe(true);
    expect(await verify(example, -1)).toBe(false);
    expect(await verify(example, 0)).toBe(false);
  },
);

test.each(ofWebAuthn.filter(({ valid }) => !valid))('the signature of $file is invalid', async (example) => {
  expect(await verify(example)).toBe(false);
});

test('the example with Ed448 is refused, because EdDSA stands for Ed25519 in WebAuthn 5.8.5', async () => {
  const [example, ...others] = examples.filter(({ key }) => key.crv === 'Ed448');
  expect(others).toEqual([]);
  await expect(verify(example as Example)).rejects.toThrow('Unexpected COSE crv value of 7');
});
