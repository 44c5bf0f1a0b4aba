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
    /** A PostgreSQL for the whole run; its `latchkey_template` database is migrated and holds a clock that turns. */
    postgresUrl: string;
    /** A folder for what tests make once and share; removed when the run is over. */
    runFolder: string;
  }
}

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr';

/**
 * One real PostgreSQL for the run. Each test file copies the migrated template, which takes a few milliseconds. Nothing of
 * it has to survive a crash of the machine, so it waits for no disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // It is called for every project of the configuration, too; what the root provides is theirs.
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
  await template.unsafe(turnableClock);
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

/** Lets a test move the database's time: every expiry is asked of `latchkey.clock()`. */
const turnableClock = `
  create table public.test_clock (ahead interval not null);
  insert into public.test_clock values ('0');
  create or replace function latchkey.clock() returns timestamptz language sql stable
    as $$ select now() + (select ahead from public.test_clock) $$;`;
