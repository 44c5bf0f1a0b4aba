import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { type ServiceTokenError, verifyServiceToken } from 'latchkey/service-token';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSealer } from '../../src/core/sealing.ts';
import { newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { serviceSigningKeyOf, signServiceToken } from '../support/service-signing-key.ts';
import { origin, secret, startTestService } from '../support/test-service.ts';

const { publicKey, x, kid } = serviceSigningKeyOf(secret);
const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
const jwks = { keys: [jwk] };
const options = { issuer: origin, audience: 'orders', jwks };

const encoded = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns the error code. Fails if the token is accepted. */
async function refusalOf(token: string, more: Partial<typeof options> = {}): Promise<string> {
  const error = await verifyServiceToken(token, { ...options, ...more }).then(
    () => expect.fail('the token was accepted'),
    (thrown: ServiceTokenError) => thrown,
  );
  expect(error.name).toBe('ServiceTokenError');
  // The error contains neither the token nor a claim.
  for (const part of token.split('.').filter((text) => text.length > 8))
    expect(JSON.stringify([error.message, error.cause, error.stack])).not.toContain(part);
  expect(JSON.stringify([error.message, error.cause])).not.toContain('0198a0c0');
  expect(error).toMatchObject({ status: error.code === 'keys_unavailable' ? 503 : 401 });
  return error.code;
}

test('verifyServiceToken accepts the unchanged token from which the tests create forgeries', async () => {
  const claims = await verifyServiceToken(await signServiceToken(secret), options);
  expect(claims).toMatchObject({ audience: 'orders', role: 'user' });
});

describe('a service that verifies tokens can forge neither a token nor a sign-up:', () => {
  const claims = {
    iss: origin,
    aud: 'orders',
    sub: 'x',
    sid: 'x',
    role: 'superadmin',
    amr: ['mfa'],
    jti: 'x',
    auth_time: 1,
    iat: 1,
    exp: 9_999_999_999,
  };

  const publicForms: [name: string, bytes: Buffer | string][] = [
    ['in PEM', publicKey.export({ format: 'pem', type: 'spki' })],
    ['in DER', publicKey.export({ format: 'der', type: 'spki' })],
    ['in raw bytes', Buffer.from(x, 'base64url')],
    ['in base64url', x],
    ['as a JWK', JSON.stringify(jwk)],
    ['replaced by its key id', kid],
    ['replaced by an empty key', ''],
  ];
  test.each(publicForms)(
    'an HS256 token that is signed with the public key (%s) is rejected',
    async (_, key) => {
      for (const alg of ['HS256', 'EdDSA']) {
        const input = `${encoded({ alg, typ: 'JWT', kid })}.${encoded(claims)}`;
        const signature = createHmac('sha256', key).update(input).digest('base64url');
        expect(await refusalOf(`${input}.${signature}`)).toBe('token_invalid');
      }
    },
  );

  test('an HS256 token that is signed with the secret is rejected, because only EdDSA is accepted', async () => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(secret));
    expect(await refusalOf(token)).toBe('token_invalid');
  });

  test.each(['none', 'None', 'NONE', '', null, undefined])(
    'a token with the algorithm %j is rejected',
    async (alg) => {
      const input = `${encoded({ alg, typ: 'JWT', kid })}.${encoded(claims)}`;
      const [, , signature] = (await signServiceToken(secret)).split('.');
      for (const last of ['', signature, 'AAAA']) {
        expect(await refusalOf(`${input}.${last}`)).toBe('token_invalid');
      }
    },
  );

  test('a token that is signed with another key is rejected, even if its header contains this key', async () => {
    const own = generateKeyPairSync('ed25519');
    const ownJwk = own.publicKey.export({ format: 'jwk' });
    for (const header of [
      {},
      { jwk: ownJwk },
      { kid: 'own', jwk: ownJwk },
      { jku: 'https://evil.example' },
    ]) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid, ...header })
        .sign(own.privateKey);
      expect(await refusalOf(token)).toBe('token_invalid');
    }
  });

  test('a token whose key id does not match the key that signed it is rejected', async () => {
    const older = serviceSigningKeyOf('older');
    const two = { keys: [jwk, { ...jwk, x: older.x, kid: older.kid }] };
    const mixed = await signServiceToken(secret, {}, { kid: older.kid });
    expect(await refusalOf(mixed, { jwks: two })).toBe('token_invalid');
    for (const wrong of ['', '__proto__', 'x'.repeat(10_000)])
      expect(await refusalOf(await signServiceToken(secret, {}, { kid: wrong }), { jwks: two })).toBe(
        'token_invalid',
      );
  });

  test('a token with a changed claim or the signature of another token is rejected', async () => {
    const [header, payload = '', signature] = (await signServiceToken(secret)).split('.');
    const changed = Buffer.from(payload, 'base64url').toString().replace('"user"', '"superadmin"');
    expect(await refusalOf(`${header}.${encoded(changed)}.${signature}`)).toBe('token_invalid');
    const [, , other] = (await signServiceToken(secret, { role: 'admin' })).split('.');
    expect(await refusalOf(`${header}.${payload}.${other}`)).toBe('token_invalid');
  });

  test('a sign-up whose challenge is encrypted with the public key is rejected', async () => {
    const service = await startTestService();
    try {
      const browser = service.browser();
      const authenticator = newAuthenticator();
      const genuine = await signUpStart(browser);
      for (const [, known] of publicForms.filter(([, bytes]) => bytes.length > 0)) {
        const ceremony = {
          kind: 'signup',
          username: newUsername(),
          displayName: null,
          userHandle: genuine.user.id,
        };
        const sealed = {
          ceremony,
          browser: browser.cookies.get('latchkey-binding'),
          expiresAt: Date.now() + 60_000,
        };
        const challenge = createSealer([known.toString()]).seal('ceremony', sealed);
        const credential = await authenticator.create({ ...genuine, challenge });
        const answer = await browser.post('/auth/passkey/register/verify', { credential });
        expectProblem(answer, 'registration_failed');
      }
      const [count] = await service.database.sql`select count(*)::int as users from latchkey.users`;
      expect(count).toEqual({ users: 0 });
    } finally {
      await service.close();
    }
  });
});

