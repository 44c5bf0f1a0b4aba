import type { SessionEnd } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  accept,
  changeRole,
  deleteUser,
  disable,
  enable,
  endSessionsOf,
  invite,
  signUpAs,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import {
  createImpersonationLink,
  impersonate,
  operatorAs,
  superadminAs,
  useImpersonationLink,
} from './support/impersonation.ts';

const options = { bcryptCost: 4, impersonation: true };
let service: TestService;
/** Another process, which learns of changes only through the database. */
let other: Awaited<ReturnType<typeof startServiceOn>>;
let boss: Person;
beforeAll(async () => {
  service = await startTestService(options);
  other = await startServiceOn(service.database.url, options);
  boss = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await other.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service));

const succeed = async (answer: Promise<{ status: number }>) =>
  expect((await answer).status).toBeLessThan(300);

/** Changes after which an impersonated session has ended, and changes that undo them. */
const endings: [what: string, act: (grace: Person, ada: Person) => Promise<unknown>][] = [
  ['the superadmin is demoted', (grace) => succeed(changeRole(boss.browser, grace, 'admin'))],
  [
    'the superadmin is demoted and promoted again',
    async (grace) => {
      await succeed(changeRole(boss.browser, grace, 'user'));
      await succeed(changeRole(boss.browser, grace, 'superadmin'));
    },
  ],
  ['the superadmin is disabled', (grace) => succeed(disable(boss.browser, grace))],
  [
    'the superadmin is disabled and enabled again',
    async (grace) => {
      await succeed(disable(boss.browser, grace));
      await succeed(enable(boss.browser, grace));
    },
  ],
  ['the superadmin is deleted', (grace) => succeed(deleteUser(boss.browser, grace))],
  ['all sessions of the superadmin are ended', (grace) => succeed(endSessionsOf(boss.browser, grace))],
  [
    'the superadmin ends all other sessions',
    async (grace) => {
      const browser = service.browser();
      await logIn(browser, grace.authenticator);
      await succeed(browser.delete('/auth/sessions'));
    },
  ],
  ['the user becomes a superadmin', (_, ada) => succeed(changeRole(boss.browser, ada, 'superadmin'))],
  [
    'the user becomes a superadmin and a user again',
    async (_, ada) => {
      await succeed(changeRole(boss.browser, ada, 'superadmin'));
      await succeed(changeRole(boss.browser, ada, 'user'));
    },
  ],
  ['the user becomes an admin', (_, ada) => succeed(changeRole(boss.browser, ada, 'admin'))],
  [
    'the user accepts an invitation to become an admin',
    async (_, ada) => succeed(accept(ada.browser, await invite(boss.browser))),
  ],
  ['the user is disabled', (_, ada) => succeed(disable(boss.browser, ada))],
  ['the user is deleted', (_, ada) => succeed(deleteUser(boss.browser, ada))],
  ['all sessions of the user are ended', (_, ada) => succeed(endSessionsOf(boss.browser, ada))],
  ['the user ends all other sessions', (_, ada) => succeed(ada.browser.delete('/auth/sessions'))],
];

// The superadmin would sign in to end the sessions, and this sign-in would wait, too. A test below signs in before.
const concurrent = endings.filter(([what]) => what !== 'the superadmin ends all other sessions');

describe('an impersonated session ends', () => {
  test.each(endings)('when %s', async (_, end) => {
    const ada = await signUp(service);
    const grace = await superadminAs(service, ada);
    const elsewhere = other.browser(grace.browser.cookies);
    // The guards of both processes have the session in their caches.
    expect(await isSignedIn(grace.browser)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const watched: SessionEnd[] = [];
    const read = await service.auth.sessionOf(cookieHeader(grace.browser));
    if (!read) throw new Error('no session');
    const stop = service.auth.watchSession(read, (reason) => watched.push(reason));
    await end(grace, ada);
    expect(await isSignedIn(grace.browser)).toBe(false);
    expect(await service.auth.sessionOf(cookieHeader(grace.browser))).toBeNull();
    await eventually(async () => !(await isSignedIn(elsewhere)));
    await eventually(() => watched.length > 0);
    stop();
  });

  test.each(concurrent)('even if %s while the session is being stored', async (_, end) => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const browser = service.browser();
    await logIn(browser, grace.authenticator);
    const answer = await whileInserting(
      service,
      'sessions',
      () => impersonate(browser, ada),
      () => end(grace, ada),
    );
    expect([201, 401, 403, 404, 409]).toContain(answer.status);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('even if the superadmin ends all other sessions while the session is being stored', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const stolen = service.browser();
    await logIn(stolen, grace.authenticator);
    const answer = await whileInserting(
      service,
      'sessions',
      () => impersonate(stolen, ada),
      () => succeed(grace.browser.delete('/auth/sessions')),
    );
    expect(answer.status).toBe(201);
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await isSignedIn(grace.browser)).toBe(true);
  });
});

describe('an impersonated session of an operator ends', () => {
  const ofUser = concurrent.filter(
    ([what]) => !what.includes('superadmin is') && !what.includes('of the superadmin'),
  );

  test.each(ofUser)('even if %s while the session is being stored', async (_, end) => {
    const ada = await signUp(service);
    const token = await createImpersonationLink(service, ada);
    const browser = service.browser();
    await whileInserting(
      service,
      'sessions',
      () => useImpersonationLink(browser, token),
      () => end(boss, ada),
    );
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('when the user becomes a superadmin', async () => {
    const ada = await signUp(service);
    const browser = await operatorAs(service, ada);
    expect(await isSignedIn(browser)).toBe(true);
    await changeRole(boss.browser, ada, 'superadmin');
    expect(await isSignedIn(browser)).toBe(false);
    await changeRole(boss.browser, ada, 'user');
    expect(await isSignedIn(browser)).toBe(false);
  });
});

test('an impersonated session is valid only in the current epochs of both accounts', async () => {
  const { sql } = service.database;
  const ada = await signUp(service);
  const grace = await superadminAs(service, ada);
  for (const person of [grace, ada]) {
    const id = userIdOf(person);
    await sql`update latchkey.users set session_epoch = session_epoch + 1 where id = ${id}`;
    expect(await isSignedIn(grace.browser)).toBe(false);
    await sql`update latchkey.users set session_epoch = session_epoch - 1 where id = ${id}`;
    expect(await isSignedIn(grace.browser)).toBe(true);
  }
});

test('a check that knows only the epochs, as in earlier versions, rejects an impersonated session', async () => {
  const ada = await signUp(service);
  await superadminAs(service, ada);
  const rows = await service.database.sql`
    select sessions.method from latchkey.sessions
    join latchkey.users on users.id = sessions.user_id and users.session_epoch = sessions.epoch
    where users.id = ${userIdOf(ada)}`;
  expect(rows).toEqual([{ method: 'passkey' }]);
});

test('of ten concurrent requests with the same session, one opens an impersonated session', async () => {
  const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
  const browsers = Array.from({ length: 10 }, () => grace.browser.copy());
  const answers = await together(browsers.map((browser) => () => impersonate(browser, ada)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
});
