import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fullWidth } from '../support/full-width.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { statuses, times, together } from '../support/many-requests.ts';
import { logIn, type Person } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf, countAuditRows, ownAuditRow } from './support/audit-log.ts';
import { expectSessionCookie, isSignedIn } from './support/current-session.ts';
import { logInByPassword, removePassword, signUpWithPassword } from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';
import { sessionBegunAt } from './support/wire-format.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const personWithPassword = () => signUpWithPassword(service);
const enter = (person: Pick<Person, 'username'>, browser = service.browser(), given?: string) =>
  logInByPassword(browser, person, given);

describe('a login with the password', () => {
  test('answers with the user and a full session, exactly', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    const answer = await enter(person, browser);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: person.signedUp.body.user,
        session: { ...sessionBegunAt(answer.body.session.createdAt), method: 'password' },
      },
    ]);
    const { body } = await browser.get('/auth/session');
    expect(body.session).toEqual(answer.body.session);
    expect(body.user).toMatchObject({ username: person.username, hasPassword: true, passkeyCount: 1 });
  });

  test('puts the token into the session cookie and nowhere else', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    const answer = await enter(person, browser);
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

  test('costs two round trips and is one row in the audit log', async () => {
    const person = await personWithPassword();
    service.statements.length = 0;
    const answer = await enter(person);
    expect(service.statements).toHaveLength(2);
    expect(await auditRowsOf(service, answer)).toEqual([ownAuditRow(person, 'password.login')]);
  });

  test.each<[what: string, spell: (name: string) => string]>([
    ['in capitals', (name) => name.toUpperCase()],
    ['with spaces around it', (name) => ` \t${name}\u3000`],
    ['in fullwidth letters', fullWidth],
  ])('takes the username %s', async (_, spell) => {
    const person = await personWithPassword();
    const answer = await enter({ username: spell(person.username) });
    expect([answer.status, answer.body.user?.id]).toEqual([200, person.signedUp.body.user.id]);
  });

  test('is fresh authentication: a change that needs it may follow', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    await enter(person, browser);
    expect((await browser.post('/auth/passkey/devices/add', {})).status).toBe(200);
    expect((await removePassword(browser)).status).toBe(204);
  });

  test('is told to other services as one with a password alone', async () => {
    const browser = service.browser();
    await enter(await personWithPassword(), browser);
    const { token } = (await browser.post('/auth/session/token')).body;
    expect(decodeJwt(token).amr).toEqual(['pwd']);
  });

  test('marks no passkey as used', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    await enter(person, browser);
    expect((await browser.get('/auth/passkey/devices')).body.devices).toMatchObject([{ lastUsedAt: null }]);
  });

  test('fifty times at once gives fifty sessions, each with a row of its own', async () => {
    const person = await personWithPassword();
    const answers = await together(times(50, () => enter(person)));
    expect(statuses(answers)).toEqual(times(50, 200));
    expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(50);
    expect(await countAuditRows(service, person, 'password.login')).toBe(50);
  });
});

describe('the session that was presented', () => {
  test('is killed, and no other', async () => {
    const person = await personWithPassword();
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    const presented = person.browser.copy();
    await enter(person, person.browser);
    expect(await isSignedIn(presented)).toBe(false);
    expect(await isSignedIn(person.browser)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(2);
  });

  test('is killed as well where it is somebody else’s', async () => {
    const [one, other] = [await personWithPassword(), await personWithPassword()];
    const presented = one.browser.copy();
    await enter(other, one.browser);
    expect(await isSignedIn(presented)).toBe(false);
    expect((await one.browser.get('/auth/session')).body.user.username).toBe(other.username);
  });

  test('is left alone where the login fails', async () => {
    const person = await personWithPassword();
    const answer = await enter(person, person.browser, 'something else');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await isSignedIn(person.browser)).toBe(true);
  });

  test('is never adopted where nobody issued it', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    browser.cookies.set('latchkey', 'c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu');
    const planted = browser.copy();
    expect((await enter(person, browser)).status).toBe(200);
    expect(browser.cookies.get('latchkey')).not.toBe(planted.cookies.get('latchkey'));
    expect(await isSignedIn(planted)).toBe(false);
  });

  test('of recovery gives way to a full one', async () => {
    const person = await personWithPassword();
    const { browser } = await startRecovering(service, person);
    const recovering = browser.copy();
    expect((await enter(person, browser)).body.session.kind).toBe('full');
    expect(await isSignedIn(recovering)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
