import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUsername, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('a person signs up with nothing but a username and a passkey, and is signed in', async () => {
  const username = newUsername();
  const { browser, signedUp } = await signUp(service, { username });
  expect(signedUp.status).toBe(201);
  expect(signedUp.body.user).toMatchObject({ username, role: 'user', status: 'active', displayName: null });
  const session = await browser.get('/auth/session');
  expect(session.body.user).toEqual({
    ...signedUp.body.user,
    hasPassword: false,
    passkeyCount: 1,
    recoveryCodesRemaining: 0,
  });
});
