import { jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { logIn, newUsername, type Person, signUp } from '../support/person.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/refused-sign-in.ts';
import { sessionBegunAt } from './support/wire-format.ts';

const password = 'a wet towel in Oslo';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]));

/** Somebody with a passkey and the password. */
async function personWithPassword(username = newUsername()): Promise<Person> {
  const person = await signUp(service, { username });
  const { status } = await person.browser.post('/auth/password/add', { password });
  if (status !== 201) throw new Error(`setting the password answered ${status}`);
  return person;
}

const enter = ({ username }: Pick<Person, 'username'>, browser = service.browser(), given = password) =>
  browser.post('/auth/password/login', { username, password: given });
const statusOf = async (browser: TestAgent) => (await browser.get('/auth/session')).status;

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
    const token = browser.cookies.get('latchkey') ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(answer.headers.getSetCookie()).toEqual([
      `latchkey=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`,
    ]);
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
    expect(await auditRowsOf(service, answer)).toEqual([
      {
        event: 'password.login',
        outcome: 'success',
        actor_type: 'user',
        actor_name: person.username,
        target_type: 'user',
        target_id: person.signedUp.body.user.id,
        target_name: person.username,
        details: {},
      },
    ]);
  });

  test.each<[what: string, spell: (name: string) => string]>([
    ['in capitals', (name) => name.toUpperCase()],
    ['with spaces around it', (name) => ` \t${name}\u3000`],
    ['in fullwidth letters', (name) => name.replace(/[a-z]/g, fullwidth)],
  ])('takes the username %s', async (_, spell) => {
    const person = await personWithPassword();
    const answer = await enter({ username: spell(person.username) });
    expect([answer.status, answer.body.user?.id]).toEqual([200, person.signedUp.body.user.id]);
  });

  const fullwidth = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);

  test('is fresh authentication: a change that needs it may follow', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    await enter(person, browser);
    expect((await browser.post('/auth/passkey/devices/add', {})).status).toBe(200);
    expect((await browser.delete('/auth/password/remove')).status).toBe(204);
  });

  test('is told to other services as one with a password alone', async () => {
    const browser = service.browser();
    await enter(await personWithPassword(), browser);
    const { token } = (await browser.post('/auth/session/token')).body;
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret));
    expect(payload.amr).toEqual(['pwd']);
  });

  test('marks no passkey as used', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    await enter(person, browser);
    expect((await browser.get('/auth/passkey/devices')).body.devices).toMatchObject([{ lastUsedAt: null }]);
  });

  test('fifty times at once gives fifty sessions, each with a row of its own', async () => {
    const person = await personWithPassword();
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(person)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(50);
    const entries = await service.database.sql`
      select from latchkey.audit_events
      where event = 'password.login' and outcome = 'success' and actor_name = ${person.username}`;
    expect(entries).toHaveLength(50);
  });
});

describe('the session that was presented', () => {
  test('is killed, and no other', async () => {
    const person = await personWithPassword();
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    const presented = person.browser.copy();
    await enter(person, person.browser);
    expect(await statusOf(presented)).toBe(401);
    expect(await statusOf(person.browser)).toBe(200);
    expect(await statusOf(elsewhere)).toBe(200);
    expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(2);
  });

  test('is killed as well where it is somebody else’s', async () => {
    const [one, other] = [await personWithPassword(), await personWithPassword()];
    const presented = one.browser.copy();
    await enter(other, one.browser);
    expect(await statusOf(presented)).toBe(401);
    expect((await one.browser.get('/auth/session')).body.user.username).toBe(other.username);
  });

  test('is left alone where the login fails', async () => {
    const person = await personWithPassword();
    const answer = await enter(person, person.browser, 'something else');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await statusOf(person.browser)).toBe(200);
  });

  test('is never adopted where nobody issued it', async () => {
    const person = await personWithPassword();
    const browser = service.browser();
    browser.cookies.set('latchkey', 'c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu');
    const planted = browser.copy();
    expect((await enter(person, browser)).status).toBe(200);
    expect(browser.cookies.get('latchkey')).not.toBe(planted.cookies.get('latchkey'));
    expect(await statusOf(planted)).toBe(401);
  });

  test('of recovery gives way to a full one', async () => {
    const person = await personWithPassword();
    const { codes } = (await person.browser.post('/auth/recovery/codes/generate', {})).body;
    const browser = service.browser();
    await browser.post('/auth/recovery/codes/use', { username: person.username, code: codes[0] });
    const recovering = browser.copy();
    expect((await enter(person, browser)).body.session.kind).toBe('full');
    expect(await statusOf(recovering)).toBe(401);
    expect(await statusOf(browser)).toBe(200);
  });
});
