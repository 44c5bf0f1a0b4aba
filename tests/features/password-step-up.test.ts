import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf, reasonOfRefusal } from './support/refused-sign-in.ts';

const password = 'a wet towel in Oslo';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  await freezeClock(service);
});
afterAll(() => service.close());
afterEach(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]));

async function personWithPassword(): Promise<Person> {
  const person = await signUp(service);
  await person.browser.post('/auth/password/add', { password });
  return person;
}

const prove = (browser: TestAgent, given = password) =>
  browser.post('/auth/password/stepup', { password: given });
const currentSession = async (browser: TestAgent) => (await browser.get('/auth/session')).body.session;
const isFresh = async (browser: TestAgent) =>
  (await browser.post('/auth/passkey/devices/add', {})).status === 200;

describe('a step-up with the password', () => {
  test('answers with the session, of which the times have moved and the method', async () => {
    const { browser } = await personWithPassword();
    const before = await currentSession(browser);
    expect(before.method).toBe('passkey');
    await service.turnClock({ minutes: 30 });
    const answer = await prove(browser);
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
    await prove(browser);
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ minutes: 10 });
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ seconds: 1 });
    expect(await isFresh(browser)).toBe(false);
  });

  test('rotates the token, which stands in the cookie and nowhere else', async () => {
    const { browser } = await personWithPassword();
    const old = browser.copy();
    const answer = await prove(browser);
    const token = browser.cookies.get('latchkey') ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(token).not.toBe(old.cookies.get('latchkey'));
    expect(answer.headers.getSetCookie()).toEqual([
      `latchkey=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`,
    ]);
    expect(JSON.stringify([answer.body, await service.auditRows()])).not.toContain(token);
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('is one row in the audit log', async () => {
    const { browser, username, signedUp } = await personWithPassword();
    expect(await auditRowsOf(service, await prove(browser))).toEqual([
      {
        event: 'password.stepup',
        outcome: 'success',
        actor_type: 'user',
        actor_name: username,
        target_type: 'user',
        target_id: signedUp.body.user.id,
        target_name: username,
        details: {},
      },
    ]);
  });

  test('leaves the other sessions and the account as they are', async () => {
    const { browser, authenticator } = await personWithPassword();
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const [session, { user }] = [
      await currentSession(elsewhere),
      (await elsewhere.get('/auth/session')).body,
    ];
    await service.turnClock({ seconds: 30 });
    await prove(browser);
    expect(await currentSession(elsewhere)).toEqual(session);
    expect((await elsewhere.get('/auth/session')).body.user).toEqual(user);
  });

  test('does for a session that the passkey began, and the passkey for one that the password began', async () => {
    const { browser, username, authenticator } = await personWithPassword();
    expect((await prove(browser)).body.session.method).toBe('password');
    expect((await stepUp(browser, authenticator)).body.session.method).toBe('passkey');
    const other = service.browser();
    await other.post('/auth/password/login', { username, password });
    expect((await stepUp(other, authenticator)).body.session.method).toBe('passkey');
    expect((await prove(other)).body.session.method).toBe('password');
  });

  test('fifty times at once leaves one token of one session', async () => {
    const { browser, signedUp } = await personWithPassword();
    const copies = Array.from({ length: 50 }, () => browser.copy());
    const answers = await Promise.all(copies.map((copy) => prove(copy)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    const alive = await Promise.all(copies.map((copy) => copy.get('/auth/session')));
    const sessions = alive.filter(({ status }) => status === 200).map(({ body }) => body.session.id);
    expect(sessions).toEqual([signedUp.body.session.id]);
  });
});

describe('a refused step-up', () => {
  test.each<[what: string, given: string]>([
    ['the wrong password', 'a wet towel in Bergen'],
    ['a password in capitals', password.toUpperCase()],
    ['nothing', ''],
    ['a password that is too long to be had', `${password}${'.'.repeat(60)}`],
  ])('with %s is written down and leaves the session as it was', async (_, given) => {
    const { browser, username, signedUp } = await personWithPassword();
    const before = await currentSession(browser);
    await service.turnClock({ minutes: 11 });
    const answer = await prove(browser, given);
    expect(await reasonOfRefusal(service, answer)).toBe('password_wrong');
    expect(await auditRowsOf(service, answer)).toEqual([
      {
        event: 'password.stepup',
        outcome: 'failure',
        actor_type: 'user',
        actor_name: username,
        target_type: 'user',
        target_id: signedUp.body.user.id,
        target_name: username,
        details: { reason: 'password_wrong' },
      },
    ]);
    const { authenticatedAt, method } = await currentSession(browser);
    expect([authenticatedAt, method]).toEqual([before.authenticatedAt, 'passkey']);
    expect(await isFresh(browser)).toBe(false);
  });

  test('meets an account without a password', async () => {
    const { browser } = await signUp(service);
    expect(await reasonOfRefusal(service, await prove(browser))).toBe('no_password');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('meets the password of somebody else', async () => {
    const other = await signUp(service);
    await other.browser.post('/auth/password/add', { password: 'nine lamps, one dark' });
    const { browser } = await personWithPassword();
    expect(await reasonOfRefusal(service, await prove(browser, 'nine lamps, one dark'))).toBe(
      'password_wrong',
    );
  });

  test('meets nobody without a session, of which nothing is written down', async () => {
    const rows = (await service.auditRows()).length;
    expectProblem(await prove(service.browser()), 'not_authenticated');
    const { browser } = await personWithPassword();
    const kept = browser.copy();
    await browser.delete('/auth/session');
    const before = (await service.auditRows()).length;
    expectProblem(await prove(kept), 'not_authenticated');
    expect((await service.auditRows()).length).toBe(before);
    expect(before).toBeGreaterThan(rows);
  });

  test('meets a recovery session, which stays what it is', async () => {
    const { browser, username } = await personWithPassword();
    const { codes } = (await browser.post('/auth/recovery/codes/generate', {})).body;
    const recovering = service.browser();
    await recovering.post('/auth/recovery/codes/use', { username, code: codes[0] });
    expectProblem(await prove(recovering), 'recovery_session');
    expect((await currentSession(recovering)).kind).toBe('recovery');
  });
});

describe('a step-up that is overtaken', () => {
  test.each<[what: string, change: (person: Person) => Promise<unknown>]>([
    [
      'by another password',
      ({ browser }) => browser.post('/auth/password/add', { password: 'nine lamps, one dark' }),
    ],
    ['by the removal of the password', ({ browser }) => browser.delete('/auth/password/remove')],
    [
      'by the end of its session',
      ({ signedUp }) =>
        service.database.sql`delete from latchkey.sessions where id = ${signedUp.body.session.id}`,
    ],
    [
      'by the account being disabled',
      ({ signedUp }) =>
        service.database.sql`
          update latchkey.users set status = 'disabled' where id = ${signedUp.body.user.id}`,
    ],
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
    let changes = 0;
    const instance = await startSecondInstance(service, { bcryptCost: 4 }, async (text) => {
      if (!/update latchkey\.sessions\s+set token_hash/.test(text)) return;
      changes += 1;
      await change(person);
    });
    const answer = await prove(instance.browser(person.browser.cookies));
    await instance.close();
    expect(changes).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    const after = await authenticatedAt();
    if (after) expect(after).toEqual(before);
  });
});