describe('with a genuine signature,', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test.each<[what: string, claims: Record<string, unknown>]>([
    ['a token for another service', { aud: 'billing' }],
    ['a token for several services', { aud: ['orders', 'billing'] }],
    ['a token with a list of one audience', { aud: ['orders'] }],
    ['a token for a service whose name starts with the expected name', { aud: 'orders.example' }],
    ['a token without an audience', { aud: undefined }],
    ['a token from another issuer', { iss: 'https://evil.example' }],
    ['a token with a trailing slash in the issuer', { iss: `${origin}/` }],
    ['a token without an issuer', { iss: undefined }],
    ['a token without a user', { sub: undefined }],
    ['a token without a session', { sid: undefined }],
    ['a token without a role', { role: undefined }],
    ['a token with an unknown role', { role: 'root' }],
    ['a token with a list of roles', { role: ['user'] }],
    ['a token without authentication methods', { amr: undefined }],
    ['a token without an authentication time', { auth_time: undefined }],
    ['a token without an expiry', { exp: undefined }],
    ['a token whose expiry is a string', { exp: '9999999999' }],
    ['a token whose authentication time is out of range', { auth_time: 1e300 }],
    ['a token without an issue time', { iat: undefined }],
    ['a token without an id', { jti: undefined }],
    ['a token that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 600 }],
  ])('%s is invalid', async (_, claims) => {
    expect(await refusalOf(await signServiceToken(secret, claims))).toBe('token_invalid');
  });

  test.each([['at+jwt'], [undefined], ['logout+jwt'], [7]])(
    'a token with the type %j is invalid',
    async (typ) => {
      expect(await refusalOf(await signServiceToken(secret, {}, { typ }))).toBe('token_invalid');
    },
  );

  test('an expired token fails with token_expired, so that clients can request a new token', async () => {
    expect(await refusalOf(await signServiceToken(secret, { exp: now() - 6 }))).toBe('token_expired');
  });

  test('the clocks of issuer and verifier can differ by five seconds, or by clockToleranceSeconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const token = await signServiceToken(secret, { exp: now() - 4 });
    await verifyServiceToken(token, options);
    await expect(verifyServiceToken(token, { ...options, clockToleranceSeconds: 0 })).rejects.toMatchObject({
      code: 'token_expired',
    });
    const older = await signServiceToken(secret, { exp: now() - 50 });
    await verifyServiceToken(older, { ...options, clockToleranceSeconds: 60 });
  });

  test('an expired token fails with token_expired, but with a forged signature it fails with token_invalid', async () => {
    expect(await refusalOf(await signServiceToken('another secret', { exp: now() - 60 }))).toBe(
      'token_invalid',
    );
  });
});

test.each([
  ...['', '.', '..', '...', 'x', 'a.b.c', 'Bearer x', '\0', '{}', 'undefined', '\u{1f511}'.repeat(9)],
  ...[undefined, null, 7, {}, [], true].map((value) => value as unknown as string),
])('rejects %j as malformed', async (token) => {
  await expect(verifyServiceToken(token, options)).rejects.toMatchObject({
    name: 'ServiceTokenError',
    code: 'token_invalid',
  });
});

test('verifyServiceToken rejects a token from a service with another origin', async () => {
  const service = await startTestService({ tokenAudiences: 'orders' });
  const elsewhere = await startSecondInstance(service, {
    origins: ['http://localhost:4000', origin],
    tokenAudiences: 'orders',
  });
  try {
    const { browser } = await signUp(service);
    const { token } = (await elsewhere.browser(browser.cookies).post('/auth/session/token')).body;
    await verifyServiceToken(token, { ...options, issuer: 'http://localhost:4000' });
    expect(await refusalOf(token)).toBe('token_invalid');
  } finally {
    await elsewhere.close();
    await service.close();
  }
});

describe('an invalid option throws a TypeError that names the option', () => {
  test.each<[option: string, given: Record<string, unknown> | undefined]>([
    ['issuer', undefined],
    ['issuer', { ...options, issuer: undefined }],
    ['issuer', { ...options, issuer: 'example.com' }],
    ['issuer', { ...options, issuer: `${origin}/` }],
    ['issuer', { ...options, issuer: `${origin}/auth` }],
    ['issuer', { ...options, issuer: 'ftp://example.com' }],
    ['audience', { ...options, audience: undefined }],
    ['audience', { ...options, audience: '' }],
    ['audience', { ...options, audience: ['orders'] }],
    ['jwks', { ...options, jwks: 'jwks.json' }],
    ['jwks', { ...options, jwks: {} }],
    ['jwks', { ...options, jwks: { keys: 'x' } }],
    ['jwks', { ...options, jwks: 7 }],
    ['clockToleranceSeconds', { ...options, clockToleranceSeconds: -1 }],
    ['clockToleranceSeconds', { ...options, clockToleranceSeconds: 61 }],
    ['clockToleranceSeconds', { ...options, clockToleranceSeconds: '5' }],
  ])('(%s in %j)', async (option, given) => {
    const error = await verifyServiceToken('x', given as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(new RegExp(`^${option}: expected `));
  });
});
