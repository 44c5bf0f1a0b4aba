import { createPrivateKey, sign } from 'node:crypto';
import { compactVerify, importJWK } from 'jose';
import { verifyServiceToken } from 'latchkey/service-token';
import { describe, expect, test } from 'vitest';

/** The key of RFC 8037, appendix A.1. */
const key = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
/** The key of RFC 7515, appendix A.1, for HS256. */
const symmetricKey = {
  kty: 'oct',
  k: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
};
/** The key of RFC 7515, appendix A.3, for ES256. */
const p256Key = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const { d: _d, ...publicKey } = key;
const jwks = { keys: [publicKey, symmetricKey, p256Key] };
const options = { issuer: 'https://example.com', audience: 'orders', jwks };

const resultOf = (token: string, more: object = {}): Promise<string> =>
  verifyServiceToken(token, { ...options, ...more }).then(
    () => 'accepted',
    (error) => error.code,
  );

const joePayload =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';

type PublicKey = (typeof jwks.keys)[number];

/** JWS of the specifications. Those with a key have a valid signature of this key. */
const published: [name: string, token: string, key?: PublicKey][] = [
  [
    'RFC 7515, appendix A.1 (HS256)',
    `eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.${joePayload}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
    symmetricKey,
  ],
  [
    'RFC 7515, appendix A.3 (ES256)',
    `eyJhbGciOiJFUzI1NiJ9.${joePayload}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
    p256Key,
  ],
  ['RFC 7515, appendix A.5, and RFC 7519, section 6.1 (none)', `eyJhbGciOiJub25lIn0.${joePayload}.`],
  [
    'RFC 7515, appendix E (an unknown critical header)',
    'eyJhbGciOiJub25lIiwNCiAiY3JpdCI6WyJodHRwOi8vZXhhbXBsZS5jb20vVU5ERUZJTkVEIl0sDQogImh0dHA6Ly9leGFtcGxlLmNvbS9VTkRFRklORUQiOnRydWUNCn0.RkFJTA.',
  ],
  [
    'RFC 7515, appendix F (detached content)',
    'eyJhbGciOiJFUzI1NiJ9..DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q',
  ],
  [
    'RFC 7797, section 4.1 (HS256)',
    'eyJhbGciOiJIUzI1NiJ9.JC4wMg.5mvfOroL-g7HyqJoozehmsaqmvTYGEq5jTI1gVvoEoQ',
    symmetricKey,
  ],
  [
    'RFC 7797, section 4.2 (content that is not base64url)',
    'eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY',
  ],
  [
    'RFC 8037, appendix A.4 (EdDSA with a known key, but no claims)',
    'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    publicKey,
  ],
];

test.each(published)('the JWS of %s is not a service token', async (_, token) => {
  expect(await resultOf(token)).toBe('token_invalid');
  for (const only of jwks.keys)
    expect(await resultOf(token, { jwks: { keys: [only] } })).toBe('token_invalid');
});

const algorithms: Record<string, string> = { oct: 'HS256', EC: 'ES256', OKP: 'EdDSA' };

test('four of the published signatures are valid, so only the rules for service tokens refuse them', async () => {
  const signed = published.flatMap(([, token, jwk]) => (jwk ? [{ token, jwk }] : []));
  expect(signed).toHaveLength(4);
  for (const { token, jwk } of signed) {
    const alg = algorithms[jwk.kty];
    expect(await compactVerify(token, await importJWK({ ...jwk, alg }))).toMatchObject({
      protectedHeader: { alg },
    });
  }
});

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
