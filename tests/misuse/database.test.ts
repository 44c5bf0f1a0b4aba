import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type AuthServiceOptions, createAuthService, DatabaseError, openSchema } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropRoles, newRole, urlAs } from '../db/support/roles.ts';
import { freePort } from '../support/example-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
let database: TestDatabase;
let empty: TestDatabase;
const guest = newRole('guest');
beforeAll(async () => {
  database = await createTestDatabase();
  empty = await createTestDatabase({ empty: true });
  await database.sql.unsafe(`create role ${guest} login password 'of its own'`);
});
afterAll(async () => {
  await Promise.all([database.drop(), empty.drop()]);
  await dropRoles(guest);
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const changed = (change: Partial<URL>, url = database.url) => Object.assign(new URL(url), change).href;

/** The error at start. It never contains a password. */
async function failure(options: AuthServiceOptions): Promise<Error & { code?: string }> {
  const made = createAuthService({ secret, env: {}, ...options });
  const error = await made.then(
    async (auth) => {
      await auth.close();
      return new Error('no error');
    },
    (error: Error) => error,
  );
  expect(error.message).not.toMatch(/open-sesame|of its own/);
  return error;
}

/** Expects the whole message, with the name of the setting. */
async function expectFailure(
  url: string,
  code: string,
  sentence: (setting: string) => string,
): Promise<void> {
  const byOption = await failure({ database: url });
  const message = (setting: string) => `The database cannot be used: ${sentence(setting)}`;
  expect([byOption.code, byOption.message]).toEqual([code, message('the option database')]);
  expect(byOption).toBeInstanceOf(DatabaseError);
  const byVariable = await failure({ env: { DATABASE_URL: url } });
  expect([byVariable.code, byVariable.message]).toEqual([code, message('DATABASE_URL')]);
}

describe('createAuthService says what to do if', () => {
  test('the server is not running', async () => {
    const port = await freePort();
    await expectFailure(
      `postgresql://ada:open-sesame@127.0.0.1:${port}/shop`,
      'connection_refused',
      (setting) =>
        `127.0.0.1:${port} refuses connections. Start PostgreSQL, or correct the host and the port in ${setting}.`,
    );
  });

  test('the host name does not exist', async () => {
    await expectFailure(
      'postgresql://ada:open-sesame@no-such-host.invalid/shop',
      'host_unknown',
      (setting) =>
        `the host name no-such-host.invalid does not resolve. Correct the host in ${setting}, or check the DNS of this machine.`,
    );
  });

  test('the server never responds', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const error = await failure({ database: `postgresql://ada:open-sesame@127.0.0.1:${port}/shop` });
    silent.close();
    expect([error.name, error.message]).toEqual([
      'DatabaseError',
      `The database cannot be used: 127.0.0.1:${port} does not respond in time. Check the firewalls and the database server.`,
    ]);
  });

  test('the password is wrong', async () => {
    await expectFailure(
      urlAs(database.url, guest, 'open-sesame'),
      'password_wrong',
      (setting) =>
        `the password of role ${guest} is wrong, or the role does not exist. Correct the password in ${setting}, or change it: alter role ${guest} password '…'.`,
    );
  });

  test('the role is not allowed to sign in', async () => {
    await database.sql.unsafe(`alter role ${guest} nologin`);
    await expectFailure(
      urlAs(database.url, guest),
      'role_refused',
      () =>
        `role ${guest} is not allowed to connect. Allow it: alter role ${guest} login, or add a line for it to pg_hba.conf.`,
    );
    await database.sql.unsafe(`alter role ${guest} login`);
  });

  test('the role does not exist, on a server that asks for no password', async () => {
    const refusing = await refusingServer('28000', 'role "ada" does not exist');
    await expectFailure(
      `postgresql://ada:open-sesame@127.0.0.1:${refusing.port}/shop`,
      'role_missing',
      (setting) =>
        `role ada does not exist. Create it: create role ada login password '…', or correct the role in ${setting}.`,
    );
    refusing.close();
  });

  test('the server accepts no more connections', async () => {
    const refusing = await refusingServer('53300', 'sorry, too many clients already');
    await expectFailure(
      `postgresql://ada:open-sesame@127.0.0.1:${refusing.port}/shop`,
      'too_many_connections',
      () => 'the server accepts no more connections. Raise max_connections, or use a connection pooler.',
    );
    refusing.close();
  });

  test('the database does not exist', async () => {
    await expectFailure(
      changed({ pathname: '/no_such' }),
      'database_missing',
      () => 'the database no_such does not exist. Create it: createdb no_such.',
    );
  });

  test('the role has no right to connect', async () => {
    const name = nameOf(empty.url);
    await empty.sql.unsafe(`revoke connect on database ${name} from public`);
    await expectFailure(
      urlAs(empty.url, guest),
      'connect_denied',
      () =>
        `role ${guest} has no right to connect to the database ${name}. As the owner of the database or a superuser, run: grant connect on database ${name} to ${guest}.`,
    );
    await empty.sql.unsafe(`grant connect on database ${name} to public`);
  });

  test('the role has no right to create the schema, and the grant in the message solves the problem', async () => {
    const name = nameOf(empty.url);
    const url = urlAs(empty.url, guest);
    const error = await failure({ database: url, migrate: true });
    expect([error.name, error.code, error.message]).toEqual([
      'DatabaseError',
      'create_denied',
      `The database cannot be used: role ${guest} has no right to create the schema latchkey in the database ${name}. As the owner of the database or a superuser, run: grant create on database ${name} to ${guest}. Or set MIGRATION_DATABASE_URL, or the option migrationDatabase, to the URL of a role with this right.`,
    ]);
    const [, grant = ''] = /run: (grant [^.]+)\./.exec(error.message) ?? [];
    await empty.sql.unsafe(grant);
    expect((await failure({ database: url, migrate: true })).message).toBe('no error');
    await empty.sql.unsafe(`drop owned by ${guest} cascade`);
  });

  test('the role has no rights on the tables', async () => {
    await expectFailure(
      urlAs(database.url, guest),
      'rights_missing',
      () =>
        `role ${guest} lacks privileges (permission denied for schema latchkey). As the owner of the schema, grant the missing rights: latchkey migrate --service-role=${guest}.`,
    );
  });

  test('the URL of the migrations is wrong', async () => {
    const error = await failure({
      database: database.url,
      migrationDatabase: urlAs(database.url, guest, 'open-sesame'),
      migrate: true,
    });
    expect(error.message).toBe(
      `The database cannot be used: the password of role ${guest} is wrong, or the role does not exist. Correct the password in the option migrationDatabase, or change it: alter role ${guest} password '…'.`,
    );
  });

  test.each([
    ['a postgres.js client', (url: string) => postgres(url, { onnotice: () => {} })],
    ['a pg pool', (url: string) => new pg.Pool({ connectionString: url })],
  ])('%s is closed', async (_, open) => {
    const client = open(database.url);
    await client.end();
    const error = await failure({ database: client });
    expect([error.name, error.message]).toEqual([
      'DatabaseError',
      'The database cannot be used: the client in the option database is closed. Pass a client that is open, and do not call its end() before auth.close().',
    ]);
  });

  test.each([
    ['a postgres.js client', (url: string) => postgres(url, { onnotice: () => {} })],
    ['a pg pool', (url: string) => new pg.Pool({ connectionString: url })],
  ])('%s has the wrong password', async (_, open) => {
    const client = open(urlAs(database.url, guest, 'open-sesame'));
    const error = await failure({ database: client });
    await client.end();
    expect(error.message).toBe(
      `The database cannot be used: the password of role ${guest} is wrong, or the role does not exist. Correct the password in the option database, or change it: alter role ${guest} password '…'.`,
    );
  });

  test('the schema is outdated', async () => {
    const error = await failure({ database: empty.url });
    expect(error.name).toBe('SchemaError');
    expect(error.message).toMatch(
      /^The database lacks these migrations: 1, 2, [\d, ]+\. Call createAuthService with `migrate: true`, or run `latchkey migrate` before starting\.$/,
    );
  });

  test.each([
    [
      'a newer version has migrated the schema',
      "insert into latchkey.migrations (version, name, checksum) values (9999, 'later', 'x')",
      'A newer version of Latchkey has migrated the database to schema version 9999, which this version cannot use. Upgrade this package, because migrations cannot be undone.',
    ],
    [
      'a migration was edited',
      "update latchkey.migrations set checksum = 'x' where version = 1",
      'A migration in the table latchkey.migrations differs from the migration in this package. Reinstall the released package.',
    ],
  ])('%s', async (_, change, message) => {
    const own = await createTestDatabase();
    await own.sql.unsafe(change);
    const error = await failure({ database: own.url });
    await own.drop();
    expect([error.name, error.message]).toEqual(['SchemaError', message]);
  });
});

test('openSchema names the setting in its errors', async () => {
  const port = await freePort();
  const schema = openSchema(`postgresql://ada@127.0.0.1:${port}/shop`, { setting: 'SHOP_DATABASE' });
  const sentence = `127.0.0.1:${port} refuses connections. Start PostgreSQL, or correct the host and the port in SHOP_DATABASE.`;
  for (const work of [schema.read, schema.migrate, schema.readRole])
    await expect(work()).rejects.toThrow(`The database cannot be used: ${sentence}`);
  await schema.close();
});

/** A server that answers every connection with an error, as PostgreSQL does before the authentication. */
async function refusingServer(code: string, message: string): Promise<{ port: number; close(): void }> {
  const severity = 'FATAL';
  const fields = `S${severity}\0V${severity}\0C${code}\0M${message}\0`;
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, body])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
