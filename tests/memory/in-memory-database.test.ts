import type { Database } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, signUp, stepUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';

const begun = Date.UTC(2026, 0, 1);

let now: number;
let service: ServiceOn;
let database: Database;
const clock = () => new Date(now);
const turnClock = ({ minutes = 0, seconds = 0 }) => {
  now += (minutes * 60 + seconds) * 1000;
};
const at = (minutes: number) => new Date(begun + minutes * 60_000).toISOString();

beforeEach(async () => {
  now = begun;
  database = createInMemoryDatabase(clock);
  service = await startServiceOn(database, {
    migrate: true,
    clock,
    sessionTtlSeconds: 7200,
    sessionIdleTimeoutSeconds: 3600,
  });
});
afterEach(async () => {
  await service.close();
  expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('each in-memory database is migrated only once and has its own schema', async () => {
  expect(await service.auth.isReady()).toBe(true);
  await signUp(service, { username: 'ann' });
  const again = await startServiceOn(database, { clock });
  expect(await again.auth.users.checkAvailability('ann')).toMatchObject({ available: false });
  const migratedAgain = await startServiceOn(database, { migrate: true, clock });
  expect(await migratedAgain.auth.users.checkAvailability('ann')).toMatchObject({ available: false });
  const elsewhere = await startServiceOn(createInMemoryDatabase(clock), { migrate: true, clock });
  expect(await elsewhere.auth.users.checkAvailability('ann')).toMatchObject({ available: true });
  await Promise.all([again.close(), migratedAgain.close(), elsewhere.close()]);
});

test('on a new database, a service without the option `migrate` fails with the error schema_outdated', async () => {
  await expect(startServiceOn(createInMemoryDatabase(clock), { clock })).rejects.toMatchObject({
    code: 'schema_outdated',
  });
});

test('parameters keep their values, even if a value contains SQL or placeholders', async () => {
  const values = ["it's", '$1', '\\', "'; drop table latchkey.users; --", 'null', ''];
  for (const value of values)
    expect(await database.query(sql`select ${value}::text as given, ${'$1'}::text as other`)).toEqual([
      { given: value, other: '$1' },
    ]);
  expect(
    await database.query(
      sql`select ${null}::text as nothing, ${7}::integer as seven, ${false}::boolean as no, ${now}::text as text`,
    ),
  ).toEqual([{ nothing: null, seven: 7, no: false, text: `${begun}` }]);
  const date = new Date(begun + 1);
  expect(await database.query(sql`select ${date}::timestamptz as at`)).toEqual([{ at: date }]);
});

test('a statement that pg-mem cannot parse is rejected, even if it is repeated', async () => {
  const unknown = sql`(select 1 as n) union (select 2) order by n`;
  for (const _ of [1, 2]) {
    await expect(database.query(unknown)).rejects.toThrow(
      'pg-mem does not support this statement. If it is correct, run the test on a real PostgreSQL.',
    );
  }
});

test('the in-memory database uses the clock of the process by default', async () => {
  const before = Date.now();
  const untimed = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const { signedUp } = await signUp(untimed);
  const createdAt = Date.parse(signedUp.body.user.createdAt);
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
  await untimed.close();
});

describe('signing up', () => {
  test('creates the account, the passkey and the session at the time of the clock', async () => {
    const username = newUsername();
    const { browser, signedUp } = await signUp(service, { username });
    expect(signedUp.body).toMatchObject({
      user: { username, role: 'user', status: 'active', createdAt: at(0) },
      passkey: { label: 'Passkey', transports: ['internal', 'hybrid'], lastUsedAt: null },
      session: { kind: 'full', method: 'passkey', current: true, createdAt: at(0), expiresAt: at(60) },
    });
    const { body } = await browser.get('/auth/session');
    expect(body.user).toEqual({
      ...signedUp.body.user,
      hasPassword: false,
      passkeyCount: 1,
      recoveryCodesRemaining: 0,
    });
  });

  test('with a taken username fails both in the first and in the last step', async () => {
    const username = newUsername();
    const [slow, authenticator] = [service.browser(), newAuthenticator()];
    const { options } = (await slow.post('/auth/passkey/register/start', { username })).body;
    await signUp(service, { username });
    const late = await slow.post('/auth/passkey/register/verify', {
      credential: await authenticator.create(options),
    });
    expect([late.status, late.body.code]).toEqual([409, 'username_taken']);
    const start = await slow.post('/auth/passkey/register/start', { username });
    expect([start.status, start.body.code]).toEqual([409, 'username_taken']);
  });

  test('uses up the challenge, so the same credential works only once', async () => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/register/start', { username: newUsername() }))
      .body;
    const credential = await newAuthenticator().create(options);
    const answers = [];
    for (let n = 0; n < 3; n += 1) {
      answers.push((await browser.post('/auth/passkey/register/verify', { credential })).status);
    }
    expect(answers).toEqual([201, 400, 400]);
  });

  test('fails after the ceremony has expired', async () => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/register/start', { username: newUsername() }))
      .body;
    const credential = await newAuthenticator().create(options);
    turnClock({ minutes: 5 });
    const { status, body } = await browser.post('/auth/passkey/register/verify', { credential });
    expect([status, body.code]).toEqual([400, 'registration_failed']);
  });
});

