import { createAuthService } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, newAuthenticator, newUsername, signUpStart } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type EveryEndpoint, prepareEveryEndpoint } from './support/every-endpoint.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let pool: pg.Pool;
let client: postgres.Sql;
let services: ServiceOn[];
let prepared: EveryEndpoint[];
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  pool = new pg.Pool({ connectionString: proxy.url });
  pool.on('error', () => {});
  client = postgres(proxy.url, { onnotice: () => {} });
  services = await Promise.all([proxy.url, client, pool].map((given) => startServiceOn(given)));
  prepared = await Promise.all(services.map((service) => prepareEveryEndpoint(service)));
  // These requests open all connections of the pools, so every connection hangs later.
  await Promise.all(
    prepared.flatMap(({ send }) => Array.from({ length: 30 }, () => send('GET /auth/session'))),
  );
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await Promise.all([pool.end(), client.end({ timeout: 1 })]);
  await proxy.close();
  await database.drop();
});

test('with every adapter, every endpoint returns 503 in time while the database hangs', async () => {
  proxy.hang();
  const starting = createAuthService({ database: proxy.url, secret, env: {} });
  const [outcome] = await Promise.all([
    starting.then(
      () => 'started',
      ({ name }) => name,
    ),
    ...prepared.map((everything) => everything.expectUnavailable()),
  ]);
  expect(outcome).toBe('DatabaseError');
});

const expectRecovery = async ({ person, send }: EveryEndpoint) => {
  await eventually(async () => (await send('GET /auth/session')).status === 200);
  expect((await logIn(person.browser, person.authenticator)).status).toBe(200);
};

test('a service with a database URL recovers while its old connections still hang', async () => {
  proxy.forget();
  const [byUrl] = prepared;
  if (byUrl) await expectRecovery(byUrl);
  expect.assertions(1);
});

test('with every adapter, the service recovers when the database responds again', async () => {
  proxy.resume();
  for (const everything of prepared) await expectRecovery(everything);
  expect.assertions(3);
});

test('if the statement of a sign-up finishes after the 503 response, the account is complete or does not exist', async () => {
  const [service] = services;
  const username = newUsername();
  const browser = service?.browser();
  if (!browser) throw new Error('no service');
  const authenticator = newAuthenticator();
  const credential = await authenticator.create(await signUpStart(browser, username));

  const locked = await database.sql.reserve();
  await locked`begin`;
  await locked`lock table latchkey.audit_events in exclusive mode`;
  const { status, body } = await browser.post('/auth/passkey/register/verify', { credential });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  await locked`commit`;
  locked.release();

  const count = async () => {
    const [row] = await database.sql`
      select (select count(*)::int from latchkey.users where username = ${username}) as users,
        (select count(*)::int from latchkey.passkeys join latchkey.users on users.id = user_id
          where username = ${username}) as passkeys,
        (select count(*)::int from latchkey.sessions join latchkey.users on users.id = user_id
          where username = ${username}) as sessions,
        (select count(*)::int from latchkey.audit_events
          where target_name = ${username} and event = 'account.signup' and outcome = 'success') as events`;
    return row;
  };
  await eventually(async () => {
    const atWork = await database.sql`
      select from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    return atWork.length === 0;
  });
  const outcome = await count();
  const each = outcome?.users;
  expect([0, 1]).toContain(each);
  expect(outcome).toEqual({ users: each, passkeys: each, sessions: each, events: each });
  expect((await logIn(service?.browser() ?? browser, authenticator)).status).toBe(each === 1 ? 200 : 401);
});
