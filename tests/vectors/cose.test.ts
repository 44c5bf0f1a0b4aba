import { readFileSync } from 'node:fs';
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { newAuthenticator, newUsername, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { resultOf } from './support/ceremonies.ts';
import { registrationFailed } from './support/expected-results.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

type Members = [label: string | number, value: CBORType][];

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const unacceptable = registrationFailed('public_key_unacceptable');
const refused = registrationFailed('verification_failed');

/** Signs up with this public key. The attestation is `none`, so no signature of the key is needed. */
async function resultFor(members: Members): Promise<string> {
  const browser = service.browser();
  const options = await signUpStart(browser, newUsername());
  const publicKey = () => Uint8Array.from(encodeCBOR(new Map(members)));
  const credential = await newAuthenticator().create(options, { publicKey });
  return resultOf(service, await browser.post('/auth/passkey/register/verify', { credential }));
}

const [kty, kid, alg, crv, x, y] = [1, 2, 3, -1, -2, -3];
const [es256, eddsa, es512] = [-7, -8, -36];

interface EcdsaKey {
  name: string;
  curve: number;
  x: string;
  y: string;
}
const { ecdsa, ed25519, smallOrder } = JSON.parse(readFileSync('tests/vectors/cose-keys.json', 'utf8')) as {
  /** They have no `alg`, which WebAuthn 6.5.1 requires. */
  ecdsa: EcdsaKey[];
  ed25519: { name: string; x: string }[];
  /** All encodings of the points of small order. */
  smallOrder: string[];
};
const members = (key: EcdsaKey, ...algorithm: Members): Members => [
  [kty, 2],
  [kid, new Uint8Array(Buffer.from(key.name))],
  ...algorithm,
  [crv, key.curve],
  [x, hex(key.x)],
  [y, hex(key.y)],
];

describe.each(ecdsa)('the key $name of RFC 9052', (key) => {
  const isP256 = key.curve === 1;

  test('is refused without an algorithm', async () => {
    expect(await resultFor(members(key))).toBe(refused);
  });

  test(`is ${isP256 ? 'accepted' : 'refused'} with the algorithm ES256`, async () => {
    expect(await resultFor(members(key, [alg, es256]))).toBe(isP256 ? 'accepted' : unacceptable);
  });

  test('is refused with the algorithm ES512, which the service does not offer', async () => {
    expect(await resultFor(members(key, [alg, es512]))).toBe(refused);
  });

  test('is refused with the algorithm EdDSA', async () => {
    expect(await resultFor(members(key, [alg, eddsa]))).toBe(unacceptable);
  });

  test('is refused with a compressed point, because WebAuthn 5.8.5 allows only uncompressed points', async () => {
    const compressed = members(key, [alg, es256]).map(([label, value]): Members[number] =>
      label === y ? [label, true] : [label, value],
    );
    expect(await resultFor(compressed)).toBe(unacceptable);
  });
});

describe('an Ed25519 key', () => {
  const keyOf = (point: string): Members => [
    [kty, 1],
    [alg, eddsa],
    [crv, 6],
    [x, hex(point)],
  ];

  test.each(ed25519)('of $name is accepted', async ({ x: point }) => {
    expect(await resultFor(keyOf(point))).toBe('accepted');
  });

  test.each(smallOrder)('with the point %s of small order is refused', async (point) => {
    expect(await resultFor(keyOf(point))).toBe(unacceptable);
  });

  test('with a number that is not on the curve is refused', async () => {
    expect(await resultFor(keyOf(`02${'00'.repeat(31)}`))).toBe(unacceptable);
  });
});
