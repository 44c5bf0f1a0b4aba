import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPasskey, newAuthenticator, newUsername, signUp } from '../support/person.ts';
import { expectUncached } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const path = '/auth/passkey/signals';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('the signals endpoint returns the arguments for the WebAuthn signal methods, for the user’s own account', async () => {
  await signUp(service);
  const { browser, username, authenticator } = await signUp(service);
  const [credential] = authenticator.credentials;
  const answer = await browser.get(path);
  expect(answer.status).toBe(200);
  expectUncached(answer);
  expect(answer.body).toEqual({
    rpId: 'localhost',
    userId: credential?.userHandle,
    name: username,
    displayName: username,
    allAcceptedCredentialIds: [credential?.id],
  });
});

test('the signals contain the same user id and names as the options for creating a passkey', async () => {
  const browser = service.browser();
  const person = { username: newUsername(), displayName: 'Ada L.' };
  const { options } = (await browser.post('/auth/passkey/register/start', person)).body;
  const credential = await newAuthenticator().create(options);
  await browser.post('/auth/passkey/register/verify', { credential });
  const { userId, name, displayName } = (await browser.get(path)).body;
  expect({ id: userId, name, displayName }).toEqual(options.user);
  expect(displayName).toBe('Ada L.');
});

test('the accepted credential ids change when a passkey is added or removed', async () => {
  const { browser, authenticator } = await signUp(service);
  const added = newAuthenticator();
  const { device } = (await addPasskey(browser, added)).body;
  const ids = [authenticator, added].map(({ credentials }) => credentials[0]?.id);
  expect((await browser.get(path)).body.allAcceptedCredentialIds).toEqual(ids);
  await browser.delete(`/auth/passkey/devices/${device.id}`);
  expect((await browser.get(path)).body.allAcceptedCredentialIds).toEqual(ids.slice(0, 1));
});

test('the list of accepted credential ids is empty for an account without passkeys', async () => {
  const { browser, signedUp } = await signUp(service);
  await service.database.sql`delete from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
  expect((await browser.get(path)).body).toMatchObject({
    userId: expect.stringMatching(/^[\w-]{86}$/),
    allAcceptedCredentialIds: [],
  });
});
