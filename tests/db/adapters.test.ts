import { type AuthServiceOptions, createAuthService, type Database, type Statement } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, signUp, stepUp } from '../support/person.ts';
import { findPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';

const pgBouncer = findPgBouncer();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function newPool(options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.url, ...options });
  // `pool.end` does not wait until the connections are closed, so dropping the database can still end one with an error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Exercises texts, times, arrays, booleans, counts, conflicts and empty results. */
async function walkThrough(given: AuthServiceOptions['database']): Promise<void> {
  const service = await startServiceOn(given);
  try {
    const authenticator = newAuthenticator({ counter: 7 });
    const person = await signUp(service, { authenticator });
    const browser = service.browser();
    const loggedIn = await logIn(browser, authenticator, { username: person.username });
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.body.session).toMatchObject({ createdAt: time, expiresAt: time, current: true });
    expect((await stepUp(browser, authenticator)).status).toBe(200);
    const spare = newAuthenticator();
    expect((await addPasskey(browser, spare, { label: 'Second "key", {of} \\ two' })).status).toBe(201);
    const { devices } = (await browser.get('/auth/passkey/devices')).body;
    expect(devices).toMatchObject([
      { transports: ['internal', 'hybrid'], backupEligible: true, createdAt: time, lastUsedAt: time },
      { label: 'Second "key", {of} \\ two', createdAt: time, lastUsedAt: null },
    ]);
    expect((await browser.delete(`/auth/passkey/devices/${devices[0].id}`)).status).toBe(204);
    expect((await browser.delete(`/auth/passkey/devices/${devices[1].id}`)).body.code).toBe(
      'last_credential',
    );
    expect((await browser.get('/auth/session')).body.user).toMatchObject({
      passkeyCount: 1,
      createdAt: time,
    });

    const [first, second] = await Promise.all([raceFor(person.username), raceFor(newUsername())]);
    expect(first).toEqual(['username_taken', 'username_taken']);
    expect(second.toSorted()).toEqual([201, 'username_taken']);

    // Deleting the first passkey ended every other session.
    expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(1);
    expect((await logIn(service.browser(), spare)).status).toBe(200);
    expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(2);
    expect((await browser.delete('/auth/sessions')).body).toEqual({ ended: 1 });
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect((await browser.get('/auth/session')).status).toBe(401);
    expect(await service.auth.isReady()).toBe(true);
    const unexpected = service.logged.filter(
      ({ message }) => !/transaction pooler|fetches types/.test(message),
    );
    expect(unexpected).toEqual([]);
  } finally {
    await service.close();
  }

  /** Sends two concurrent sign-ups with the same username. Returns a status or an error code for each. */
  async function raceFor(username: string): Promise<(number | string)[]> {
    const browsers = [service.browser(), service.browser()];
    const started = await Promise.all(
      browsers.map((browser) => browser.post('/auth/passkey/register/start', { username })),
    );
    const answers = await Promise.all(
      browsers.map(async (browser, n) => {
        const options = started[n]?.body.options;
        if (!options) return started[n]?.body.code;
        const credential = await newAuthenticator().create(options);
        const { status, body } = await browser.post('/auth/passkey/register/verify', { credential });
        return status === 201 ? status : body.code;
      }),
    );
    return answers;
  }
}

const connectionsOf = async (application: string) =>
  (
    await database.sql`select from pg_stat_activity where application_name = ${application}
    and datname = current_database()`
  ).length;

describe('signing up, signing in and deleting rows work with', () => {
  test('a database URL, and the service closes its own connections', async () => {
    await walkThrough(database.url);
    await eventually(async () => (await connectionsOf('latchkey')) === 0);
  });

  test.skipIf(pgBouncer === null)('the URL of a PgBouncer in transaction mode', async () => {
    const pooler = await startPgBouncer(`${pgBouncer}`, database.url);
    await walkThrough(`${pooler.url}?prepare=false`);
    await pooler.remove();
  });

  test('the environment variable DATABASE_URL', async () => {
    const auth = await createAuthService({ secret, env: { DATABASE_URL: database.url } });
    expect(await auth.isReady()).toBe(true);
    await auth.close();
  });

  test.each<[what: string, options: postgres.Options<Record<string, postgres.PostgresType>>]>([
    ['with default options', {}],
    ['with one connection', { max: 1 }],
    ['without prepared statements, for a transaction pooler', { prepare: false }],
    ['that reads bigint columns as BigInt', { types: { bigint: postgres.BigInt } }],
    ['that writes undefined as null', { transform: { undefined: null } }],
    ['that does not fetch types', { fetch_types: false }],
    [
      'that reads timestamps as text',
      { types: { date: { to: 1184, from: [1184], serialize: String, parse: String } } },
    ],
  ])('a postgres.js client, which stays open: a client %s', async (_, options) => {
    const client = postgres(database.url, { onnotice: () => {}, ...options });
    await walkThrough(client);
    expect([...(await client`select 1 as one`)]).toEqual([{ one: 1 }]);
    await client.end();
  });

  test('a pg pool, which stays open', async () => {
    const pool = newPool();
    await walkThrough(pool);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test('a single pg client', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await walkThrough(client);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  test('a `Database` object of the application, and the service calls the method `close` once', async () => {
    const client = postgres(database.url, { onnotice: () => {} });
    const calls = { statements: 0, close: 0 };
    const given: Database = {
      query: async <Row extends object>({ text, values }: Statement) => {
        calls.statements += 1;
        return [...(await client.unsafe<Row[]>(text, values as never[]))];
      },
      close: async () => {
        calls.close += 1;
      },
    };
    await walkThrough(given);
    expect(calls.close).toBe(1);
    expect(calls.statements).toBeGreaterThan(10);
    await client.end();
  });
});

test.each([
  ['a number', 5432],
  ['an object without a query method', {}],
  [
    'a postgres.js client that renames columns',
    postgres('postgres://localhost', { transform: postgres.camel }),
  ],
])('%s is rejected as a database', async (_, given) => {
  await expect(createAuthService({ database: given as never, secret, env: {} })).rejects.toThrow(TypeError);
});

test('two services can share one pg pool and its prepared statements', async () => {
  // The pool has one connection, so each service uses statements that the other service prepared.
  const pool = newPool({ max: 1 });
  const one = await startServiceOn(pool);
  const other = await startServiceOn(pool);
  const person = await signUp(one);
  const authenticator = newAuthenticator();
  const browser = other.browser();
  expect((await logIn(browser, person.authenticator)).status).toBe(200);
  expect((await addPasskey(browser, authenticator)).status).toBe(201);
  expect((await logIn(one.browser(), authenticator, { username: person.username })).status).toBe(200);
  expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(3);
  expect((await person.browser.delete('/auth/sessions')).body).toEqual({ ended: 2 });
  expect([one.logged, other.logged]).toEqual([[], []]);
  await one.close();
  await other.close();
  await pool.end();
});

test('each statement is prepared once per connection', async () => {
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  const pool = newPool({ max: 1 });
  const prepared = 'select count(*)::int as count from pg_prepared_statements where statement like $1';
  for (const given of [client, pool]) {
    const auth = await createAuthService({ database: given, secret, env: {} });
    for (let n = 0; n < 5; n += 1) await auth.users.checkAvailability(newUsername());
    await auth.close();
  }
  const pattern = '%from latchkey.users%';
  expect([...(await client.unsafe(prepared, [pattern]))]).toEqual([{ count: 1 }]);
  expect((await pool.query(prepared, [pattern])).rows).toEqual([{ count: 1 }]);
  await client.end();
  await pool.end();
});
