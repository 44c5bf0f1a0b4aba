import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterByCode, signUpWithCodes } from '../features/support/recovery.ts';
import { signUp } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test.each(['?optional', '?optional=', '?optional=true', '?a=b&optional'])(
  'GET /session%s answers 200 with the user null if no user is signed in',
  async (query) => {
    const browser = service.browser();
    const answer = await browser.get(`/auth/session${query}`);
    expect([answer.status, answer.body]).toEqual([200, { user: null }]);
    expectUncached(answer);
    browser.cookies.set('latchkey', 'A'.repeat(43));
    const { body } = await browser.get(`/auth/session${query}`);
    expect(body).toEqual({ user: null, reason: 'session_ended' });
  },
);

test('GET /session?optional answers like GET /session if a user is signed in', async () => {
  const { browser } = await signUp(service);
  const plain = await browser.get('/auth/session');
  expect((await browser.get('/auth/session?optional')).body).toEqual(plain.body);
});

test('GET /session?optional also returns a recovery session', async () => {
  const { person, codes } = await signUpWithCodes(service);
  const browser = await enterByCode(service, person, codes[0]);
  expect((await browser.get('/auth/session?optional')).body.session.kind).toBe('recovery');
});

test('GET /session without `optional` still answers 401 if no user is signed in', async () => {
  expectProblem(await service.browser().get('/auth/session'), 'not_authenticated');
  expectProblem(await service.browser().get('/auth/session?other'), 'not_authenticated');
});

test.each(['?optional=false', '?optional=1', '?optional&optional'])(
  'GET /session%s is an invalid request',
  async (query) => {
    const answer = await service.browser().get(`/auth/session${query}`);
    expectProblem(answer, 'invalid_request', { errors: [{ path: 'optional', message: expect.any(String) }] });
  },
);
