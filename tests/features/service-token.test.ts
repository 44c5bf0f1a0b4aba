import { jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const key = new TextEncoder().encode(secret);

test('a signed-in person gets a token that another service verifies by itself', async () => {
  const { browser, signedUp } = await signUp(service);
  const { user, session } = signedUp.body;
  const before = Math.floor(Date.now() / 1000);
  const answer = await browser.post('/auth/session/token');
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body).sort()).toEqual(['expiresAt', 'token']);

  const { payload, protectedHeader } = await jwtVerify(answer.body.token, key, {
    issuer: origin,
    audience: 'localhost',
    algorithms: ['HS256'],
  });
  expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(payload).toEqual({
    iss: origin,
    aud: 'localhost',
    sub: user.id,
    sid: session.id,
    role: 'user',
    amr: ['pop', 'user', 'mfa'],
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1000),
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 300,
  });
  expect(payload.iat).toBeGreaterThanOrEqual(before);
  expect(answer.body.expiresAt).toBe(new Date((payload.exp ?? 0) * 1000).toISOString());
});

test('nobody gets one without a session, and the token is no session', async () => {
  expectProblem(await service.browser().post('/auth/session/token'), 'not_authenticated');
  const { browser } = await signUp(service);
  const { token } = (await browser.post('/auth/session/token')).body;
  const stranger = service.browser();
  stranger.cookies.set('latchkey', token);
  expectProblem(await stranger.get('/auth/session'), 'not_authenticated');
});

test('after a rotation the new first secret signs, for the audience that was configured', async () => {
  const { browser } = await signUp(service);
  const newer = 'Zq3vN8xK1mR7tB5wY0cF4hL9sD2gJ6pAeUoIiTqVwErX';
  const rotated = await startSecondInstance(service, { secret: [newer, secret], tokenAudience: 'billing' });
  const { token } = (await rotated.browser(browser.cookies).post('/auth/session/token')).body;
  await rotated.close();
  await expect(jwtVerify(token, key)).rejects.toThrow();
  const { payload } = await jwtVerify(token, new TextEncoder().encode(newer), { audience: 'billing' });
  expect(payload.iss).toBe(origin);
});
