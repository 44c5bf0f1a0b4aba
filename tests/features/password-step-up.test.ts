import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { addPasskey, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions, setStatus } from './support/accounts.ts';
import { auditRowsOf, ownAuditRow } from './support/audit-log.ts';
import {
  currentSession,
  currentUser,
  expectSessionCookie,
  isFresh,
  tokenOf,
} from './support/current-session.ts';
import {
  addPassword,
  enterByPassword,
  logInByPassword,
  otherPassword,
  password,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  wrongPassword,
} from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

/** Removes the only sign-in method, with SQL. The service would not allow it. */
const forgetPassword = (person: Person) => service.database.sql`
  update latchkey.users set password_hash = null, version = version + 1 where id = ${userIdOf(person)}`;

const addFirstPasskey = async (person: Person) =>
  addPasskey((await enterByPassword(service, person)).browser);

const userWithPassword = () => signUpWithOnlyPassword(service);

describe('a step-up with the password', () => {
  test('returns the session with new times and the method "password"', async () => {
    const { browser } = await userWithPassword();
    const before = await currentSession(browser);
    await service.turnClock({ minutes: 30 });
    const answer = await stepUpByPassword(browser);
    const later = (iso: string) => new Date(Date.parse(iso) + 30 * 60_000).toISOString();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        session: {
          ...before,
          method: 'password',
          authenticatedAt: later(before.authenticatedAt),
          lastSeenAt: later(before.lastSeenAt),
          expiresAt: later(before.expiresAt),
        },
      },
    ]);
    expect(await currentSession(browser)).toEqual(answer.body.session);
  });

  test('makes the session’s authentication fresh for another ten minutes', async () => {
    const { browser } = await userWithPassword();
    await service.turnClock({ minutes: 11 });
    expect(await isFresh(browser)).toBe(false);
    await stepUpByPassword(browser);
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ minutes: 10 });
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ seconds: 1 });
    expect(await isFresh(browser)).toBe(false);
  });

  test('replaces the token and returns the new token only in the cookie', async () => {
    const { browser } = await userWithPassword();
    const old = browser.copy();
    const answer = await stepUpByPassword(browser);
    const token = expectSessionCookie(browser, answer);
    expect(token).not.toBe(tokenOf(old));
    expect(JSON.stringify([answer.body, await service.auditRows()])).not.toContain(token);
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('is recorded in one audit row', async () => {
    const person = await userWithPassword();
    const answer = await stepUpByPassword(person.browser);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.stepup')]);
  });

  test('changes neither other sessions nor the account', async () => {
    const person = await userWithPassword();
    const { browser } = person;
    const elsewhere = service.browser();
    await logInByPassword(elsewhere, person);
    const [session, user] = [await currentSession(elsewhere), await currentUser(elsewhere)];
    await service.turnClock({ seconds: 30 });
    await stepUpByPassword(browser);
    expect(await currentSession(elsewhere)).toEqual(session);
    expect(await currentUser(elsewhere)).toEqual(user);
  });

  test('works in a session that was opened with a passkey if the passkey was removed later', async () => {
    const { browser, signedUp } = await signUpWithPassword(service);
    await browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
    expect((await currentSession(browser)).method).toBe('passkey');
    expect((await stepUpByPassword(browser)).body.session.method).toBe('password');
  });

  test('leaves one session with one valid token if it is sent fifty times concurrently', async () => {
    const { browser } = await userWithPassword();
    const { id } = await currentSession(browser);
    const copies = Array.from({ length: 50 }, () => browser.copy());
    const answers = await together(copies.map((copy) => () => stepUpByPassword(copy)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    const alive = await Promise.all(copies.map((copy) => copy.get('/auth/session')));
    const sessions = alive.filter(({ status }) => status === 200).map(({ body }) => body.session.id);
    expect(sessions).toEqual([id]);
  });
});

describe('a step-up is rejected', () => {
  test.each<[what: string, given: string]>([
    ['the wrong password', wrongPassword],
    ['the password in capitals', password.toUpperCase()],
    ['an empty password', ''],
    ['a password that is too long', `${password}${'.'.repeat(60)}`],
  ])('with %s, is recorded, and does not change the session', async (_, given) => {
    const person = await userWithPassword();
    const { browser } = person;
    const before = await currentSession(browser);
    await service.turnClock({ minutes: 11 });
    const answer = await stepUpByPassword(browser, given);
    expect(await reasonOfRefusal(service, answer)).toBe('password_wrong');
    expect(await auditRowsOf(service, answer)).toEqual([
      ownAuditRow(person, 'password.stepup', 'password_wrong'),
    ]);
    const { authenticatedAt, method } = await currentSession(browser);
    expect([authenticatedAt, method]).toEqual([before.authenticatedAt, 'password']);
    expect(await isFresh(browser)).toBe(false);
  });

  test('for an account without a password', async () => {
    const person = await userWithPassword();
    await forgetPassword(person);
    const { browser } = person;
    expect(await reasonOfRefusal(service, await stepUpByPassword(browser))).toBe('no_password');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('with another user’s password', async () => {
    const other = await signUp(service);
    await addPassword(other.browser, otherPassword);
    const { browser } = await userWithPassword();
    expect(await reasonOfRefusal(service, await stepUpByPassword(browser, otherPassword))).toBe(
      'password_wrong',
    );
  });

  test('without a session, and is not recorded', async () => {
    const rows = (await service.auditRows()).length;
    expectProblem(await stepUpByPassword(service.browser()), 'not_authenticated');
    const { browser } = await userWithPassword();
    const kept = browser.copy();
    await browser.delete('/auth/session');
    const before = (await service.auditRows()).length;
    expectProblem(await stepUpByPassword(kept), 'not_authenticated');
    expect((await service.auditRows()).length).toBe(before);
    expect(before).toBeGreaterThan(rows);
  });

  test('in a recovery session, and does not change the session', async () => {
    const { browser } = await startRecovering(service, await userWithPassword());
    expectProblem(await stepUpByPassword(browser), 'recovery_session');
    expect((await currentSession(browser)).kind).toBe('recovery');
  });
});

describe('a step-up', () => {
  test.each<[what: string, change: (person: Person) => Promise<unknown>]>([
    ['the password is replaced', ({ browser }) => addPassword(browser, otherPassword)],
    ['the password is removed', forgetPassword],
    ['another session adds the first passkey', addFirstPasskey],
    ['the session ends', (person) => endSessions(service, person)],
    ['the account is disabled', (person) => setStatus(service, person, 'disabled')],
  ])('is rejected and does not change the session if %s while the password is checked', async (_, change) => {
    const person = await userWithPassword();
    const { id } = await currentSession(person.browser);
    const authenticatedAt = async () =>
      (
        await service.database
          .sql`select authenticated_at, token_hash from latchkey.sessions where id = ${id}`
      )[0];
    const before = await authenticatedAt();
    await service.turnClock({ seconds: 5 });
    const { answer, changed } = await meet(service, {
      before: /update latchkey\.sessions\s+set token_hash/,
      change: async () => {
        await change(person);
        return { count: 1 };
      },
      act: (instance) => stepUpByPassword(instance.browser(person.browser.cookies)),
      options: { bcryptCost: 4 },
    });
    expect(changed).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toBe('concurrent_change');
    const after = await authenticatedAt();
    if (after) expect(after).toEqual(before);
  });
});
