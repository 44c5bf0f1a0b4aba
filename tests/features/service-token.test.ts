import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { verifyServiceToken } from 'latchkey/service-token';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey, logIn, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startServiceOn } from '../support/service-on.ts';
import { serviceSigningKeyOf } from '../support/service-signing-key.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import { startRecovering } from './support/recovery.ts';

const { x, kid } = serviceSigningKeyOf(secret);
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] };
const path = '/auth/session/token';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    bcryptCost: 4,
    tokenAudiences: ['orders', 'https://billing.example.com'],
  });
});
afterAll(() => service.close());

test('a signed-in user gets a token that another service can verify with the public key', async () => {
  const { browser, signedUp } = await signUp(service);
  const { user, session } = signedUp.body;
  const before = Math.floor(Date.now() / 1000);
  const answer = await browser.post(path);
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body).sort()).toEqual(['expiresAt', 'token']);

  const { payload, protectedHeader } = await jwtVerify(answer.body.token, createLocalJWKSet(jwks));
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid });
  expect(payload).toEqual({
    iss: origin,
    aud: 'orders',
    sub: user.id,
    sid: session.id,
    role: 'user',
    amr: ['pop', 'user', 'mfa'],
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1000),
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 300,
    jti: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(payload.iat).toBeGreaterThanOrEqual(before);
  expect(answer.body.expiresAt).toBe(new Date((payload.exp ?? 0) * 1000).toISOString());

  const claims = await verifyServiceToken(answer.body.token, { issuer: origin, audience: 'orders', jwks });
  expect(claims).toEqual({
    userId: user.id,
    sessionId: session.id,
    role: 'user',
    audience: 'orders',
    issuer: origin,
    methods: ['pop', 'user', 'mfa'],
    authenticatedAt: session.authenticatedAt.replace(/\.\d+Z$/, '.000Z'),
    issuedAt: new Date((payload.iat ?? 0) * 1000).toISOString(),
    expiresAt: answer.body.expiresAt,
    tokenId: payload.jti,
    actorId: null,
  });
});

test('every token has a different id', async () => {
  const { browser } = await signUp(service);
  const answers = await Promise.all([browser.post(path), browser.post(path)]);
  const [one, two] = answers.map(({ body }) => decodeJwt(body.token).jti);
  expect(one).toEqual(expect.any(String));
  expect(two).not.toBe(one);
});

test('a token contains the method of the last authentication', async () => {
  const { browser, signedUp } = await signUp(service);
  const password = 'a wet towel in Oslo';
  await browser.post('/auth/password/add', { password });
  await browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
  const claimsNow = async () => {
    const { token } = (await browser.post(path)).body;
    return verifyServiceToken(token, { issuer: origin, audience: 'orders', jwks });
  };
  expect((await browser.post('/auth/password/stepup', { password })).status).toBe(200);
  const byPassword = await claimsNow();
  expect(byPassword.methods).toEqual(['pwd']);
  await addPasskey(browser);
  expect((await claimsNow()).methods).toEqual(['pop', 'user', 'mfa']);
});

test('a request for a token requires a session, and the token is not accepted as a session token', async () => {
  expectProblem(await service.browser().post(path), 'not_authenticated');
  const { browser } = await signUp(service);
  const { token } = (await browser.post(path)).body;
  const stranger = service.browser();
  stranger.cookies.set('latchkey', token);
  expectProblem(await stranger.get('/auth/session'), 'not_authenticated');
});

describe('the audience', () => {
  const audienceOf = async (token: string) => (await jwtVerify(token, createLocalJWKSet(jwks))).payload.aud;

  test('is the one that the request names', async () => {
    const { browser } = await signUp(service);
    const audience = 'https://billing.example.com';
    expect(await audienceOf((await browser.post(path, { audience })).body.token)).toBe(audience);
  });

  test('is by default the first configured audience, or the RP id if no audience is configured', async () => {
    const { browser } = await signUp(service);
    expect(await audienceOf((await browser.post(path, {})).body.token)).toBe('orders');
    const plain = await startSecondInstance(service);
    const { token } = (await plain.browser(browser.cookies).post(path)).body;
    await plain.close();
    expect(await audienceOf(token)).toBe('localhost');
  });

  test.each(['localhost', 'Orders', 'orders ', '', 'https://billing.example.com/', '*', '__proto__'])(
    'cannot be %j, and the error lists the configured audiences',
    async (audience) => {
      const { browser } = await signUp(service);
      const answer = await browser.post(path, { audience });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: 'audience', message: 'expected one of "orders", "https://billing.example.com"' }],
      });
    },
  );

  test.each([[null], [7], [['orders']], [{ name: 'orders' }]])(
    'must be a string, not %j',
    async (audience) => {
      const { browser } = await signUp(service);
      const errors = [{ path: 'audience', message: 'expected a string' }];
      expectProblem(await browser.post(path, { audience }), 'invalid_request', { errors });
    },
  );

  test('is the only allowed property of the request', async () => {
    const { browser } = await signUp(service);
    const errors = [{ path: 'role', message: 'this property is unknown' }];
    expectProblem(await browser.post(path, { audience: 'orders', role: 'superadmin' }), 'invalid_request', {
      errors,
    });
  });
});

test('after the guard has run, one statement reads the session, the role and the status', async () => {
  const { browser } = await signUp(service);
  service.statements.length = 0;
  await browser.post(path, {});
  const [admission, issue, ...more] = service.statements;
  expect(more).toEqual([]);
  expect(admission).toMatch(/sessions\.token_hash = /);
  expect(issue).toMatch(/users\.role[\s\S]*from latchkey\.sessions\s+join latchkey\.users/);
});

test('a recovery session gets no token', async () => {
  const { browser } = await startRecovering(service, await signUp(service));
  expectProblem(await browser.post(path), 'recovery_session');
});

test('with the in-memory database, a session gets tokens until it ends', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), {
    migrate: true,
    tokenAudiences: 'orders',
  });
  try {
    const { browser, authenticator } = await signUp(inMemory);
    const { token } = (await browser.post(path)).body;
    await verifyServiceToken(token, { issuer: origin, audience: 'orders', jwks });
    await addPasskey(browser);
    await logIn(browser, authenticator);
    expect((await browser.post(path)).status).toBe(201);
    await browser.copy().delete('/auth/session');
    expectProblem(await browser.post(path), 'not_authenticated');
  } finally {
    await inMemory.close();
  }
});
