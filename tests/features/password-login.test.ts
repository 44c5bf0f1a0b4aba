import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fullWidth } from '../support/full-width.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { statuses, times, together } from '../support/many-requests.ts';
import { logIn, type Person } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf, countAuditRows, ownAuditRow } from './support/audit-log.ts';
import { expectSessionCookie, isSignedIn } from './support/current-session.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
} from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';
import { sessionBegunAt } from './support/wire-format.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const userWithPassword = () => signUpWithPassword(service);
const signIn = (person: Pick<Person, 'username'>, browser = service.browser(), given?: string) =>
  logInByPassword(browser, person, given);

describe('a sign-in with the password', () => {
  test('returns exactly the user and a full session', async () => {
    const person = await userWithPassword();
    const browser = service.browser();
    const answer = await signIn(person, browser);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: person.signedUp.body.user,
        session: {
          ...sessionBegunAt(answer.body.session.createdAt),
          method: 'password',
          passkeyId: null,
        },
      },
    ]);
    const { body } = await browser.get('/auth/session');
    expect(body.session).toEqual(answer.body.session);
    expect(body.user).toMatchObject({ username: person.username, hasPassword: true, passkeyCount: 1 });
  });

  test('returns the token only in the session cookie', async () => {
    const person = await userWithPassword();
    const browser = service.browser();
    const answer = await signIn(person, browser);
    const token = expectSessionCookie(browser, answer);
    const seen = [
      answer.body,
      (await browser.get('/auth/session')).body,
      (await browser.get('/auth/sessions')).body,
      await service.auditRows(),
      await service.database.sql`select * from latchkey.sessions`,
      service.logged,
    ];
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  test('takes two round trips and writes one audit row', async () => {
    const person = await userWithPassword();
    service.statements.length = 0;
    const answer = await signIn(person);
    expect(service.statements).toHaveLength(2);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.login')]);
  });

  test.each<[what: string, spell: (name: string) => string]>([
    ['in capitals', (name) => name.toUpperCase()],
    ['with spaces around it', (name) => ` \t${name}\u3000`],
    ['in fullwidth letters', fullWidth],
  ])('accepts the username written %s', async (_, spell) => {
    const person = await userWithPassword();
    const answer = await signIn({ username: spell(person.username) });
    expect([answer.status, answer.body.user?.id]).toEqual([200, person.signedUp.body.user.id]);
  });

  test('counts as fresh authentication', async () => {
    const person = await signUpWithOnlyPassword(service);
    const browser = service.browser();
    await signIn(person, browser);
    expect((await browser.post('/auth/passkey/devices/add', {})).status).toBe(200);
    expect((await addPassword(browser, otherPassword)).status).toBe(200);
  });

  test('sets `amr` to ["pwd"] in service tokens', async () => {
    const browser = service.browser();
    await signIn(await userWithPassword(), browser);
    const { token } = (await browser.post('/auth/session/token')).body;
    expect(decodeJwt(token).amr).toEqual(['pwd']);
  });

  test('does not change when a passkey was last used', async () => {
    const person = await userWithPassword();
    const browser = service.browser();
    await signIn(person, browser);
    expect((await browser.get('/auth/passkey/devices')).body.devices).toMatchObject([{ lastUsedAt: null }]);
  });

  test('opens fifty sessions and writes fifty audit rows if it is sent fifty times concurrently', async () => {
    const person = await userWithPassword();
    const answers = await together(times(50, () => signIn(person)));
    expect(statuses(answers)).toEqual(times(50, 200));
    expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(50);
    expect(await countAuditRows(service, person, 'password.login')).toBe(50);
  });
});

describe('the session whose token a sign-in request contains', () => {
  test('ends, and all other sessions continue', async () => {
    const person = await userWithPassword();
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    const presented = person.browser.copy();
    await signIn(person, person.browser);
    expect(await isSignedIn(presented)).toBe(false);
    expect(await isSignedIn(person.browser)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(2);
  });

  test('ends even if it belongs to another user', async () => {
    const [one, other] = [await userWithPassword(), await userWithPassword()];
    const presented = one.browser.copy();
    await signIn(other, one.browser);
    expect(await isSignedIn(presented)).toBe(false);
    expect((await one.browser.get('/auth/session')).body.user.username).toBe(other.username);
  });

  test('does not end if the sign-in fails', async () => {
    const person = await userWithPassword();
    const answer = await signIn(person, person.browser, 'something else');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await isSignedIn(person.browser)).toBe(true);
  });

  test('is not created if the token is unknown: the sign-in creates a session with a new token', async () => {
    const person = await userWithPassword();
    const browser = service.browser();
    browser.cookies.set('latchkey', 'c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu');
    const planted = browser.copy();
    expect((await signIn(person, browser)).status).toBe(200);
    expect(browser.cookies.get('latchkey')).not.toBe(planted.cookies.get('latchkey'));
    expect(await isSignedIn(planted)).toBe(false);
  });

  test('is replaced by a full session if it is a recovery session', async () => {
    const person = await userWithPassword();
    const { browser } = await startRecovering(service, person);
    const recovering = browser.copy();
    expect((await signIn(person, browser)).body.session.kind).toBe('full');
    expect(await isSignedIn(recovering)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
