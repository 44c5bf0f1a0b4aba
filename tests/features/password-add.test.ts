import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/refused-sign-in.ts';

const first = 'a wet towel in Oslo';
const second = 'nine lamps, one dark';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  await freezeClock(service);
});
afterAll(() => service.close());
afterEach(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]));

const add = (browser: TestAgent, password: string) => browser.post('/auth/password/add', { password });
const enter = ({ username }: Person, password: string): Promise<Answer> =>
  service.browser().post('/auth/password/login', { username, password });
const hasPassword = async (browser: TestAgent) => (await browser.get('/auth/session')).body.user.hasPassword;
const storedHash = async ({ signedUp }: Person): Promise<string | null> => {
  const [row] = await service.database.sql`
    select password_hash from latchkey.users where id = ${signedUp.body.user.id}`;
  return row?.password_hash;
};
const entriesOf = ({ signedUp }: Person) =>
  service.database.sql`
    select event, outcome from latchkey.audit_events
    where actor_id = ${signedUp.body.user.id} and event like 'password.%' order by at, id`;

const success = (event: string, { username, signedUp }: Person) => ({
  event,
  outcome: 'success',
  actor_type: 'user',
  actor_name: username,
  target_type: 'user',
  target_id: signedUp.body.user.id,
  target_name: username,
  details: {},
});

describe('a first password', () => {
  test('is answered with 201 and the user, and shows in the account', async () => {
    const { browser, signedUp } = await signUp(service);
    expect(await hasPassword(browser)).toBe(false);
    const answer = await add(browser, first);
    expect([answer.status, answer.body]).toEqual([201, { user: signedUp.body.user }]);
    expect((await browser.get('/auth/session')).body.user).toEqual({
      ...signedUp.body.user,
      hasPassword: true,
      passkeyCount: 1,
      recoveryCodesRemaining: 0,
    });
  });

  test('signs in from then on, and the passkey goes on to', async () => {
    const person = await signUp(service);
    expectProblem(await enter(person, first), 'authentication_failed');
    await add(person.browser, first);
    expect((await enter(person, first)).status).toBe(200);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('is kept as a bcrypt digest of the configured cost', async () => {
    const person = await signUp(service);
    await add(person.browser, first);
    expect(await storedHash(person)).toMatch(/^\$2b\$04\$[./A-Za-z0-9]{53}$/);
  });

  test('is salted: two people with one password have two digests', async () => {
    const people = [await signUp(service), await signUp(service)];
    for (const { browser } of people) await add(browser, first);
    const [one, other] = await Promise.all(people.map(storedHash));
    expect(one).not.toBe(other);
  });

  test('is one row in the audit log', async () => {
    const person = await signUp(service);
    const answer = await add(person.browser, first);
    expect(await auditRowsOf(service, answer)).toEqual([success('password.add', person)]);
  });

  test('is of nobody else', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await add(person.browser, first);
    expect(await hasPassword(other.browser)).toBe(false);
    expectProblem(await enter(other, first), 'authentication_failed');
  });
});

describe('a password in place of another', () => {
  const withPassword = async () => {
    const person = await signUp(service);
    await add(person.browser, first);
    return person;
  };

  test('is answered with 200 and the user, and is written down as a replacement', async () => {
    const person = await withPassword();
    const answer = await add(person.browser, second);
    expect([answer.status, answer.body]).toEqual([200, { user: person.signedUp.body.user }]);
    expect(await auditRowsOf(service, answer)).toEqual([success('password.replace', person)]);
    expect(await hasPassword(person.browser)).toBe(true);
  });

  test('works, and the other does not any more', async () => {
    const person = await withPassword();
    await add(person.browser, second);
    expectProblem(await enter(person, first), 'authentication_failed');
    expect((await enter(person, second)).status).toBe(200);
  });

  test('may be the same once more', async () => {
    const person = await withPassword();
    const before = await storedHash(person);
    expect((await add(person.browser, first)).status).toBe(200);
    expect(await storedHash(person)).not.toBe(before);
    expect((await enter(person, first)).status).toBe(200);
  });

  test('ends no session, neither of the passkey nor of the old password', async () => {
    const person = await withPassword();
    const [byPasskey, byPassword] = [service.browser(), service.browser()];
    await logIn(byPasskey, person.authenticator);
    await byPassword.post('/auth/password/login', { username: person.username, password: first });
    const presented = person.browser.copy();
    const answer = await add(person.browser, second);
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const browser of [presented, byPasskey, byPassword]) {
      expect((await browser.get('/auth/session')).status).toBe(200);
    }
    expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(3);
  });

  test('that is refused leaves the old one', async () => {
    const person = await withPassword();
    expectProblem(await add(person.browser, 'short'), 'password_unacceptable', {
      reason: 'too_short',
      detail: 'A password has 8 characters at least.',
    });
    expect((await enter(person, first)).status).toBe(200);
    expect(await entriesOf(person)).toMatchObject([{ event: 'password.add' }, { event: 'password.login' }]);
  });
});

describe('who may not set one', () => {
  test('is anybody without a session', async () => {
    expectProblem(await add(service.browser(), first), 'not_authenticated');
  });

  test('is a person in a recovery session, which recovery codes give', async () => {
    const person = await signUp(service);
    const { codes } = (await person.browser.post('/auth/recovery/codes/generate', {})).body;
    const recovering = service.browser();
    const used = await recovering.post('/auth/recovery/codes/use', {
      username: person.username,
      code: codes[0],
    });
    expect([used.status, used.body.session.kind]).toEqual([200, 'recovery']);
    expectProblem(await add(recovering, first), 'recovery_session');
    expect(await storedHash(person)).toBeNull();
  });

  test('is a person whose last proof of presence is more than ten minutes old', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 10 });
    expect((await add(person.browser, first)).status).toBe(201);
    await service.turnClock({ seconds: 0.001 });
    const before = await storedHash(person);
    expectProblem(await add(person.browser, second), 'reauthentication_required');
    expect(await storedHash(person)).toBe(before);
    await stepUp(person.browser, person.authenticator);
    expect((await add(person.browser, second)).status).toBe(200);
  });

  test('is a person who has logged out', async () => {
    const person = await signUp(service);
    const kept = person.browser.copy();
    await person.browser.delete('/auth/session');
    for (const browser of [person.browser, kept])
      expectProblem(await add(browser, first), 'not_authenticated');
    expect(await storedHash(person)).toBeNull();
  });

  test.each([
    ['before the account is read', /users\.version/],
    ['before the password is written', /update latchkey\.users/],
  ])('is a person whose session ends while the password is hashed, %s', async (_, statement) => {
    const person = await signUp(service);
    let ended = 0;
    const instance = await startSecondInstance(service, { bcryptCost: 4 }, async (text) => {
      if (!statement.test(text)) return;
      const { session } = person.signedUp.body;
      const gone = await service.database.sql`delete from latchkey.sessions where id = ${session.id}`;
      ended += gone.count;
    });
    const answer = await add(instance.browser(person.browser.cookies), first);
    await instance.close();
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await storedHash(person)).toBeNull();
    expect(await entriesOf(person)).toEqual([]);
  });
});