describe('signing in', () => {
  test('works with and without a username, and opens a new session each time', async () => {
    const authenticator = newAuthenticator({ counter: 41 });
    const { username, browser } = await signUp(service, { authenticator });
    turnClock({ minutes: 1 });
    const [named, usernameless] = [service.browser(), service.browser()];
    expect((await logIn(named, authenticator, { username })).status).toBe(200);
    expect((await logIn(usernameless, authenticator)).status).toBe(200);
    const { sessions } = (await browser.get('/auth/sessions')).body;
    expect(sessions).toHaveLength(3);
    expect(new Set(sessions.map(({ id }: { id: string }) => id)).size).toBe(3);
    expect((await browser.get('/auth/passkey/devices')).body.devices).toMatchObject([{ lastUsedAt: at(1) }]);
  });

  test('fails if the signature counter does not increase', async () => {
    const authenticator = newAuthenticator({ counter: 5, counterStep: 0 });
    const { username } = await signUp(service, { authenticator });
    const { status, body } = await logIn(service.browser(), authenticator, { username });
    expect([status, body.code]).toEqual([401, 'authentication_failed']);
  });

  test('with an unknown passkey fails with the usual error of a failed sign-in', async () => {
    const stranger = newAuthenticator();
    const elsewhere = await startServiceOn(createInMemoryDatabase(clock), { migrate: true, clock });
    await signUp(elsewhere, { authenticator: stranger });
    const { status, body } = await logIn(service.browser(), stranger);
    expect([status, body.code]).toEqual([401, 'authentication_failed']);
    await elsewhere.close();
  });

  test('ends the browser’s previous session', async () => {
    const { browser, authenticator } = await signUp(service);
    const before = browser.copy();
    expect((await logIn(browser, authenticator)).status).toBe(200);
    expect((await browser.get('/auth/session')).status).toBe(200);
    expect((await before.get('/auth/session')).status).toBe(401);
  });
});

