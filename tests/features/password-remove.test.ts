import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/refused-sign-in.ts';

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

const remove = (browser: TestAgent) => browser.delete('/auth/password/remove');
const removePasskey = ({ browser, signedUp }: Person) =>
  browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
const enter = ({ username }: Person, browser = service.browser()) =>
  browser.post('/auth/password/login', { username, password });
const account = async (browser: TestAgent) => (await browser.get('/auth/session')).body.user;

const entry = ({ username, signedUp }: Person, outcome: string, details: object) => ({
  event: 'password.remove',
  outcome,
  actor_type: 'user',
  actor_name: username,
  target_type: 'user',
  target_id: signedUp.body.user.id,
  target_name: username,
  details,
});

describe('removing the password', () => {
  test('is answered with 204, and it no longer signs in nor steps up', async () => {
    const person = await personWithPassword();
    const answer = await remove(person.browser);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await account(person.browser)).toMatchObject({ hasPassword: false, passkeyCount: 1 });
    expectProblem(await enter(person), 'authentication_failed');
    expectProblem(await person.browser.post('/auth/password/stepup', { password }), 'authentication_failed');
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('leaves nothing of it in the account', async () => {
    const person = await personWithPassword();
    await remove(person.browser);
    const [row] = await service.database.sql`
      select password_hash from latchkey.users where id = ${person.signedUp.body.user.id}`;
    expect(row).toEqual({ password_hash: null });
  });

  test('is one row in the audit log', async () => {
    const person = await personWithPassword();
    const answer = await remove(person.browser);
    expect(await auditRowsOf(service, answer)).toEqual([entry(person, 'success', {})]);
  });

  test('may have an empty object for a body', async () => {
    const { browser } = await personWithPassword();
    const headers = { 'Content-Type': 'application/json' };
    expect((await browser.request('DELETE', '/auth/password/remove', '{}', headers)).status).toBe(204);
  });

  test('ends no session, not even one that the password began', async () => {
    const person = await personWithPassword();
    const elsewhere = service.browser();
    await enter(person, elsewhere);
    const answer = await remove(person.browser);
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const browser of [person.browser, elsewhere])
      expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('finds none where there is none, which is not written down', async () => {
    const { browser } = await signUp(service);
    const rows = (await service.auditRows()).length;
    expectProblem(await remove(browser), 'not_found');
    expect(await service.auditRows()).toHaveLength(rows);
    const person = await personWithPassword();
    await remove(person.browser);
    expectProblem(await remove(person.browser), 'not_found');
  });

  test('takes nothing of anybody else', async () => {
    const [person, other] = [await personWithPassword(), await personWithPassword()];
    await remove(person.browser);
    expect((await enter(other)).status).toBe(200);
  });

  test('lets a password be added again, as the first', async () => {
    const person = await personWithPassword();
    await remove(person.browser);
    const answer = await person.browser.post('/auth/password/add', { password });
    expect(answer.status).toBe(201);
    expect(await auditRowsOf(service, answer)).toMatchObject([{ event: 'password.add' }]);
    expect((await enter(person)).status).toBe(200);
  });
});

describe('the last way in', () => {
  test('is the passkey where there is no password', async () => {
    const person = await personWithPassword();
    await remove(person.browser);
    expectProblem(await removePasskey(person), 'last_credential');
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('may be the password: the only passkey can go', async () => {
    const person = await personWithPassword();
    expect((await removePasskey(person)).status).toBe(204);
    expect(await account(person.browser)).toMatchObject({ hasPassword: true, passkeyCount: 0 });
    expectProblem(await logIn(service.browser(), person.authenticator), 'authentication_failed');
    expect((await enter(person)).status).toBe(200);
  });

  test('cannot be removed where it is the password: that is written down, and it goes on working', async () => {
    const person = await personWithPassword();
    await removePasskey(person);
    const answer = await remove(person.browser);
    expectProblem(answer, 'last_credential');
    expect(await auditRowsOf(service, answer)).toEqual([
      entry(person, 'failure', { reason: 'last_credential' }),
    ]);
    expect((await account(person.browser)).hasPassword).toBe(true);
    expect((await enter(person)).status).toBe(200);
  });

  test('is the password beside any number of recovery codes as well', async () => {
    const person = await personWithPassword();
    await person.browser.post('/auth/recovery/codes/generate', {});
    await removePasskey(person);
    expectProblem(await remove(person.browser), 'last_credential');
  });

  test('may be another passkey: a person with a password alone steps up, adds one, and the password goes', async () => {
    const person = await personWithPassword();
    await removePasskey(person);
    const browser = service.browser();
    await enter(person, browser);
    await service.turnClock({ minutes: 11 });
    expectProblem(await browser.post('/auth/passkey/devices/add', {}), 'reauthentication_required');
    expect((await browser.post('/auth/password/stepup', { password })).status).toBe(200);
    const authenticator = newAuthenticator();
    expect((await addPasskey(browser, authenticator)).status).toBe(201);
    expect((await remove(browser)).status).toBe(204);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    expectProblem(await enter(person), 'authentication_failed');
  });

  test('may be replaced where it is the password', async () => {
    const person = await personWithPassword();
    await removePasskey(person);
    const replaced = await person.browser.post('/auth/password/add', { password: 'nine lamps, one dark' });
    expect(replaced.status).toBe(200);
    expectProblem(await enter(person), 'authentication_failed');
  });
});

describe('who may not remove it', () => {
  test('is anybody without a session', async () => {
    expectProblem(await remove(service.browser()), 'not_authenticated');
  });

  test('is a person in a recovery session', async () => {
    const { browser, username } = await personWithPassword();
    const { codes } = (await browser.post('/auth/recovery/codes/generate', {})).body;
    const recovering = service.browser();
    await recovering.post('/auth/recovery/codes/use', { username, code: codes[0] });
    expectProblem(await remove(recovering), 'recovery_session');
    expect((await account(browser)).hasPassword).toBe(true);
  });

  test('is a person whose last proof of presence is more than ten minutes old', async () => {
    const { browser, authenticator } = await personWithPassword();
    await service.turnClock({ minutes: 10, seconds: 0.001 });
    expectProblem(await remove(browser), 'reauthentication_required');
    expect((await account(browser)).hasPassword).toBe(true);
    await stepUp(browser, authenticator);
    expect((await remove(browser)).status).toBe(204);
  });

  test('is a person whose session ends between the guard and the change', async () => {
    const person = await personWithPassword();
    let ended = 0;
    const instance = await startSecondInstance(service, { bcryptCost: 4 }, async (text) => {
      if (!/update latchkey\.users/.test(text)) return;
      const { session } = person.signedUp.body;
      const gone = await service.database.sql`delete from latchkey.sessions where id = ${session.id}`;
      ended += gone.count;
    });
    const answer = await remove(instance.browser(person.browser.cookies));
    await instance.close();
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await auditRowsOf(service, answer)).toEqual([]);
    expect((await enter(person)).status).toBe(200);
  });
});
