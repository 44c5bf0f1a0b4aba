import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';

const devices = '/auth/passkey/devices';
const password = 'a wet towel in Oslo';

let service: ServiceOn;
beforeEach(async () => {
  service = await startServiceOn(createInMemoryDatabase(), { migrate: true, bcryptCost: 4 });
});
afterEach(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

test('with the in-memory database, a failed sign-in reports an unknown passkey only if the user handle is correct', async () => {
  const { browser } = await signUp(service);
  const authenticator = newAuthenticator();
  const { device } = (await addPasskey(browser, authenticator)).body;
  await browser.delete(`${devices}/${device.id}`);
  const unknown = { reason: 'unknown_credential' };
  expectProblem(await logIn(service.browser(), authenticator), 'authentication_failed', unknown);
  const tamper = { userHandle: 'AAAA' };
  expectProblem(await logIn(service.browser(), authenticator, { tamper }), 'authentication_failed');
});

test('with the in-memory database, the browser receives the list of accepted passkeys', async () => {
  const { browser, username, authenticator } = await signUp(service);
  const [credential] = authenticator.credentials;
  expect((await browser.get('/auth/passkey/signals')).body).toEqual({
    rpId: 'localhost',
    userId: credential?.userHandle,
    name: username,
    displayName: username,
    allAcceptedCredentialIds: [credential?.id],
  });
});

test('with the in-memory database, a passkey is added without a prompt after a password sign-in', async () => {
  const { browser, username, signedUp } = await signUp(service);
  expectProblem(await browser.post(`${devices}/add`, { conditional: true }), 'forbidden');
  await browser.post('/auth/password/add', { password });
  await browser.delete(`${devices}/${signedUp.body.passkey.id}`);
  await browser.post('/auth/password/login', { username, password });
  const { options } = (await browser.post(`${devices}/add`, { conditional: true })).body;
  const authenticator = newAuthenticator();
  const credential = await authenticator.create(options, { flags: { up: false, uv: false } });
  expect((await browser.post(`${devices}/add`, { credential })).status).toBe(201);
  expect((await logIn(service.browser(), authenticator)).status).toBe(200);
});
