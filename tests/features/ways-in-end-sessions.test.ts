import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { addPasskey, logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { isSignedIn, tokenOf } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  password,
  removePassword,
  signUpWithPassword,
} from './support/passwords.ts';
import {
  createLink,
  enterByCode,
  enterByLink,
  generateCodes,
  linkRowsOf,
  useCode,
  useLink,
} from './support/recovery.ts';

const options = { bcryptCost: 4 };
let service: TestService;
/** Another process on the same database. */
let second: ServiceOn;
beforeAll(async () => {
  service = await startTestService(options);
  second = await startSecondInstance(service, options);
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

interface Change {
  /** Creates a user, with a password if the change requires one. */
  signUp(): Promise<Person>;
  /** Prepares the change and returns a function that sends the request. */
  prepare(person: Person): Promise<() => Promise<Answer>>;
  event: string;
}

const changes: Record<string, Change> = {
  'setting a password': {
    signUp: () => signUp(service),
    prepare:
      async ({ browser }) =>
      () =>
        addPassword(browser),
    event: 'password.add',
  },
  'replacing the password': {
    signUp: () => signUpWithPassword(service),
    prepare:
      async ({ browser }) =>
      () =>
        addPassword(browser, otherPassword),
    event: 'password.replace',
  },
  'setting the same password again': {
    signUp: () => signUpWithPassword(service),
    prepare:
      async ({ browser }) =>
      () =>
        addPassword(browser, password),
    event: 'password.replace',
  },
  'removing the password': {
    signUp: () => signUpWithPassword(service),
    prepare:
      async ({ browser }) =>
      () =>
        removePassword(browser),
    event: 'password.remove',
  },
  'removing a passkey': {
    signUp: () => signUpWithPassword(service),
    prepare: async ({ browser }) => {
      const { id } = (await addPasskey(browser)).body.device;
      return () => browser.delete(`/auth/passkey/devices/${id}`);
    },
    event: 'passkey.remove',
  },
};

/** Every way to open a session, prepared for a user. */
const waysIn: Record<string, (person: Person) => Promise<(browser: TestAgent) => Promise<Answer>>> = {
  'a sign-in with a passkey':
    async ({ authenticator }) =>
    (browser) =>
      logIn(browser, authenticator),
  'a sign-in with the password': async (person) => (browser) => logInByPassword(browser, person),
  'the use of a recovery code': async (person) => {
    const [code] = await generateCodes(person.browser);
    return (browser) => useCode(browser, person, code);
  },
  'the use of a recovery link': async (person) => {
    const { token } = await createLink(service, person);
    return (browser) => useLink(browser, token);
  },
};

describe.each(Object.entries(changes))('%s', (_, { signUp: signUpFor, prepare, event }) => {
  test('ends every other session in every process, cancels recoveries, and does not end the current session', async () => {
    const person = await signUpFor();
    const act = await prepare(person);
    const [code] = await generateCodes(person.browser);
    const others = [second.browser(), await enterByCode(service, person, code)];
    await logIn(others[0] as TestAgent, person.authenticator);
    others.push(await enterByLink(service, (await createLink(service, person)).token));
    const stranger = await signUp(service);
    const before = tokenOf(person.browser);

    const answer = await act();
    expect(answer.status).toBeLessThan(300);
    for (const other of others) {
      expect(await isSignedIn(other)).toBe(false);
      expect(await isSignedIn(second.browser(other.cookies))).toBe(false);
    }
    expect(tokenOf(person.browser)).toBe(before);
    expect(await isSignedIn(person.browser)).toBe(true);
    expect(await isSignedIn(second.browser(person.browser.cookies))).toBe(true);
    expect(await isSignedIn(stranger.browser)).toBe(true);
    expect((await person.browser.get('/auth/sessions')).body.sessions).toMatchObject([{ current: true }]);
    expect(await linkRowsOf(service, person)).toEqual([]);
    expect((await auditRowsOf(service, answer)).map((row) => row.event)).toEqual([event]);
  });

  test('does not affect unused recovery codes', async () => {
    const person = await signUpFor();
    const act = await prepare(person);
    const codes = await generateCodes(person.browser);
    await act();
    expect((await useCode(service.browser(), person, codes[0])).status).toBe(200);
  });

  test('fails and ends no session if the caller’s own session has just ended', async () => {
    const person = await signUpFor();
    const act = await prepare(person);
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    await service.database.sql`
      delete from latchkey.sessions where user_id = ${userIdOf(person)} and id <> ${
        (await elsewhere.get('/auth/session')).body.session.id
      }`;
    expectProblem(await act(), 'not_authenticated');
    expect(await isSignedIn(elsewhere)).toBe(true);
  });

  const applicable = Object.entries(waysIn).filter(
    ([way]) => event !== 'password.add' || way !== 'a sign-in with the password',
  );
  test.each(applicable)('also ends the session that %s is opening concurrently', async (_, way) => {
    const person = await signUpFor();
    const act = await prepare(person);
    const enter = await way(person);
    const browser = service.browser();
    const change: { answer?: Answer } = {};
    const entered = await whileInserting(
      service,
      'sessions',
      () => enter(browser),
      async () => {
        change.answer = await act();
      },
    );
    expect(change.answer?.status).toBeLessThan(300);
    expect([200, 401]).toContain(entered.status);
    for (const one of [browser, second.browser(browser.cookies)]) expect(await isSignedIn(one)).toBe(false);
    expect(await isSignedIn(person.browser)).toBe(true);
  });

  test('ends the sessions of concurrent sign-ins, except sign-ins that run after the change', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUpFor();
      const act = await prepare(person);
      const browsers = Array.from({ length: 10 }, (_, n) => (n % 2 ? second : service).browser());
      const answers = await together<Answer>([
        ...browsers.slice(0, 5).map((browser) => () => logIn(browser, person.authenticator)),
        act,
        ...browsers.slice(5).map((browser) => () => logIn(browser, person.authenticator)),
      ]);
      expect(answers[5]?.status).toBeLessThan(300);
      const [row] = await service.database.sql<{ epoch: number }[]>`
        select session_epoch as epoch from latchkey.users where id = ${userIdOf(person)}`;
      const { sessions } = (await person.browser.get('/auth/sessions')).body;
      const rows = await service.database.sql<{ id: string }[]>`
        select id from latchkey.sessions where user_id = ${userIdOf(person)} and epoch = ${row?.epoch ?? -1}`;
      expect(rows.map(({ id }) => id).sort()).toEqual(sessions.map(({ id }: { id: string }) => id).sort());
      expect(await isSignedIn(person.browser)).toBe(true);
    }
  });
});

test('adding a passkey ends only recovery sessions and cancels the recovery link', async () => {
  const person = await signUp(service);
  const elsewhere = second.browser();
  await logIn(elsewhere, person.authenticator);
  const [code] = await generateCodes(person.browser);
  const byCode = await enterByCode(service, person, code);
  const byLink = await enterByLink(service, (await createLink(service, person)).token);
  expect((await addPasskey(person.browser)).status).toBe(201);
  expect([await isSignedIn(byCode), await isSignedIn(byLink)]).toEqual([false, false]);
  expect([await isSignedIn(elsewhere), await isSignedIn(person.browser)]).toEqual([true, true]);
  expect(await linkRowsOf(service, person)).toEqual([]);
});
