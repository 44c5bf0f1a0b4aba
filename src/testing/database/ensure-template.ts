import { createHash } from 'node:crypto';
import type { Sql as PostgresClient } from 'postgres';
import { migrations } from '../../db/migrate.ts';
import { open } from '../../db/postgres.ts';
import { openSchema } from '../../service/schema.ts';
import { urlOfDatabase } from './choose-server.ts';
import { dropDatabase } from './drop-database.ts';
import { lock, templateName, unfinishedName, unlock } from './names.ts';
import { recordLastUse } from './outdated.ts';
import { recordSeeds } from './record-seeds.ts';
import { readSeeds, recordSequences, resetScript } from './reset-script.ts';
import type { TestDatabaseOptions } from './test-database.ts';

type Setup = Pick<TestDatabaseOptions, 'setup' | 'version'>;

/**
 * Returns the name of a database with the tables of Latchkey and of the application. Creates it if no process has
 * created it on this server. Its name contains a hash of everything that it depends on.
 *
 * The database gets this name only after it is complete. So a killed process leaves no incomplete template. Only one of
 * two concurrent processes can use the name, even if a connection pooler breaks the advisory lock.
 */
export async function ensureTemplate(
  admin: PostgresClient,
  serverUrl: string,
  setup: Setup,
): Promise<string> {
  const [session] = await admin<{ role: string }[]>`select current_user as role`;
  const name = templateName(hashOf(setup, `${session?.role}`));
  if (!(await exists(admin, name))) {
    await lock(admin, name);
    try {
      if (!(await exists(admin, name))) await build(admin, serverUrl, name, setup);
    } finally {
      await unlock(admin, name);
    }
  }
  await recordLastUse(admin, name);
  return name;
}

/** Each role has its own templates, because only the owner of a database can copy it. */
function hashOf({ setup, version }: Setup, role: string): string {
  const scripts = migrations.map((migration) => [migration.version, migration.script]);
  const reset = [resetScript, readSeeds, recordSequences];
  const parts = [scripts, reset, role, typeof setup, `${setup}`, version ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function exists(admin: PostgresClient, name: string): Promise<boolean> {
  const found = await admin`select from pg_database where datname = ${name}`;
  return found.length > 0;
}

async function build(admin: PostgresClient, serverUrl: string, name: string, setup: Setup): Promise<void> {
  const unfinished = unfinishedName();
  await lock(admin, unfinished);
  await admin.unsafe(`create database ${unfinished}`);
  try {
    await fill(urlOfDatabase(serverUrl, unfinished), setup);
    await publish(admin, unfinished, name);
  } catch (error) {
    // If it cannot be dropped, a later run deletes it.
    await dropDatabase(admin, unfinished).catch(() => {});
    throw error;
  } finally {
    await unlock(admin, unfinished);
  }
}

async function fill(url: string, { setup }: Setup): Promise<void> {
  const schema = openSchema(url);
  try {
    await schema.migrate();
  } finally {
    await schema.close();
  }
  await runSetup(url, setup);
  await withClient(url, recordSeeds);
}

async function withClient(url: string, use: (client: PostgresClient) => Promise<unknown>): Promise<void> {
  const client = open(url, { max: 1 });
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

async function runSetup(url: string, setup: Setup['setup']): Promise<void> {
  try {
    // A separate connection, because SQL from pg_dump changes settings of its session.
    if (typeof setup === 'string') await withClient(url, (client) => client.unsafe(setup));
    else await setup?.(url);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : `${cause}`;
    throw new Error(`createTestDatabase: \`setup\` failed: ${message}`, { cause });
  }
}

async function publish(admin: PostgresClient, unfinished: string, name: string): Promise<void> {
  // Otherwise, a client that reconnects would prevent copies of the template.
  await admin.unsafe(`alter database ${unfinished} with allow_connections false`);
  try {
    await admin.unsafe(`alter database ${unfinished} rename to ${name}`);
  } catch (error) {
    if (codeOf(error) === '42P04') {
      await admin.unsafe(`drop database ${unfinished}`);
      return;
    }
    if (codeOf(error) !== '55006') throw error;
    throw new Error(
      'createTestDatabase: `setup` left a connection open. Close all connections before the function returns.',
      { cause: error },
    );
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
