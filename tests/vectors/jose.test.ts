import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compactVerify, importJWK, type JWK } from 'jose';
import { verifyServiceToken } from 'latchkey/service-token';
import { describe, expect, test } from 'vitest';

/** The key of RFC 8037, appendix A.1, which also signs an example. */
const key = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

interface Example {
  name: string;
  token: string;
  /** The token has a valid signature of this key. */
  algorithm?: string;
  key?: { kty: string };
}

const { examples }: { examples: Example[] } = JSON.parse(
  readFileSync('tests/vectors/jose-examples.json', 'utf8'),
);
const keys = examples.flatMap((example) => example.key ?? []);
const jwks = { keys };
const options = { issuer: 'https://example.com', audience: 'orders', jwks };

const resultOf = (token: string, more: object = {}): Promise<string> =>
  verifyServiceToken(token, { ...options, ...more }).then(
    () => 'accepted',
    (error) => error.code,
  );

test.each(examples)('the JWS of $name is not a service token', async ({ token }) => {
  expect(await resultOf(token)).toBe('token_invalid');
  for (const only of keys) expect(await resultOf(token, { jwks: { keys: [only] } })).toBe('token_invalid');
});

const signed = examples.filter((example) => example.key);

test('eight of the published signatures are verified', () => {
  expect(signed).toHaveLength(8);
});

test.each(signed)(
  'the signature of $name is valid, so only the rules for service tokens refuse it',
  async ({ token, key, algorithm: alg }) => {
    expect(await compactVerify(token, await importJWK({ ...key, alg } as JWK))).toMatchObject({
      protectedHeader: { alg },
    });
  },
);

describe('with the key of RFC 8037, a service token', () => {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: options.issuer,
    aud: options.audience,
    sub: '0198a0c0-0000-7000-8000-000000000001',
    sid: '0198a0c0-0000-7000-8000-000000000002',
    role: 'user',
    amr: ['mfa'],
    auth_time: now,
    iat: now,
    exp: now + 300,
    jti: '0198a0c0-0000-7000-8000-000000000003',
  };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (header: object, payload = encoded(claims), signedPayload = payload) => {
    const head = encoded({ alg: 'EdDSA', typ: 'JWT', ...header });
    const signature = sign(null, Buffer.from(`${head}.${signedPayload}`), privateKey);
    return `${head}.${payload}.${signature.toString('base64url')}`;
  };

  test('is accepted', async () => {
    expect(await resultOf(signed({}))).toBe('accepted');
  });

  test('is accepted with headers that are unknown and not critical, because RFC 7515, section 4, ignores them', async () => {
    expect(await resultOf(signed({ b64: false, added: 1 }))).toBe('accepted');
  });

  test.each([
    ['an unknown critical header (RFC 7515, 4.1.11)', signed({ crit: ['exp'], exp: 1 })],
    ['an empty list of critical headers', signed({ crit: [] })],
    ['a critical header that is missing', signed({ crit: ['b64'] })],
    [
      'content that is not base64url (RFC 7797)',
      signed({ b64: false, crit: ['b64'] }, JSON.stringify(claims)),
    ],
    ['a detached payload', signed({}, '', encoded(claims))],
    ['an encryption algorithm (RFC 7516)', signed({ enc: 'A128GCM', alg: 'dir' })],
    ['the algorithm of another curve (RFC 9864)', signed({ alg: 'Ed448' })],
    ['a nested token (RFC 7519, section 5.2)', signed({ cty: 'JWT' }, encoded(signed({})))],
    ['claims that are a list', signed({}, encoded([claims]))],
    ['claims that are null', signed({}, encoded(null))],
    ['padding in the payload (RFC 7515, section 2)', signed({}, `${encoded(claims)}=`)],
    ['a fourth part', `${signed({})}.`],
    ['white space at the end (RFC 7515, section 2)', `${signed({})} `],
    ['white space in the signature (RFC 7515, section 2)', signed({}).replace(/(....)$/, ' $1')],
    ['a line break at the end (RFC 7515, section 2)', `${signed({})}\n`],
  ])('with %s is refused', async (_, token) => {
    expect(await resultOf(token)).toBe('token_invalid');
  });
});