describe('passkeys', () => {
  test('can be added, listed, renamed and removed, but the last passkey cannot be removed', async () => {
    const { browser, authenticator } = await signUp(service);
    const added = await addPasskey(browser, undefined, { label: 'Key in the drawer' });
    expect([added.status, added.body.device.label]).toEqual([201, 'Key in the drawer']);
    const { id } = added.body.device;
    const renamed = await browser.patch(`/auth/passkey/devices/${id}`, { label: 'Key on the ring' });
    expect([renamed.status, renamed.body.device.label]).toEqual([200, 'Key on the ring']);

    const { devices } = (await browser.get('/auth/passkey/devices')).body;
    expect(devices.map(({ label }: { label: string }) => label).sort()).toEqual([
      'Key on the ring',
      'Passkey',
    ]);
    const first = devices.find((device: { id: string }) => device.id !== id);

    expect((await browser.delete(`/auth/passkey/devices/${first.id}`)).status).toBe(204);
    expect((await browser.delete(`/auth/passkey/devices/${first.id}`)).status).toBe(404);
    const last = await browser.delete(`/auth/passkey/devices/${id}`);
    expect([last.status, last.body.code]).toEqual([409, 'last_credential']);
    expect((await logIn(service.browser(), authenticator)).status).toBe(401);
  });

  test('cannot be added twice', async () => {
    const { browser, authenticator } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    // A browser would reject excluded credentials. This client does not reject them.
    const credential = await authenticator.create({ ...options, excludeCredentials: [] });
    expect((await browser.post('/auth/passkey/devices/add', { credential })).status).toBe(201);
    const answers = await browser.post('/auth/passkey/devices/add', { credential });
    expect([answers.status, answers.body.code]).toEqual([400, 'registration_failed']);
  });

  test('of other users return 404', async () => {
    const [{ browser }, other] = [await signUp(service), await signUp(service)];
    const { id } = other.signedUp.body.passkey;
    expect((await browser.patch(`/auth/passkey/devices/${id}`, { label: 'Mine' })).status).toBe(404);
    expect((await browser.delete(`/auth/passkey/devices/${id}`)).status).toBe(404);
    expect((await other.browser.get('/auth/passkey/devices')).body.devices).toMatchObject([
      { label: 'Passkey' },
    ]);
  });
});

describe('as time passes,', () => {
  test('authentication is fresh for ten minutes, and becomes fresh again with a step-up', async () => {
    const { browser, authenticator } = await signUp(service);
    turnClock({ minutes: 10 });
    expect((await browser.post('/auth/passkey/devices/add', {})).status).toBe(200);
    turnClock({ seconds: 1 });
    const stale = await browser.post('/auth/passkey/devices/add', {});
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required']);
    const before = browser.copy();
    const { status, body } = await stepUp(browser, authenticator);
    expect([status, body.session.authenticatedAt]).toEqual([200, clock().toISOString()]);
    expect((await addPasskey(browser)).status).toBe(201);
    expect((await before.get('/auth/session')).status).toBe(401);
  });

  test('an idle session expires', async () => {
    const { browser } = await signUp(service);
    turnClock({ minutes: 59, seconds: 59 });
    const { body } = await browser.get('/auth/session');
    expect(body.session).toMatchObject({
      lastSeenAt: new Date(now).toISOString(),
      expiresAt: at(119.98333333333333),
    });
    turnClock({ minutes: 60 });
    expect((await browser.get('/auth/session')).status).toBe(401);
  });

  test('a session in use ends at its maximum age', async () => {
    const { browser } = await signUp(service);
    for (const _ of [1, 2]) {
      turnClock({ minutes: 50 });
      expect((await browser.get('/auth/session')).status).toBe(200);
    }
    expect((await browser.get('/auth/session')).body.session.expiresAt).toBe(at(120));
    turnClock({ minutes: 20 });
    expect((await browser.get('/auth/session')).status).toBe(401);
  });
});

describe('sessions', () => {
  test('can be listed and ended: one session, all other sessions, or the current session by signing out', async () => {
    const { browser, authenticator } = await signUp(service);
    const others = [service.browser(), service.browser(), service.browser()] as const;
    for (const other of others) expect((await logIn(other, authenticator)).status).toBe(200);
    const { sessions } = (await browser.get('/auth/sessions')).body;
    expect(sessions).toHaveLength(4);
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);

    const endedId = (await others[0].get('/auth/session')).body.session.id;
    expect((await browser.delete(`/auth/sessions/${endedId}`)).status).toBe(204);
    expect((await others[0].get('/auth/session')).status).toBe(401);
    expect((await browser.delete('/auth/sessions')).body).toEqual({ ended: 2 });
    expect((await others[1].get('/auth/session')).status).toBe(401);
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await browser.get('/auth/session')).status).toBe(401);
  });

  test('of other users cannot be ended', async () => {
    const [{ browser }, other] = [await signUp(service), await signUp(service)];
    expect((await browser.delete(`/auth/sessions/${other.signedUp.body.session.id}`)).status).toBe(404);
    expect((await other.browser.get('/auth/session')).status).toBe(200);
  });
});

