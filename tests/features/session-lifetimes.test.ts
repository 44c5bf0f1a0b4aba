import type { AuthServiceOptions, Role } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { accept, changeRole, found, invite, signUpAs, signUpMember } from './support/authority.ts';
import { currentSession } from './support/current-session.ts';

const hour = 3600;
const day = 24 * hour;

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());

let instance: ServiceOn | undefined;
afterEach(async () => {
  await instance?.close();
  instance = undefined;
});

/** Signs in a user who has this role, in a new browser of a service with these options. */
async function enterAs(role: Role, options: AuthServiceOptions = {}): Promise<Person> {
  const person = await signUp(service);
  await setRole(service, person, role);
  instance = await startSecondInstance(service, options);
  const browser = instance.browser();
  expect((await logIn(browser, person.authenticator)).status).toBe(200);
  return { ...person, browser };
}

/** Uses the session for this time, and often enough that it does not expire. */
async function use({ browser }: Person, seconds: number, every: number): Promise<void> {
  for (let elapsed = every; elapsed <= seconds; elapsed += every) {
    await service.turnClock({ seconds: every });
    expect((await browser.get('/auth/session')).status).toBe(200);
  }
}

const expiry = async (browser: Person['browser']) => (await currentSession(browser)).expiresAt;

describe.each(['admin', 'superadmin'] as const)('by default, a session of the role %s', (role) => {
  test('expires after an hour without a request', async () => {
    const { browser } = await enterAs(role);
    expect(await expiry(browser)).toBe(await timeOf(service, hour));
    await service.turnClock({ seconds: 600 });
    expect(await expiry(browser)).toBe(await timeOf(service, hour));
    await service.turnClock({ seconds: hour });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  });

  test('expires 24 hours after the sign-in, even if the user keeps using it and steps up', async () => {
    const person = await enterAs(role);
    const end = await timeOf(service, day);
    await use(person, day - 0.5 * hour, 0.5 * hour);
    expect((await stepUp(person.browser, person.authenticator)).body.session.expiresAt).toBe(end);
    await service.turnClock({ seconds: 0.5 * hour });
    expectProblem(await person.browser.get('/auth/session'), 'not_authenticated');
  });

  test('has a cookie that expires after 24 hours', async () => {
    const { authenticator } = await enterAs(role);
    const answer = await logIn(service.browser(), authenticator);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^latchkey=.*; Max-Age=86400$/);
  });
});

test('by default, the session of an organization admin expires after seven idle days', async () => {
  const founder = await signUpAs(service, 'admin');
  const organization = await found(founder.browser);
  const { browser, authenticator } = await signUpMember(service, founder.browser, organization, 'admin');
  expect(await expiry(browser)).toBe(await timeOf(service, 7 * day));
  expect((await stepUp(browser, authenticator)).body.session.expiresAt).toBe(await timeOf(service, 7 * day));
});

describe('the lifetimes of a role', () => {
  const lifetimes = { superadmin: { ttlSeconds: 500, idleSeconds: 200 }, user: { idleSeconds: 900 } };

  test.each<[Role, AuthServiceOptions, seconds: number]>([
    ['superadmin', { sessionLifetimes: lifetimes }, 200],
    ['admin', { sessionLifetimes: lifetimes }, hour],
    ['user', { sessionLifetimes: lifetimes }, 900],
    ['superadmin', { sessionLifetimes: { superadmin: { ttlSeconds: 100 } } }, 100],
    ['superadmin', { env: { SUPERADMIN_SESSION_IDLE_TIMEOUT: '300' } }, 300],
    ['superadmin', { env: { SUPERADMIN_SESSION_TTL: '90' } }, 90],
    ['admin', { env: { ADMIN_SESSION_IDLE_TIMEOUT: '7200' } }, 2 * hour],
    ['admin', { sessionTtlSeconds: 50 }, 50],
    ['admin', { sessionIdleTimeoutSeconds: 60 }, 60],
    ['admin', { sessionLifetimes: { admin: { idleSeconds: 600 } }, sessionIdleTimeoutSeconds: 60 }, 60],
  ])(
    'are configurable, and cannot exceed the lifetimes for all roles: %s with %j',
    async (role, options, seconds) => {
      const { browser } = await enterAs(role, options);
      expect(await expiry(browser)).toBe(await timeOf(service, seconds));
      await service.turnClock({ seconds: seconds - 0.001 });
      // This reads the database, because a request would prolong the session.
      const [row] = await service.database.sql`
      select expires_at > latchkey.clock() as live from latchkey.sessions order by created_at desc limit 1`;
      expect(row).toEqual({ live: true });
      await service.turnClock({ seconds: 0.001 });
      expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    },
  );
});

describe('a promotion', () => {
  const promotions: [name: string, promote: (person: Person) => Promise<unknown>][] = [
    [
      'by a superadmin',
      async (person) => changeRole((await signUpAs(service, 'superadmin')).browser, person, 'admin'),
    ],
    ['by an operator', ({ username }) => service.auth.asOperator('ops').users.changeRole(username, 'admin')],
    [
      'by accepting an invitation',
      async ({ browser }) => accept(browser, await invite((await signUpAs(service, 'superadmin')).browser)),
    ],
  ];

  test.each(promotions)('%s shortens all live sessions of the account', async (_, promote) => {
    const person = await signUp(service);
    const other = service.browser();
    await logIn(other, person.authenticator);
    await service.turnClock({ minutes: 30 });
    await promote(person);
    const [row] = await service.database.sql`
      select count(*)::int as sessions,
        bool_and(ends_at = created_at + interval '24 hours') as absolute,
        bool_and(expires_at <= last_seen_at + interval '1 hour') as idle
      from latchkey.sessions where user_id = ${userIdOf(person)}`;
    expect(row).toEqual({ sessions: 2, absolute: true, idle: true });
    await service.turnClock({ minutes: 61 });
    expectProblem(await other.get('/auth/session'), 'not_authenticated');
  });

  test('does not end a session that is younger than the lifetimes of the new role', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 59 });
    await service.auth.asOperator('ops').users.changeRole(person.username, 'superadmin');
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('superadmin');
  });

  test('also limits a session that is opened at the same moment', async () => {
    const person = await signUp(service);
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await person.authenticator.get(options);
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.sessions/,
      change: () => setRole(service, person, 'admin'),
      act: async (other) => {
        const racing = other.browser(browser.cookies);
        const { status } = await racing.post('/auth/passkey/login/verify', { credential });
        return { status, cookies: racing.cookies };
      },
    });
    expect([answer.status, changed]).toEqual([200, 1]);
    const raced = service.browser();
    for (const [name, value] of answer.cookies) raced.cookies.set(name, value);
    expect((await raced.get('/auth/session')).body.user.role).toBe('admin');
    await service.turnClock({ minutes: 60 });
    expectProblem(await raced.get('/auth/session'), 'not_authenticated');
  });
});

test('a demotion does not lengthen the absolute lifetime of a session', async () => {
  const person = await enterAs('admin');
  const end = await timeOf(service, day);
  await service.auth.asOperator('ops').users.changeRole(person.username, 'user');
  await use(person, 2 * hour, 0.5 * hour);
  expect(await expiry(person.browser)).toBe(end);
});
