import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsOf, ownAuditRow } from './support/audit-log.ts';
import { currentUser, isSignedIn } from './support/current-session.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  removePassword,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
} from './support/passwords.ts';
import { generateCodes, startRecovering } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const removePasskey = ({ browser, signedUp }: Person) =>
  browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
const signIn = (person: Person, browser = service.browser()) => logInByPassword(browser, person);

describe('removing the password', () => {
  test('returns 204, and the password no longer works for a sign-in', async () => {
    const person = await signUpWithPassword(service);
    const answer = await removePassword(person.browser);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await currentUser(person.browser)).toMatchObject({ hasPassword: false, passkeyCount: 1 });
    expectProblem(await signIn(person), 'authentication_failed');
    expectProblem(await stepUpByPassword(person.browser), 'passkey_required');
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('deletes the stored digest', async () => {
    const person = await signUpWithPassword(service);
    await removePassword(person.browser);
    expect(await storedHash(service, person)).toBeNull();
  });

  test('is recorded in one audit row', async () => {
    const person = await signUpWithPassword(service);
    const answer = await removePassword(person.browser);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.remove')]);
  });

  test('accepts an empty object as the request body', async () => {
    const { browser } = await signUpWithPassword(service);
    const headers = { 'Content-Type': 'application/json' };
    expect((await browser.request('DELETE', '/auth/password/remove', '{}', headers)).status).toBe(204);
  });

  test('ends all other sessions and keeps the current session, even if the current session was opened with the password', async () => {
    const person = await signUpWithPassword(service);
    const [byPassword, elsewhere] = [service.browser(), service.browser()];
    await signIn(person, byPassword);
    await signIn(person, elsewhere);
    await stepUp(byPassword, person.authenticator);
    const answer = await removePassword(byPassword);
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const ended of [person.browser, elsewhere]) expect(await isSignedIn(ended)).toBe(false);
    expect(await isSignedIn(byPassword)).toBe(true);
  });

  test('returns 404 for an account without a password and writes no audit row', async () => {
    const { browser } = await signUp(service);
    const rows = (await service.auditRows()).length;
    expectProblem(await removePassword(browser), 'not_found');
    expect(await service.auditRows()).toHaveLength(rows);
    const person = await signUpWithPassword(service);
    await removePassword(person.browser);
    expectProblem(await removePassword(person.browser), 'not_found');
  });

  test('does not change the passwords of other users', async () => {
    const [person, other] = [await signUpWithPassword(service), await signUpWithPassword(service)];
    await removePassword(person.browser);
    expect((await signIn(other)).status).toBe(200);
  });

  test('allows the user to set a first password again', async () => {
    const person = await signUpWithPassword(service);
    await removePassword(person.browser);
    const answer = await addPassword(person.browser);
    expect(answer.status).toBe(201);
    expect(await auditRowsOf(service, answer)).toMatchObject([{ event: 'password.add' }]);
    expect((await signIn(person)).status).toBe(200);
  });
});

describe('the last credential', () => {
  test('cannot be removed if it is a passkey', async () => {
    const person = await signUpWithPassword(service);
    await removePassword(person.browser);
    expectProblem(await removePasskey(person), 'last_credential');
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('can be the password: a user with a password can remove the only passkey', async () => {
    const person = await signUpWithPassword(service);
    expect((await removePasskey(person)).status).toBe(204);
    expect(await currentUser(person.browser)).toMatchObject({ hasPassword: true, passkeyCount: 0 });
    expectProblem(await logIn(service.browser(), person.authenticator), 'authentication_failed', {
      reason: 'unknown_credential',
    });
    expect((await signIn(person)).status).toBe(200);
  });

  test('cannot be removed if it is the password, and the attempt is recorded', async () => {
    const person = await signUpWithPassword(service);
    await removePasskey(person);
    const answer = await removePassword(person.browser);
    expectProblem(answer, 'last_credential');
    expect(await auditRowsOf(service, answer)).toEqual([
      ownAuditRow(person, 'password.remove', 'last_credential'),
    ]);
    expect((await currentUser(person.browser)).hasPassword).toBe(true);
    expect((await signIn(person)).status).toBe(200);
  });

  test('is the password if the user has no passkey, even if the user has recovery codes', async () => {
    const person = await signUpWithPassword(service);
    await generateCodes(person.browser);
    await removePasskey(person);
    expectProblem(await removePassword(person.browser), 'last_credential');
  });

  test('can be removed if it is the password and the user adds a passkey first', async () => {
    const person = await signUpWithPassword(service);
    await removePasskey(person);
    const browser = service.browser();
    await signIn(person, browser);
    await service.turnClock({ minutes: 11 });
    expectProblem(await browser.post('/auth/passkey/devices/add', {}), 'reauthentication_required');
    expect((await stepUpByPassword(browser)).status).toBe(200);
    const authenticator = newAuthenticator();
    expect((await addPasskey(browser, authenticator)).status).toBe(201);
    expect((await removePassword(browser)).status).toBe(204);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    expectProblem(await signIn(person), 'authentication_failed');
  });

  test('can be replaced by another password if it is the password', async () => {
    const person = await signUpWithPassword(service);
    await removePasskey(person);
    const replaced = await addPassword(person.browser, otherPassword);
    expect(replaced.status).toBe(200);
    expectProblem(await signIn(person), 'authentication_failed');
  });
});

describe('removing the password is rejected', () => {
  test('without a session', async () => {
    expectProblem(await removePassword(service.browser()), 'not_authenticated');
  });

  test('in a recovery session', async () => {
    const person = await signUpWithPassword(service);
    const { browser } = await startRecovering(service, person);
    expectProblem(await removePassword(browser), 'recovery_session');
    expect((await currentUser(person.browser)).hasPassword).toBe(true);
  });

  test('if the last authentication is more than ten minutes old', async () => {
    const { browser, authenticator } = await signUpWithPassword(service);
    await service.turnClock({ minutes: 10, seconds: 0.001 });
    expectProblem(await removePassword(browser), 'reauthentication_required');
    expect((await currentUser(browser)).hasPassword).toBe(true);
    await stepUp(browser, authenticator);
    expect((await removePassword(browser)).status).toBe(204);
  });

  test('if the session ends between the check of the session and the change', async () => {
    const person = await signUpWithPassword(service);
    const { answer, changed } = await meet(service, {
      before: /update latchkey\.users/,
      change: () => endSessions(service, person),
      act: (instance) => removePassword(instance.browser(person.browser.cookies)),
      options: { bcryptCost: 4 },
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await auditRowsOf(service, answer)).toEqual([]);
    expect((await signIn(person)).status).toBe(200);
  });
});
