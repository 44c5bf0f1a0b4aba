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

/** The public keys of RFC 9052, appendix C.7.1. They have no `alg`, which WebAuthn 6.5.1 requires. */
const published: { name: string; curve: number; x: string; y: string }[] = [
  {
    name: 'meriadoc.brandybuck@buckland.example',
    curve: 1,
    x: '65eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d',
    y: '1e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c',
  },
  {
    name: '11',
    curve: 1,
    x: 'bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff',
    y: '20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e',
  },
  {
    name: 'bilbo.baggins@hobbiton.example',
    curve: 3,
    x: '0072992cb3ac08ecf3e5c63dedec0d51a8c1f79ef2f82f94f3c737bf5de7986671eac625fe8257bbd0394644caaa3aaf8f27a4585fbbcad0f2457620085e5c8f42ad',
    y: '01dca6947bce88bc5790485ac97427342bc35f887d86d65a089377e247e60baa55e4e8501e2ada5724ac51d6909008033ebc10ac999b9d7f5cc2519f3fe1ea1d9475',
  },
  {
    name: 'peregrin.took@tuckborough.example',
    curve: 1,
    x: '98f50a4ff6c05861c8860d13a638ea56c3f5ad7590bbfbf054e1c7b4d91d6280',
    y: 'f01400b089867804b8e9fc96c3932161f1934f4223069170d924b7e03bf822bb',
  },
];
const members = (key: (typeof published)[number], ...algorithm: Members): Members => [
  [kty, 2],
  [kid, new Uint8Array(Buffer.from(key.name))],
  ...algorithm,
  [crv, key.curve],
  [x, hex(key.x)],
  [y, hex(key.y)],
];

describe.each(published)('the key $name of RFC 9052', (key) => {
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

  test.each([
    ['RFC 8032, section 7.1, test 1', 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'],
    ['RFC 8032, section 7.1, test 2', '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'],
    ['RFC 8032, section 7.1, test 3', 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'],
  ])('of %s is accepted', async (_, point) => {
    expect(await resultFor(keyOf(point))).toBe('accepted');
  });

  const [ff, zero] = ['ff'.repeat(30), '00'.repeat(30)];
  /** All encodings of the points of small order: eight canonical ones and six others (RFC 8032, 5.1.3). */
  test.each([
    `01${zero}00`,
    `ec${ff}7f`,
    `00${zero}00`,
    `00${zero}80`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    `01${zero}80`,
    `ec${ff}ff`,
    `ed${ff}7f`,
    `ed${ff}ff`,
    `ee${ff}7f`,
    `ee${ff}ff`,
  ])('with the point %s of small order is refused', async (point) => {
    expect(await resultFor(keyOf(point))).toBe(unacceptable);
  });

  test('with a number that is not on the curve is refused', async () => {
    expect(await resultFor(keyOf(`02${zero}00`))).toBe(unacceptable);
  });
});
