import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { logIn, type Person, signUp, stepUp } from '../support/person.ts';
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
  logInByPassword,
  otherPassword,
  password,
  removePassword,
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

const personWithPassword = () => signUpWithPassword(service);

describe('a step-up with the password', () => {
  test('answers with the session, of which the times have moved and the method', async () => {
    const { browser } = await personWithPassword();
    const before = await currentSession(browser);
    expect(before.method).toBe('passkey');
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

  test('makes a session fresh again, for another ten minutes', async () => {
    const { browser } = await personWithPassword();
    await service.turnClock({ minutes: 11 });
    expect(await isFresh(browser)).toBe(false);
    await stepUpByPassword(browser);
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ minutes: 10 });
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ seconds: 1 });
    expect(await isFresh(browser)).toBe(false);
  });

  test('rotates the token, which stands in the cookie and nowhere else', async () => {
    const { browser } = await personWithPassword();
    const old = browser.copy();
    const answer = await stepUpByPassword(browser);
    const token = expectSessionCookie(browser, answer);
    expect(token).not.toBe(tokenOf(old));
    expect(JSON.stringify([answer.body, await service.auditRows()])).not.toContain(token);
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('is one row in the audit log', async () => {
    const person = await personWithPassword();
    const answer = await stepUpByPassword(person.browser);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.stepup')]);
  });

  test('leaves the other sessions and the account as they are', async () => {
    const { browser, authenticator } = await personWithPassword();
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const [session, user] = [await currentSession(elsewhere), await currentUser(elsewhere)];
    await service.turnClock({ seconds: 30 });
    await stepUpByPassword(browser);
    expect(await currentSession(elsewhere)).toEqual(session);
    expect(await currentUser(elsewhere)).toEqual(user);
  });

  test('does for a session that the passkey began, and the passkey for one that the password began', async () => {
    const person = await personWithPassword();
    const { browser, authenticator } = person;
    expect((await stepUpByPassword(browser)).body.session.method).toBe('password');
    expect((await stepUp(browser, authenticator)).body.session.method).toBe('passkey');
    const other = service.browser();
    await logInByPassword(other, person);
    expect((await stepUp(other, authenticator)).body.session.method).toBe('passkey');
    expect((await stepUpByPassword(other)).body.session.method).toBe('password');
  });

  test('fifty times at once leaves one token of one session', async () => {
    const { browser, signedUp } = await personWithPassword();
    const copies = Array.from({ length: 50 }, () => browser.copy());
    const answers = await together(copies.map((copy) => () => stepUpByPassword(copy)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    const alive = await Promise.all(copies.map((copy) => copy.get('/auth/session')));
    const sessions = alive.filter(({ status }) => status === 200).map(({ body }) => body.session.id);
    expect(sessions).toEqual([signedUp.body.session.id]);
  });
});

describe('a refused step-up', () => {
  test.each<[what: string, given: string]>([
    ['the wrong password', wrongPassword],
    ['a password in capitals', password.toUpperCase()],
    ['nothing', ''],
    ['a password that is too long to be had', `${password}${'.'.repeat(60)}`],
  ])('with %s is written down and leaves the session as it was', async (_, given) => {
    const person = await personWithPassword();
    const { browser } = person;
    const before = await currentSession(browser);
    await service.turnClock({ minutes: 11 });
    const answer = await stepUpByPassword(browser, given);
    expect(await reasonOfRefusal(service, answer)).toBe('password_wrong');
    expect(await auditRowsOf(service, answer)).toEqual([
      ownAuditRow(person, 'password.stepup', 'password_wrong'),
    ]);
    const { authenticatedAt, method } = await currentSession(browser);
    expect([authenticatedAt, method]).toEqual([before.authenticatedAt, 'passkey']);
    expect(await isFresh(browser)).toBe(false);
  });

  test('meets an account without a password', async () => {
    const { browser } = await signUp(service);
    expect(await reasonOfRefusal(service, await stepUpByPassword(browser))).toBe('no_password');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('meets the password of somebody else', async () => {
    const other = await signUp(service);
    await addPassword(other.browser, otherPassword);
    const { browser } = await personWithPassword();
    expect(await reasonOfRefusal(service, await stepUpByPassword(browser, otherPassword))).toBe(
      'password_wrong',
    );
  });

  test('meets nobody without a session, of which nothing is written down', async () => {
    const rows = (await service.auditRows()).length;
    expectProblem(await stepUpByPassword(service.browser()), 'not_authenticated');
    const { browser } = await personWithPassword();
    const kept = browser.copy();
    await browser.delete('/auth/session');
    const before = (await service.auditRows()).length;
    expectProblem(await stepUpByPassword(kept), 'not_authenticated');
    expect((await service.auditRows()).length).toBe(before);
    expect(before).toBeGreaterThan(rows);
  });

  test('meets a recovery session, which stays what it is', async () => {
    const { browser } = await startRecovering(service, await personWithPassword());
    expectProblem(await stepUpByPassword(browser), 'recovery_session');
    expect((await currentSession(browser)).kind).toBe('recovery');
  });
});

describe('a step-up that is overtaken', () => {
  test.each<[what: string, change: (person: Person) => Promise<unknown>]>([
    ['by another password', ({ browser }) => addPassword(browser, otherPassword)],
    ['by the removal of the password', ({ browser }) => removePassword(browser)],
    ['by the end of its session', (person) => endSessions(service, person)],
    ['by the account being disabled', (person) => setStatus(service, person, 'disabled')],
  ])('%s is refused, and renews nothing', async (_, change) => {
    const person = await personWithPassword();
    const { id } = person.signedUp.body.session;
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
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    const after = await authenticatedAt();
    if (after) expect(after).toEqual(before);
  });
});
