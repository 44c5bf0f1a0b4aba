import type { AuthService, OperationCount, Statement } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { addPasskey, logIn, newAuthenticator, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';

const clock = stopCacheExpiry();
let database: TestDatabase;
let client: postgres.Sql;
let service: ServiceOn;
/** Every statement waits for this promise. */
let gate = Promise.resolve();

beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url);
  const gated = {
    query: async <Row extends object>({ text, values }: Statement) => {
      await gate;
      return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
    },
  };
  service = await startServiceOn(gated, { bcryptCost: 4 });
});
afterAll(async () => {
  await service.close();
  await client.end();
  await database.drop();
});

const countOf = (auth: AuthService, wanted: Partial<OperationCount>): number =>
  auth
    .statistics()
    .operations.filter((each) => Object.entries(wanted).every(([key, value]) => each[key as never] === value))
    .reduce((sum, { count }) => sum + count, 0);

test('`auth.statistics` counts the results of each operation', async () => {
  const { auth } = service;
  const ada = await signUp(service);
  expect(auth.statistics().operations).toEqual([
    { operation: 'startSignUp', status: 200, code: null, count: 1 },
    { operation: 'finishSignUp', status: 201, code: null, count: 1 },
  ]);
  await logIn(service.browser(), ada.authenticator);
  await logIn(service.browser(), ada.authenticator);
  await logIn(service.browser(), ada.authenticator, {
    tamper: { clientData: { origin: 'https://evil.example' } },
  });
  expect(countOf(auth, { operation: 'finishLogin', status: 200, code: null })).toBe(2);
  expect(countOf(auth, { operation: 'finishLogin', status: 401, code: 'authentication_failed' })).toBe(1);
  expect(countOf(auth, { operation: 'startLogin' })).toBe(3);
});

test('`auth.statistics` counts the start and the end of adding a passkey separately, by their statuses', async () => {
  const { browser } = await signUp(service);
  await addPasskey(browser, newAuthenticator());
  expect(countOf(service.auth, { operation: 'addPasskey', status: 200 })).toBe(1);
  expect(countOf(service.auth, { operation: 'addPasskey', status: 201 })).toBe(1);
});

test('`auth.statistics` counts a request without a session, and a request with an invalid body, by their error codes', async () => {
  await service.browser().get('/auth/session');
  await service.browser().post('/auth/passkey/login/start', { username: 7 });
  expect(countOf(service.auth, { operation: 'getSession', code: 'not_authenticated' })).toBe(1);
  expect(countOf(service.auth, { operation: 'startLogin', code: 'invalid_request' })).toBe(1);
});

test('`auth.statistics` counts a failed statement, and the 503 response that it causes', async () => {
  const { auth } = service;
  const { browser } = await signUp(service);
  const openGate = gate;
  gate = Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }));
  gate.catch(() => {});
  const before = auth.statistics().database.failed;
  expect((await browser.get('/auth/sessions')).status).toBe(503);
  gate = openGate;
  expect(countOf(auth, { operation: 'listSessions', status: 503, code: 'unavailable' })).toBe(1);
  expect(auth.statistics().database.failed).toBe(before + 1);
});

test('`auth.statistics` returns a copy, so a change of the returned object does not change the statistics', async () => {
  const [first] = service.auth.statistics().operations;
  if (first) first.count = 1000;
  expect(service.auth.statistics().operations[0]?.count).toBeLessThan(1000);
});

test('`auth.statistics` counts the running statements', async () => {
  const { auth } = service;
  const { browser } = await signUp(service);
  expect(auth.statistics().database.pending).toBe(0);
  const { succeeded } = auth.statistics().database;
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const requests = Promise.all([browser.get('/auth/sessions'), browser.get('/auth/sessions')]);
  await eventually(() => auth.statistics().database.pending === 2);
  open();
  await requests;
  expect(auth.statistics().database).toMatchObject({ pending: 0, succeeded: succeeded + 6 });
});

test('with a database object that has no `listen`, `auth.statistics` counts every session check as a read of the database', async () => {
  const { auth } = service;
  const { browser } = await signUp(service);
  const { sessionChecks: before } = auth.statistics();
  await browser.get('/auth/session');
  await browser.get('/auth/session');
  expect(auth.statistics().sessionChecks).toEqual({
    fromCache: before.fromCache,
    fromDatabase: before.fromDatabase + 2,
    cached: 0,
    listening: false,
  });
});

test('`auth.statistics` separately counts the session checks that use the cache', async () => {
  const listening = await startServiceOn(database.url, { clock });
  const ada = await signUp(listening);
  await eventually(async () => {
    await ada.browser.get('/auth/session');
    return listening.auth.statistics().sessionChecks.listening;
  });
  await ada.browser.get('/auth/session');
  const before = listening.auth.statistics().sessionChecks;
  await ada.browser.get('/auth/session');
  await ada.browser.get('/auth/session');
  expect(listening.auth.statistics().sessionChecks).toEqual({
    fromCache: before.fromCache + 2,
    fromDatabase: before.fromDatabase,
    cached: 1,
    listening: true,
  });
  await listening.close();
});
