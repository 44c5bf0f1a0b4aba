import {
  type ConfigurationError,
  type LifetimeContext,
  type LifetimeOptions,
  readConfiguration,
} from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { logIn, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { accept, changeRole, signUpAs } from './support/authority.ts';
import { currentSession } from './support/current-session.ts';
import { generateCodes, useCode } from './support/recovery.ts';

const minute = 60;
const hour = 3600;
const day = 24 * hour;
const month = 30 * day;

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

let instance: ServiceOn | undefined;
afterEach(async () => {
  await instance?.close();
  instance = undefined;
});

const start = async (sessionLifetimes: LifetimeOptions): Promise<ServiceOn> => {
  instance = await startSecondInstance(service, { sessionLifetimes, bearerTokens: true });
  return instance;
};

/** Sends these headers with each request. */
const sending = (browser: TestAgent, headers: Record<string, string>): TestAgent => ({
  ...browser,
  get: (path) => browser.get(path, headers),
  post: (path, body) => browser.post(path, body, headers),
});

const expiry = async (browser: TestAgent) => (await currentSession(browser)).expiresAt;

/** Uses the session for this time, so often that it does not expire. */
async function use(browser: TestAgent, seconds: number, every: number): Promise<void> {
  for (let elapsed = every; elapsed <= seconds; elapsed += every) {
    await service.turnClock({ seconds: every });
    expect((await browser.get('/auth/session')).status).toBe(200);
  }
}

describe('a function in `sessionLifetimes`', () => {
  const remembering: LifetimeOptions = {
    ttlSeconds: ({ request, defaultSeconds }) => (request?.header('X-Remember') ? defaultSeconds : 8 * hour),
    idleSeconds: ({ request }) => (request?.header('x-remember') ? day : 30 * minute),
  };

  test('chooses the lifetimes for each request', async () => {
    const { browser, url } = await start(remembering);
    const short = await signUp({ browser, url });
    expect(await expiry(short.browser)).toBe(await timeOf(service, 30 * minute));
    const long = await signUp({ browser, url }, { browser: sending(browser(), { 'X-Remember': '1' }) });
    expect(await expiry(long.browser)).toBe(await timeOf(service, day));
  });

  test('decides once: a session keeps its idle timeout, whatever later requests send', async () => {
    const { browser, url } = await start(remembering);
    const agent = browser();
    await signUp({ browser, url }, { browser: sending(agent, { 'X-Remember': '1' }) });
    await use(agent, 2 * day, 20 * hour);
    expect(await expiry(agent)).toBe(await timeOf(service, day));
    await service.turnClock({ seconds: day });
    expectProblem(await agent.get('/auth/session'), 'not_authenticated');
  });

  test('decides once: a short session stays short, also if later requests would get a longer one', async () => {
    const { browser, url } = await start(remembering);
    const agent = browser();
    await signUp({ browser, url }, { browser: agent });
    await use(sending(agent, { 'X-Remember': '1' }), 20 * minute, 10 * minute);
    expect(await expiry(agent)).toBe(await timeOf(service, 30 * minute));
    await service.turnClock({ seconds: 30 * minute });
    expectProblem(await agent.get('/auth/session'), 'not_authenticated');
  });

  test('cannot keep a session beyond its absolute expiry, however much it is used', async () => {
    const { browser, url } = await start(remembering);
    const agent = browser();
    await signUp({ browser, url }, { browser: agent });
    const end = await timeOf(service, 8 * hour);
    await use(agent, 7.75 * hour, 15 * minute);
    expect(await expiry(agent)).toBe(end);
    await service.turnClock({ seconds: 15 * minute });
    expectProblem(await agent.get('/auth/session'), 'not_authenticated');
  });

  test('decides again at a step-up, but the absolute expiry stays', async () => {
    const { browser, url } = await start(remembering);
    const agent = browser();
    const person = await signUp({ browser, url }, { browser: agent });
    const remembered = sending(agent, { 'X-Remember': '1' });
    expect((await stepUp(remembered, person.authenticator)).body.session.expiresAt).toBe(
      await timeOf(service, 8 * hour),
    );
  });

  test('gets the role, the kind, the request and the default', async () => {
    const seen: LifetimeContext[] = [];
    const { browser, url } = await start({
      admin: { idleSeconds: 600 },
      idleSeconds: (context) => {
        seen.push(context);
        return context.defaultSeconds;
      },
    });
    const person = await signUp({ browser, url });
    const codes = await generateCodes(person.browser);
    await setRole(service, person, 'admin');
    await logIn(browser(), person.authenticator);
    expect((await useCode(browser(), person, codes[0])).status).toBe(200);
    expect(seen.map(({ role, kind, defaultSeconds }) => [role, kind, defaultSeconds])).toEqual([
      ['user', 'full', 604_800],
      ['admin', 'full', 600],
      ['admin', 'recovery', 600],
    ]);
    expect(seen[0]?.request).toMatchObject({
      method: 'POST',
      path: '/auth/passkey/register/verify',
      transport: 'cookie',
    });
  });

  test('knows whether the client uses bearer tokens', async () => {
    const { browser, url } = await start({
      ttlSeconds: ({ request }) => (request?.transport === 'bearer' ? month : hour),
      idleSeconds: () => day,
    });
    const app = sending(browser(), { 'Latchkey-Session': 'bearer' });
    const { signedUp } = await signUp({ browser, url }, { browser: app });
    expect(signedUp.body.session.expiresAt).toBe(await timeOf(service, day));
    const web = await signUp({ browser, url });
    expect(web.signedUp.body.session.expiresAt).toBe(await timeOf(service, hour));
  });

  test('cannot make a recovery session longer than an hour', async () => {
    const { browser, url } = await start({ ttlSeconds: () => month, idleSeconds: () => 7 * day });
    const person = await signUp({ browser, url });
    const codes = await generateCodes(person.browser);
    const recovering = browser();
    const used = await useCode(recovering, person, codes[0]);
    expect(used.body.session.expiresAt).toBe(await timeOf(service, hour));
    expect(used.headers.getSetCookie()[0]).toMatch(/; Max-Age=3600$/);
    await use(recovering, hour - 5 * minute, 5 * minute);
    await service.turnClock({ seconds: 5 * minute });
    expectProblem(await recovering.get('/auth/session'), 'not_authenticated');
  });

  test('shortens sessions after a promotion, without a request', async () => {
    const requests: unknown[] = [];
    const { browser, url } = await start({
      idleSeconds: ({ role, request, defaultSeconds }) => {
        if (role !== 'user') requests.push(request);
        return role === 'user' ? defaultSeconds : 600;
      },
    });
    const superadmin = await signUpAs(service, 'superadmin');
    const bySuperadmin = browser(superadmin.browser.cookies);
    const person = await signUp({ browser, url });
    expect((await changeRole(bySuperadmin, person, 'admin')).status).toBe(200);
    expect(requests).toEqual([null]);
    expect(await expiry(person.browser)).toBe(await timeOf(service, 600));
  });

  test.each<[name: string, options: LifetimeOptions]>([
    ['needs a request', { ttlSeconds: ({ request }) => (request?.path.length as number) && month }],
    [
      'throws without a request',
      {
        idleSeconds: ({ request, defaultSeconds }) =>
          (request as { path: string }).path === '' ? 0 : defaultSeconds,
      },
    ],
  ])('that %s does not prevent a change of role, and the error is logged', async (_, options) => {
    const roles: LifetimeOptions = { admin: { idleSeconds: 600 } };
    const { browser, url, auth, logged } = await start({ ...roles, ...options });
    const person = await signUp({ browser, url });
    const operator = auth.asOperator('ops');
    await operator.users.changeRole(person.username, 'admin');
    expect(await expiry(person.browser)).toBe(await timeOf(service, 600));
    await operator.users.changeRole(person.username, 'user');
    const { token } = await operator.invitations.create({ username: person.username });
    expect((await accept(person.browser, token)).body.user.role).toBe('admin');
    expect(logged.filter(({ level }) => level === 'error')).toEqual(
      Array(3).fill(expect.objectContaining({ message: expect.stringContaining('sessionLifetimes') })),
    );
  });

  test.each<[name: string, options: LifetimeOptions, message: string]>([
    ['NaN', { ttlSeconds: () => Number.NaN }, 'sessionLifetimes.ttlSeconds: expected a whole number'],
    [
      'undefined',
      { ttlSeconds: () => undefined as never },
      'the function returned undefined for the role user',
    ],
    ['infinity', { ttlSeconds: () => Number.POSITIVE_INFINITY }, 'from 5 to 2592000'],
    ['a negative number', { idleSeconds: () => -1 }, 'sessionLifetimes.idleSeconds: expected a whole number'],
    ['zero', { ttlSeconds: () => 0 }, 'the function returned 0'],
    ['a fraction', { ttlSeconds: () => 60.5 }, 'the function returned 60.5'],
    ['a text', { ttlSeconds: () => '3600' as never }, "the function returned '3600'"],
    ['a promise', { ttlSeconds: (async () => 3600) as never }, 'the function returned Promise'],
    ['more than the maximum', { ttlSeconds: () => 2_592_001 }, 'the function returned 2592001'],
    ['an idle timeout above the maximum', { idleSeconds: () => 604_801 }, 'from 240 to 604800'],
    ['an idle timeout below the minimum', { idleSeconds: () => 239 }, 'the function returned 239'],
  ])('that returns %s opens no session and answers 500', async (_, options, message) => {
    const { app, browser } = await start(options);
    const errors: Error[] = [];
    app.on('error', (error) => errors.push(error));
    const { authenticator } = await signUp(service);
    const count = async () => (await service.database.sql`select id from latchkey.sessions`).length;
    const before = await count();
    const answer = await logIn(browser(), authenticator);
    expectProblem(answer, 'internal_error');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(`${errors[0]}`).toContain(message);
    expect(await count()).toBe(before);
  });

  test.each<[options: object, setting: string, expected: RegExp]>([
    [{ ttlSeconds: 3600 }, 'sessionLifetimes.ttlSeconds', /a function; for one value, use sessionTtlSeconds/],
    [{ idleSeconds: '60' }, 'sessionLifetimes.idleSeconds', /a function/],
    [{ idle: () => 60 }, 'sessionLifetimes.idle', /^idleSeconds$/],
    [{ guest: {} }, 'sessionLifetimes.guest', /user, admin, superadmin/],
  ])(
    'stops the start of the service if it is not a function or its name is unknown: %o',
    (options, setting, expected) => {
      const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
      try {
        readConfiguration({ env: {}, database: {}, secret, sessionLifetimes: options as LifetimeOptions });
        expect.unreachable();
      } catch (error) {
        expect((error as ConfigurationError).faults).toEqual([
          { setting, given: expect.any(String), expected: expect.stringMatching(expected) },
        ]);
      }
    },
  );
});
