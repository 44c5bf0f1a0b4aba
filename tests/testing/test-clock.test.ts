import Koa from 'koa';
import { requireFresh } from 'latchkey';
import { createTestAuthService, type TestAuthService, type TestAuthServiceOptions } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const minute = 60_000;

let postgres: TestDatabase;
beforeAll(async () => {
  postgres = await createTestDatabase({ empty: true });
});
afterAll(() => postgres.drop());

let kit: TestAuthService;
const start = async (options: TestAuthServiceOptions = {}) => {
  kit = await createTestAuthService({ sessionIdleTimeoutSeconds: 3600, sessionTtlSeconds: 7200, ...options });
};
afterEach(() => kit.close());

describe.each([
  ['in memory', () => undefined],
  ['on PostgreSQL', () => postgres.url],
])('%s,', (_, database) => {
  beforeEach(() => start({ database: database() }));

  test('an idle session ends after the idle timeout, and a session in use ends at its maximum age', async () => {
    const [busy, idle] = [await kit.signedInAs('user'), await kit.signedInAs('admin')];
    const { body } = await busy.get<{ session: { expiresAt: string } }>('/auth/session');
    expect(body.session.expiresAt).toBe(new Date(kit.clock.now().getTime() + 60 * minute).toISOString());
    kit.clock.advance(60 * minute - 1);
    expect((await busy.get('/auth/session')).status).toBe(200);
    kit.clock.advance(1);
    expect((await idle.get('/auth/session')).status).toBe(401);
    for (const duration of [{ minutes: 50 }, { minutes: 9, seconds: 59, milliseconds: 999 }]) {
      kit.clock.advance(duration);
      expect((await busy.get('/auth/session')).status).toBe(200);
    }
    kit.clock.advance(1);
    expect((await busy.get('/auth/session')).status).toBe(401);
    await idle.signIn();
    expect((await idle.get('/auth/session')).status).toBe(200);
  });

  test('authentication is no longer fresh after ten minutes, and is fresh again after a step-up', async () => {
    const ada = await kit.signedInAs('admin');
    const createOrganization = (name: string) => ada.post('/auth/organizations', { name });
    kit.clock.advance({ minutes: 10 });
    expect((await createOrganization(`One ${kit.clock.now().getTime()}`)).status).toBe(201);
    kit.clock.advance({ milliseconds: 1 });
    expect(await createOrganization('Two')).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    });
    await ada.stepUp();
    expect((await createOrganization(`Three ${kit.clock.now().getTime()}`)).status).toBe(201);
  });

  test('a ceremony expires after five minutes', async () => {
    const { authenticator } = await kit.signedInAs('user');
    const finishAfter = async (milliseconds: number) => {
      const visitor = kit.visitor();
      type Start = { options: Parameters<typeof authenticator.get>[0] };
      const { options } = (await visitor.post<Start>('/auth/passkey/login/start')).body;
      const credential = await authenticator.get(options);
      kit.clock.advance(milliseconds);
      return (await visitor.post('/auth/passkey/login/verify', { credential })).status;
    };
    expect(await finishAfter(5 * minute - 1)).toBe(200);
    expect(await finishAfter(5 * minute)).toBe(401);
  });

  test('an invitation and a recovery link expire after an hour', async () => {
    const { user } = await kit.signedInAs('user');
    const operator = kit.auth.asOperator('test');
    const { invitation } = await operator.invitations.create({ expiresInHours: 1 });
    const openLink = async ({ hash }: URL) =>
      (await kit.visitor().post('/auth/recovery/assisted/use', { token: hash.replace('#token=', '') }))
        .status;
    const link = await operator.users.createRecoveryLink(user.username);
    const statusOf = async (status: 'pending' | 'expired') =>
      (await operator.invitations.list({ status })).invitations.filter(({ id }) => id === invitation.id)
        .length;
    kit.clock.advance(60 * minute - 1);
    expect([await statusOf('pending'), await statusOf('expired')]).toEqual([1, 0]);
    expect(await openLink(new URL(link.url))).toBe(200);
    const late = await operator.users.createRecoveryLink(user.username);
    kit.clock.advance(1);
    expect([await statusOf('pending'), await statusOf('expired')]).toEqual([0, 1]);
    kit.clock.advance({ hours: 1 });
    expect(await openLink(new URL(late.url))).toBe(401);
  });

  test('the test service can create organizations at any later time', async () => {
    const early = await kit.organization();
    kit.clock.advance({ days: 30 });
    const [late, later] = await Promise.all([kit.organization(), kit.organization()]);
    // The two concurrent calls share one sign-in. If each call signed in, the later sign-in would end the session that
    // the other call still needs.
    const signIns = { event: 'passkey.login', from: kit.clock.now() } as const;
    expect((await kit.auth.asOperator('test').audit.list(signIns)).events).toHaveLength(1);
    const ada = await kit.signedInAs('user', { adminOf: [early, late, later] });
    expect((await kit.auth.principalOf(ada.user.id))?.memberships).toHaveLength(3);
  });
});

