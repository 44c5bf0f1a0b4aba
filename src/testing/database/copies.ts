import { availableParallelism } from 'node:os';
import type { Sql as PostgresClient } from 'postgres';
import { lock, spareName, sparesOf, unfinishedName, unlock } from './names.ts';

/**
 * Copies the template. Renames a spare copy if one exists, because this is faster than a new copy. The caller must hold
 * the lock on `name`.
 */
export async function takeCopy(admin: PostgresClient, template: string, name: string): Promise<void> {
  for (const spare of await findSpares(admin, template)) {
    try {
      await admin.unsafe(`alter database ${spare} rename to ${name}`);
      return;
    } catch {
      // Another process has taken this copy, or is connected to it.
    }
  }
  await copy(admin, template, name);
}

/**
 * Creates a copy for the next test file, which can run in another process or in the next run. Does nothing if there are
 * as many spare copies as test files that can run at the same time. Ignores errors, because tests work without it.
 */
export async function makeSpare(admin: PostgresClient, template: string): Promise<void> {
  const unfinished = unfinishedName();
  try {
    if ((await findSpares(admin, template)).length >= availableParallelism()) return;
    await lock(admin, unfinished);
    await copy(admin, template, unfinished);
    await admin.unsafe(`alter database ${unfinished} rename to ${spareName(template)}`);
  } catch {
    await admin.unsafe(`drop database if exists ${unfinished}`).catch(() => {});
  } finally {
    await unlock(admin, unfinished).catch(() => {});
  }
}

async function findSpares(admin: PostgresClient, template: string): Promise<string[]> {
  const rows = await admin<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${sparesOf(template)}) order by random()`;
  return rows.map(({ datname }) => datname);
}

/**
 * From PostgreSQL 15 on, `create database` copies through the write-ahead log by default. Copying the files is faster
 * only if the server does not wait for the disk.
 */
async function copy(admin: PostgresClient, template: string, name: string): Promise<void> {
  const [settings] = await admin<{ version: string; fsync: string }[]>`
    select current_setting('server_version_num') as version, current_setting('fsync') as fsync`;
  const byFiles = Number(settings?.version) >= 150_000 && settings?.fsync === 'off';
  await admin.unsafe(`create database ${name} template ${template} ${byFiles ? 'strategy file_copy' : ''}`);
}
