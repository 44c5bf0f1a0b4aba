import { sign, verify } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from 'vitest';
import { deriveKey } from '../../src/core/derive-key.ts';
import { createSealer } from '../../src/core/sealing.ts';
import { createSigningKeys, signingKeyFrom } from '../../src/core/signing-keys.ts';
import { randomBytesOf } from '../support/random.ts';
import { serviceSigningKeyOf } from '../support/service-signing-key.ts';

const randomBytes = randomBytesOf('core/signing-keys');

const newSecret = () => randomBytes(32).toString('base64url');
const [secret, other] = [newSecret(), newSecret()];

describe('the published test vectors', () => {
  /** The key of RFC 8037, appendix A.1. Appendices A.2 to A.4 use this key. */
  const { privateKey, publicJwk } = signingKeyFrom(
    Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url'),
  );

  test('of RFC 8037 A.2 confirm the public key of a seed', () => {
    expect(publicJwk).toMatchObject({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    });
  });

  test('of RFC 8037 A.3 confirm that the key id is the RFC 7638 thumbprint', () => {
    expect(publicJwk.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  test('of RFC 8037 A.4 confirm the signature of a JWS', () => {
    const input = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc';
    expect(sign(null, Buffer.from(input), privateKey).toString('base64url')).toBe(
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    );
  });

  test('of RFC 8032, section 7.1, test 1, confirm the public key and the signature of an empty message', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const key = signingKeyFrom(seed);
    expect(Buffer.from(key.publicJwk.x, 'base64url').toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(sign(null, Buffer.alloc(0), key.privateKey).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });
});

describe('the signing keys', () => {
  test('are derived from each secret as documented', async () => {
    const keys = createSigningKeys([secret, other]);
    const published = keys.published();
    expect(published.map(({ x, kid }) => ({ x, kid }))).toEqual(
      [secret, other].map((listed) => {
        const { x, kid } = serviceSigningKeyOf(listed);
        return { x, kid };
      }),
    );
    for (const jwk of published) expect(jwk.kid).toBe(await calculateJwkThumbprint({ ...jwk }));
    expect(createSigningKeys([secret, other]).published()).toEqual(published);
  });

  test('start with the key of the first secret, and this key signs', () => {
    const { current, published } = createSigningKeys([secret, other]);
    const { publicKey } = serviceSigningKeyOf(secret);
    const message = Buffer.from('message');
    expect(verify(null, message, publicKey, sign(null, message, current().privateKey))).toBe(true);
    expect(published()[0]).toEqual(current().publicJwk);
  });

  test('are published without their private properties', () => {
    for (const jwk of createSigningKeys([secret, other]).published()) {
      expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    }
  });

  test('are derived only once', () => {
    const keys = createSigningKeys([secret]);
    expect(keys.current()).toBe(keys.current());
  });

  test('contain a key only once if its secret is listed twice, because verifiers reject a duplicate key id', () => {
    expect(createSigningKeys([secret, other, secret]).published()).toHaveLength(2);
  });
});

test('each purpose has its own key, so a signing key cannot open sealed tokens', () => {
  const purposes = ['ceremony', 'device', 'recovery_code', 'service_token'] as const;
  const keys = purposes.map((purpose) => deriveKey(secret, purpose).toString('hex'));
  expect(new Set(keys).size).toBe(purposes.length);
  // Public values of the signing key do not open a sealed token, even if they are used as a secret.
  const sealed = createSealer([secret]).seal('ceremony', 'value');
  const { x, kid } = serviceSigningKeyOf(secret);
  for (const known of [x, kid, Buffer.from(x, 'base64url').toString('latin1')])
    expect(createSealer([known]).open('ceremony', sealed)).toBeNull();
});
