import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { removeFolder } from './remove-folder.ts';
import { createServerFolder } from './server-folder.ts';
import { createTemplate } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the superuser on this run's PostgreSQL server. */
    postgresUrl: string;
    /** The name of the database that test files copy. It is migrated and has a movable clock. */
    template: string;
    /** A folder for files that test files share. Deleted after the run. */
    runFolder: string;
  }
}

/** The folder of a PostgreSQL server that is kept for later runs. `npm run try` sets this variable. */
const keptFolder = process.env.LATCHKEY_KEPT_POSTGRES;

/**
 * Starts one PostgreSQL server for the run, and creates the template of its databases. `npm run try` without a topic
 * sets LATCHKEY_WITHOUT_POSTGRES, because its tests use no database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest calls this function for the root project and for each project. Projects inherit the values of the root
  // project.
  if (!project.isRootProject() || process.env.LATCHKEY_WITHOUT_POSTGRES) return async () => {};
  const directory = keptFolder ?? (await createServerFolder());
  const server = await start(directory);
  await prepare(server);
  const runFolder = await mkdtemp(join(tmpdir(), 'latchkey-run-'));
  project.provide('template', await createTemplate(server.superuserUrl));
  project.provide('runFolder', runFolder);
  project.provide('postgresUrl', server.superuserUrl);
  // For `createTestDatabase` of the test kit. The workers inherit it.
  process.env.TEST_DATABASE_URL = server.superuserUrl;
  return async () => {
    await server.stop();
    await removeFolder(runFolder);
    if (keptFolder) return;
    await removeFolder(directory);
    if (!server.dataDirectory.startsWith(directory)) await removeFolder(join(server.dataDirectory, '..'));
  };
}

/**
 * Starts PostgreSQL. With `fsync` off, a crash of the machine can corrupt the data of a kept server. Then this function
 * starts a new one.
 */
async function start(directory: string): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ directory });
  } catch (error) {
    if (!keptFolder) throw error;
    await removeFolder(directory);
    return startEmbeddedPostgres({ directory });
  }
}

/**
 * Turns off the settings that protect the data from a crash, and makes new connections cheaper. Deletes the databases of
 * earlier runs that did not end normally.
 */
async function prepare({ superuserUrl, adopted }: EmbeddedPostgres): Promise<void> {
  // Another run uses this server, and has prepared it.
  if (adopted) return;
  const admin = postgres(superuserUrl, { max: 1, onnotice: () => {} });
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await admin.unsafe(`alter system set ${setting} = off`);
  // Keeps the server's folder small, because it can be in memory.
  await admin.unsafe(`alter system set max_wal_size = '256MB'`);
  // These passwords protect only test data, so more iterations would only slow down each new connection.
  await admin.unsafe(`alter system set scram_iterations = 1`);
  await admin.unsafe('select pg_reload_conf()');
  await hashPasswordAgain(admin, superuserUrl);
  const abandoned = await admin`select datname from pg_database where datname ~ '^(test|unfinished)_'`;
  for (const { datname } of abandoned) await admin.unsafe(`drop database ${datname}`);
  await admin.end();
}

/** Stores the superuser's password again, because it was hashed before the setting changed. */
async function hashPasswordAgain(admin: postgres.Sql, superuserUrl: string): Promise<void> {
  const { username, password } = new URL(superuserUrl);
  await admin.unsafe('set scram_iterations = 1');
  await admin.unsafe(`alter role ${username} password '${decodeURIComponent(password)}'`);
}
