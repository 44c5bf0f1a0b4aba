import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { removeFolder } from './remove-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The URL of this run's PostgreSQL server. Its database `latchkey_template` is migrated and has a movable clock.
     */
    postgresUrl: string;
    /** A folder for files that test files share. Deleted after the run. */
    runFolder: string;
  }
}

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr';

/**
 * Starts one PostgreSQL server for the run. Each test file copies the migrated template database. `fsync` is off,
 * because the data does not have to survive a crash.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest calls this function for the root project and for each project. Projects inherit the values of the root
  // project.
  if (!project.isRootProject()) return async () => {};
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-tests-'));
  const server = await startEmbeddedPostgres({ directory });
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await admin.unsafe(`alter system set ${setting} = off`);
  await admin.unsafe('select pg_reload_conf()');
  await admin.unsafe('create database latchkey_template');
  await admin.end();

  const url = new URL(server.url);
  url.pathname = '/latchkey_template';
  const service = await createAuthService({ database: url.href, migrate: true, secret, env: {} });
  await service.close();
  const template = postgres(url.href, { max: 1, onnotice: () => {} });
  await template.unsafe(movableClock);
  await template.end();

  const runFolder = await mkdtemp(join(tmpdir(), 'latchkey-run-'));
  project.provide('runFolder', runFolder);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    for (const folder of [directory, runFolder]) await removeFolder(folder);
    if (!server.dataDirectory.startsWith(directory)) await removeFolder(join(server.dataDirectory, '..'));
  };
}

/** Lets tests move the database's clock. Statements read the time from `latchkey.clock()`. */
const movableClock = `
  create table public.test_clock (ahead interval not null);
  insert into public.test_clock values ('0');
  create or replace function latchkey.clock() returns timestamptz language sql stable
    as $$ select now() + (select ahead from public.test_clock) $$;`;
