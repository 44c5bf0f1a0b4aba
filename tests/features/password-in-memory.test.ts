import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  password,
  removePassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
} from './support/passwords.ts';

let now: number;
let service: ServiceOn;
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  const clock = () => new Date(now);
  const database = createInMemoryDatabase(clock);
  service = await startServiceOn(database, { migrate: true, clock, bcryptCost: 4 });
});
afterEach(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

const signIn = (username: string, given = password, browser = service.browser()) =>
  logInByPassword(browser, { username }, given);

test('a password can be set, replaced and removed', async () => {
  const { browser, username } = await signUp(service);
  expect((await addPassword(browser)).status).toBe(201);
  expect((await browser.get('/auth/session')).body.user.hasPassword).toBe(true);
  expect((await signIn(username)).status).toBe(200);
  expect((await addPassword(browser, otherPassword)).status).toBe(200);
  expectProblem(await signIn(username), 'authentication_failed');
  expect((await signIn(username, otherPassword)).status).toBe(200);
  expect((await removePassword(browser)).status).toBe(204);
  expectProblem(await signIn(username, otherPassword), 'authentication_failed');
  expectProblem(await removePassword(browser), 'not_found');
});

test('a sign-in ends the session whose token the request contains, but a rejected sign-in does not', async () => {
  const { browser, username, signedUp } = await signUpWithPassword(service);
  const presented = browser.copy();
  for (const [name, given] of [
    [username, 'something else'],
    ['unknown-user', password],
    ['no good', password],
  ] as const) {
    expectProblem(await signIn(name, given, browser), 'authentication_failed');
  }
  expect((await presented.get('/auth/session')).status).toBe(200);
  const answer = await signIn(username, password, browser);
  expect(answer.body).toMatchObject({
    user: signedUp.body.user,
    session: { kind: 'full', method: 'password', authenticatedAt: new Date(now).toISOString() },
  });
  expectProblem(await presented.get('/auth/session'), 'not_authenticated');
  expect((await browser.get('/auth/session')).status).toBe(200);
});

test('a user who has a passkey needs it for fresh authentication, and the first passkey authenticates the session', async () => {
  const { browser, ...person } = await signUpWithPassword(service);
  const byPassword = service.browser();
  await signIn(person.username, password, byPassword);
  expectProblem(await addPassword(byPassword), 'passkey_required');
  expectProblem(await stepUpByPassword(byPassword), 'passkey_required');
  expect((await addPassword(browser)).status).toBe(200);
  const without = await signUpWithOnlyPassword(service);
  expect((await addPasskey(without.browser)).status).toBe(201);
  expect((await without.browser.get('/auth/session')).body.session.method).toBe('passkey');
  expect((await addPassword(without.browser, otherPassword)).status).toBe(200);
});

test('a step-up makes the session’s authentication fresh and replaces its token', async () => {
  const { browser } = await signUpWithOnlyPassword(service);
  now += 11 * 60_000;
  expectProblem(await removePassword(browser), 'reauthentication_required');
  const old = browser.copy();
  expectProblem(await stepUpByPassword(browser, 'something else'), 'authentication_failed');
  const answer = await stepUpByPassword(browser);
  expect(answer.body.session).toMatchObject({
    method: 'password',
    authenticatedAt: new Date(now).toISOString(),
  });
  expectProblem(await old.get('/auth/session'), 'not_authenticated');
  expect((await addPassword(browser, otherPassword)).status).toBe(200);
});

test('the password cannot be removed while it is the last credential, and can be removed after a passkey is added', async () => {
  const { browser, username, signedUp } = await signUpWithPassword(service);
  expect((await browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`)).status).toBe(204);
  expectProblem(await removePassword(browser), 'last_credential');
  expect((await signIn(username)).status).toBe(200);
  const authenticator = newAuthenticator();
  expect((await addPasskey(browser, authenticator)).status).toBe(201);
  expect((await removePassword(browser)).status).toBe(204);
  expect((await logIn(service.browser(), authenticator)).status).toBe(200);
});