test('on PostgreSQL, the clock of the database stays unchanged', async () => {
  await start({ database: postgres.url });
  const clockOf = async () => {
    const [row] = await postgres.sql<{ source: string; ahead: number }[]>`
      select pg_get_functiondef('latchkey.clock'::regproc) as source,
        extract(epoch from latchkey.clock() - now())::float as ahead`;
    return row;
  };
  kit.clock.advance({ days: 365 });
  const { user } = await kit.signedInAs('user');
  expect(user.createdAt).toBe(kit.clock.now().toISOString());
  expect(await clockOf()).toEqual({ source: expect.stringContaining('select now()'), ahead: 0 });
});

test('the clock stays at the time of its creation', async () => {
  const before = Date.now();
  await start();
  const initial = kit.clock.now();
  expect(initial.getTime()).toBeGreaterThanOrEqual(before);
  expect(initial.getTime()).toBeLessThanOrEqual(Date.now());
  await eventually(() => Date.now() > initial.getTime());
  expect(kit.clock.now()).toEqual(initial);
  kit.clock.now().setFullYear(1970);
  expect(kit.clock.now()).toEqual(initial);
});

test('the clock does not depend on fake timers and dates', async () => {
  vi.useFakeTimers({ now: 0 });
  try {
    await start();
    const ada = await kit.signedInAs('admin');
    expect(ada.user.createdAt).toBe(new Date(0).toISOString());
    vi.setSystemTime(new Date(2030, 0));
    expect((await ada.get('/auth/session')).status).toBe(200);
    expect(kit.clock.now()).toEqual(new Date(0));
  } finally {
    vi.useRealTimers();
  }
});

test('the clock advances by the sum of the given units, or by a number of milliseconds', async () => {
  await start();
  const initial = kit.clock.now().getTime();
  kit.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 });
  kit.clock.advance(1000);
  kit.clock.advance({});
  expect(kit.clock.now().getTime() - initial).toBe(93_785_005);
});

test.each([
  [{ minute: 11 }, 'minute: expected one of days, hours, minutes, seconds, milliseconds'],
  [{ toString: 11 }, 'toString: expected one of days, hours, minutes, seconds, milliseconds'],
  [{ minutes: 1, seconds: -61 }, 'advance: expected a duration of 0 ms or more, not -1000 ms'],
  [-1, 'advance: expected a duration of 0 ms or more, not -1 ms'],
  [Number.NaN, 'advance: expected a duration of 0 ms or more, not NaN ms'],
  [Number.POSITIVE_INFINITY, 'advance: expected a duration of 0 ms or more, not Infinity ms'],
])('the clock does not advance by %j', async (by, message) => {
  await start();
  const initial = kit.clock.now();
  const advance = () => kit.clock.advance(by as number);
  expect(advance).toThrow(TypeError);
  expect(advance).toThrow(message);
  expect(kit.clock.now()).toEqual(initial);
});

test('the cookies of an agent expire according to the clock', async () => {
  await start({
    app: (auth) => {
      const app = new Koa();
      app.use((ctx, next) => {
        if (ctx.path !== '/cookies') return next();
        ctx.append('Set-Cookie', 'brief=1; max-age=60');
        ctx.append(
          'Set-Cookie',
          `dated=1; Expires=${new Date(kit.clock.now().getTime() + 120_000).toUTCString()}`,
        );
        ctx.append('Set-Cookie', 'lasting=1');
        ctx.status = 204;
      });
      return app.use(requireFresh(auth));
    },
  });
  const visitor = kit.visitor();
  await visitor.get('/cookies');
  expect(visitor.cookie).toBe('brief=1; dated=1; lasting=1');
  kit.clock.advance({ seconds: 60 });
  expect(visitor.cookie).toBe('dated=1; lasting=1');
  kit.clock.advance({ seconds: 60 });
  expect(visitor.cookie).toBe('lasting=1');
});
