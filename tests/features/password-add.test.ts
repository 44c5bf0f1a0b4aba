import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsOf, ownAuditRow } from './support/audit-log.ts';
import { currentSession, currentUser, isSignedIn } from './support/current-session.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  signUpWithPassword,
  storedHash,
} from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const signIn = (person: Person, given?: string) => logInByPassword(service.browser(), person, given);
const hasPassword = async (browser: TestAgent) => (await currentUser(browser)).hasPassword;
const passwordEventsOf = (person: Person) =>
  service.database.sql`
    select event, outcome from latchkey.audit_events
    where actor_id = ${userIdOf(person)} and event like 'password.%' order by at, id`;

describe('a first password', () => {
  test('returns 201 with the user, and `GET /auth/session` then shows that the account has a password', async () => {
    const { browser, signedUp } = await signUp(service);
    expect(await hasPassword(browser)).toBe(false);
    const answer = await addPassword(browser);
    expect([answer.status, answer.body]).toEqual([201, { user: signedUp.body.user }]);
    expect((await browser.get('/auth/session')).body.user).toEqual({
      ...signedUp.body.user,
      hasPassword: true,
      passkeyCount: 1,
      recoveryCodesRemaining: 0,
    });
  });

  test('works for a sign-in, and the passkey still works', async () => {
    const person = await signUp(service);
    expectProblem(await signIn(person), 'authentication_failed');
    await addPassword(person.browser);
    expect((await signIn(person)).status).toBe(200);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('is stored as a bcrypt digest with the configured cost', async () => {
    const person = await signUp(service);
    await addPassword(person.browser);
    expect(await storedHash(service, person)).toMatch(/^\$latchkey1\$[\w-]{8}\$2b\$04\$[./A-Za-z0-9]{53}$/);
  });

  test('is salted: two users with the same password have different digests', async () => {
    const people = [await signUp(service), await signUp(service)];
    for (const { browser } of people) await addPassword(browser);
    const [one, other] = await Promise.all(people.map((person) => storedHash(service, person)));
    expect(one).not.toBe(other);
  });

  test('is recorded in one audit row', async () => {
    const person = await signUp(service);
    const answer = await addPassword(person.browser);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.add')]);
  });

  test('is set only for the caller’s own account', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await addPassword(person.browser);
    expect(await hasPassword(other.browser)).toBe(false);
    expectProblem(await signIn(other), 'authentication_failed');
  });
});

describe('replacing a password', () => {
  test('returns 200 with the user and is recorded as `password.replace`', async () => {
    const person = await signUpWithPassword(service);
    const answer = await addPassword(person.browser, otherPassword);
    expect([answer.status, answer.body]).toEqual([200, { user: person.signedUp.body.user }]);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.replace')]);
    expect(await hasPassword(person.browser)).toBe(true);
  });

  test('makes the old password fail and the new password work', async () => {
    const person = await signUpWithPassword(service);
    await addPassword(person.browser, otherPassword);
    expectProblem(await signIn(person), 'authentication_failed');
    expect((await signIn(person, otherPassword)).status).toBe(200);
  });

  test('accepts the same password again', async () => {
    const person = await signUpWithPassword(service);
    const before = await storedHash(service, person);
    expect((await addPassword(person.browser)).status).toBe(200);
    expect(await storedHash(service, person)).not.toBe(before);
    expect((await signIn(person)).status).toBe(200);
  });

  test('ends all other sessions, opened by passkey or by password, and keeps the current one', async () => {
    const person = await signUpWithPassword(service);
    const [byPasskey, byPassword] = [service.browser(), service.browser()];
    await logIn(byPasskey, person.authenticator);
    await logInByPassword(byPassword, person);
    const presented = person.browser.copy();
    const answer = await addPassword(person.browser, otherPassword);
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const ended of [byPasskey, byPassword]) expect(await isSignedIn(ended)).toBe(false);
    for (const kept of [presented, person.browser]) expect(await isSignedIn(kept)).toBe(true);
    expect((await person.browser.get('/auth/sessions')).body.sessions).toMatchObject([{ current: true }]);
  });

  test('does not change the old password if the new password is rejected', async () => {
    const person = await signUpWithPassword(service);
    expectProblem(await addPassword(person.browser, 'short'), 'password_unacceptable', {
      reason: 'too_short',
      detail: 'The password must have at least 8 characters.',
    });
    expect((await signIn(person)).status).toBe(200);
    expect(await passwordEventsOf(person)).toMatchObject([
      { event: 'password.add' },
      { event: 'password.login' },
    ]);
  });
});

describe('setting a password is rejected', () => {
  test('without a session', async () => {
    expectProblem(await addPassword(service.browser()), 'not_authenticated');
  });

  test('in a recovery session', async () => {
    const person = await signUp(service);
    const { browser } = await startRecovering(service, person);
    expect((await currentSession(browser)).kind).toBe('recovery');
    expectProblem(await addPassword(browser), 'recovery_session');
    expect(await storedHash(service, person)).toBeNull();
  });

  test('if the last authentication is more than ten minutes old', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 10 });
    expect((await addPassword(person.browser)).status).toBe(201);
    await service.turnClock({ seconds: 0.001 });
    const before = await storedHash(service, person);
    expectProblem(await addPassword(person.browser, otherPassword), 'reauthentication_required');
    expect(await storedHash(service, person)).toBe(before);
    await stepUp(person.browser, person.authenticator);
    expect((await addPassword(person.browser, otherPassword)).status).toBe(200);
  });

  test('after signing out', async () => {
    const person = await signUp(service);
    const kept = person.browser.copy();
    await person.browser.delete('/auth/session');
    for (const browser of [person.browser, kept])
      expectProblem(await addPassword(browser), 'not_authenticated');
    expect(await storedHash(service, person)).toBeNull();
  });

  test.each([
    ['and before the account is read', /users\.version/],
    ['and before the password is written', /update latchkey\.users/],
  ])('if the session ends after the request starts, %s', async (_, statement) => {
    const person = await signUp(service);
    const { answer, changed } = await meet(service, {
      before: statement,
      change: () => endSessions(service, person),
      act: (instance) => addPassword(instance.browser(person.browser.cookies)),
      options: { bcryptCost: 4 },
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await storedHash(service, person)).toBeNull();
    expect(await passwordEventsOf(person)).toEqual([]);
  });
});
