import type { Sql as PostgresClient } from 'postgres';
import { open } from '../../db/postgres.ts';
import { chooseServer, type TestServer, urlOfDatabase } from './choose-server.ts';
import { makeSpare, takeCopy } from './copies.ts';
import { dropDatabase } from './drop-database.ts';
import { ensureTemplate } from './ensure-template.ts';
import { copyName, lock } from './names.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import type { TestDatabase, TestDatabaseOptions } from './test-database.ts';

const maxAttempts = 3;
/** The connection that holds the locks must stay open. By default, postgres.js closes connections after an hour. */
const lasting = { max: 1, idle_timeout: 0, max_lifetime: null };

/**
 * Creates a PostgreSQL database with the tables of Latchkey and of the application, for the tests of one file.
 *
 * The first call on a server creates a template and runs `setup`. Later calls copy the template, and prepare a spare copy
 * for the next call. A change of Latchkey's migrations, of `setup` or of `version` leads to a new template. Each database
 * has its own name, so test files can run at the same time. If a run is killed, the next run deletes its databases.
 * Templates and spare copies stay on the server for later runs. A run deletes those that were not used for a week.
 *
 * The function changes only databases that the test kit created. The role needs the right to create databases.
 *
 * @throws TypeError for an unknown option, an invalid URL, or a `setup` function without `version`
 * @throws Error if the server is unreachable, the role cannot create databases, or `setup` fails
 * @throws EmbeddedPostgresError if no URL is given and the embedded PostgreSQL does not start
 * @example
 * const database = await createTestDatabase({ setup: readFileSync('schema.sql', 'utf8') });
 * const kit = await createTestAuthService({ app: createApp, database: database.url });
 * afterEach(() => database.reset());
 * afterAll(async () => {
 *   await kit.close();
 *   await database.close();
 * });
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  assertOptions(options);
  const server = await chooseServer(options.server);
  const admin = open(server.url, lasting);
  const name = copyName();
  let spare: Promise<void>;
  try {
    await lock(admin, name);
    const template = await prepare(admin, server.url, options, name);
    await removeLeftovers(admin, server.url);
    spare = makeSpare(admin, template);
  } catch (error) {
    await admin.end({ timeout: 1 });
    await server.stop();
    throw explained(error, server);
  }
  const url = urlOfDatabase(server.url, name);
  const client = open(url, { max: 1 });
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await client.end({ timeout: 1 });
    await spare;
    await dropDatabase(admin, name);
    await admin.end({ timeout: 1 });
    await server.stop();
  }
  return {
    url,
    reset: () => reset(client),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** @returns the name of the template */
async function prepare(
  admin: PostgresClient,
  serverUrl: string,
  options: TestDatabaseOptions,
  name: string,
  attempt = 1,
): Promise<string> {
  const template = await ensureTemplate(admin, serverUrl, options);
  try {
    await takeCopy(admin, template, name);
    return template;
  } catch (error) {
    // Another process has deleted the template, because it was not used for a week.
    if (codeOf(error) !== '3D000' || attempt === maxAttempts) throw error;
    return prepare(admin, serverUrl, options, name, attempt + 1);
  }
}

const known: readonly (keyof TestDatabaseOptions)[] = ['setup', 'version', 'server'];

function assertOptions(options: TestDatabaseOptions): void {
  const unknown = Object.keys(options).find((name) => !known.some((option) => option === name));
  if (unknown !== undefined)
    throw new TypeError(`createTestDatabase: unknown option ${unknown}, expected ${known.join(', ')}`);
  const { setup, version } = options;
  if (setup !== undefined && typeof setup !== 'string' && typeof setup !== 'function')
    throw new TypeError('setup: expected SQL or a function');
  if (version !== undefined && typeof version !== 'string')
    throw new TypeError('version: expected a text that changes when the result of `setup` changes');
  if (typeof setup === 'function' && !version)
    throw new TypeError(
      'version: expected a text that changes when the result of the function `setup` changes, for example the text of all migrations. Without it, tests could run with the tables of an earlier version.',
    );
}

async function reset(client: PostgresClient, attempt = 1): Promise<void> {
  try {
    await client.unsafe('select latchkey_test.reset()');
  } catch (error) {
    const code = codeOf(error);
    // deadlock_detected: a statement of a running service locks the tables in another order.
    if (code === '40P01' && attempt < maxAttempts) return reset(client, attempt + 1);
    if (code !== '55P03') throw error;
    throw new Error(
      'reset: a transaction still locks a table. Commit or roll back all transactions of the test before `reset`.',
      { cause: error },
    );
  }
}

function explained(error: unknown, { name }: TestServer): unknown {
  const code = codeOf(error);
  if (code === '42501') {
    return new Error(
      'createTestDatabase: the role cannot create databases. As a superuser, run `alter role <role> createdb`, or set TEST_DATABASE_URL to the URL of another role.',
      { cause: error },
    );
  }
  if (!isConnectionFault.test(`${code}`)) return error;
  return new Error(
    `createTestDatabase: cannot connect to the server of ${name} (${code}). Start PostgreSQL, or correct the host, the port, the role and the password.`,
    { cause: error },
  );
}

/** Errors of sockets and of postgres.js, and SQLSTATE class 28 (invalid role or password). */
const isConnectionFault = /^(ECONN|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_|28)/;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