test.each([
  ['a body that is not JSON', 'POST', '/auth/passkey/login/start', '{', 400, 'invalid_request'],
  [
    'an unknown property',
    'POST',
    '/auth/passkey/register/start',
    '{"username":"a-b","role":"admin"}',
    400,
    'invalid_request',
  ],
  [
    'a reserved username',
    'POST',
    '/auth/passkey/register/start',
    '{"username":"Admin"}',
    400,
    'username_unacceptable',
  ],
  ['no session', 'GET', '/auth/sessions', null, 401, 'not_authenticated'],
  ['an unknown path', 'GET', '/auth/nothing', null, 404, 'not_found'],
  ['an unsupported method', 'PUT', '/auth/session', null, 405, 'method_not_allowed'],
])('a request with %s fails as on PostgreSQL', async (_, method, path, body, status, code) => {
  const answer = await service
    .browser()
    .request(method, path, body, body ? { 'Content-Type': 'application/json' } : {});
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('each action records an audit event', async () => {
  const { browser, authenticator } = await signUp(service);
  await logIn(browser, authenticator);
  const added = await addPasskey(browser);
  await browser.patch(`/auth/passkey/devices/${added.body.device.id}`, { label: 'Other' });
  await browser.delete(`/auth/passkey/devices/${added.body.device.id}`);
  await stepUp(browser, authenticator);
  await browser.delete('/auth/session');
  const rows = await database.query<{ event: string; outcome: string }>(
    sql`select event, outcome from latchkey.audit_events where outcome = ${'success'}::text order by id`,
  );
  expect(rows.map(({ event }) => event)).toEqual([
    'account.signup',
    'passkey.login',
    'passkey.add',
    'passkey.rename',
    'passkey.remove',
    'passkey.stepup',
    'session.logout',
  ]);
});

test('a search finds users by the beginning of their username or display name', async () => {
  for (const username of ['ann', 'anna', 'bob']) await signUp(service, { username });
  await database.query(
    sql`update latchkey.users set display_name = ${'Änne'}::text where username = ${'bob'}::text`,
  );
  const found = async (query: string) =>
    (await service.auth.asOperator('ops').users.list({ query })).users.map(({ username }) => username);
  expect(await found('an')).toEqual(['ann', 'anna']);
  for (const query of ['ä', 'ÄN', 'änn', 'Änne']) expect(await found(query)).toEqual(['bob']);
  expect(await found('nobody')).toEqual([]);
});

test('a list of users can be searched, sorted, filtered and counted', async () => {
  for (const username of ['ben.smith', 'ann', 'smithers']) {
    await signUp(service, { username });
    turnClock({ seconds: 1 });
  }
  const { users } = service.auth.asOperator('ops');
  const found = async (search: Parameters<typeof users.list>[0]) =>
    (await users.list(search)).users.map(({ username }) => username);
  expect(await found({ search: 'smith' })).toEqual(['ben.smith', 'smithers']);
  expect(await found({ search: 'SMITHE' })).toEqual(['smithers']);
  for (const sort of ['createdAt', 'lastSignIn'] as const) {
    expect(await found({ sort })).toEqual(['ben.smith', 'ann', 'smithers']);
    const first = await users.list({ sort, order: 'desc', limit: 1 });
    expect(first.users).toMatchObject([{ username: 'smithers' }]);
    expect(await found({ sort, order: 'desc', cursor: `${first.nextCursor}` })).toEqual(['ann', 'ben.smith']);
  }
  expect(await found({ hasPasskey: false })).toEqual([]);
  expect(await found({ signedInBefore: new Date(begun + 1000) })).toEqual(['ben.smith']);
  const page = await users.list({ search: 'smithers', include: ['details', 'total', 'counts'] });
  expect(page).toMatchObject({
    users: [{ passkeyCount: 1, organizationCount: 0, lastSignIn: { method: 'passkey' } }],
    total: { count: 1, exact: true },
    counts: { role: { user: { count: 1 }, admin: { count: 0 } }, status: { active: { count: 1 } } },
  });
});
