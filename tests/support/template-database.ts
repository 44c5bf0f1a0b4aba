import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createAuthService } from 'latchkey';
import postgres from 'postgres';

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr';

/** Lets tests move the database's clock. Statements read the time from `latchkey.clock()`. */
const movableClock = `
  create table public.test_clock (ahead interval not null);
  insert into public.test_clock values ('0');
  create or replace function latchkey.clock() returns timestamptz language sql stable
    as $$ select now() + (select ahead from public.test_clock) $$;`;

/**
 * Creates a database that test files copy: migrated, with a movable clock. Its name contains a hash of the migrations,
 * so a server that is kept between runs gets a new template when a migration changes.
 *
 * @returns the name of the database
 */
export async function createTemplate(serverUrl: string): Promise<string> {
  const name = `latchkey_template_${hashOfMigrations()}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    // Two runs can share the server.
    await admin`select pg_advisory_lock(hashtext('latchkey_template'))`;
    const [existing] = await admin`select from pg_database where datname = ${name}`;
    if (existing) return name;
    // A run that is stopped here leaves an incomplete database, which no later run uses.
    const unfinished = `unfinished_${crypto.randomUUID().replaceAll('-', '')}`;
    await admin.unsafe(`create database ${unfinished}`);
    await migrate(serverUrl, unfinished);
    await admin.unsafe(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await admin.end();
  }
}

async function migrate(serverUrl: string, database: string): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const service = await createAuthService({
    database: url.href,
    migrate: true,
    auditSequencer: false,
    secret,
    env: {},
  });
  await service.close();
  const client = postgres(url.href, { max: 1, onnotice: () => {} });
  await client.unsafe(movableClock);
  await client.end();
}

function hashOfMigrations(): string {
  const folder = fileURLToPath(new URL('../../src/db/migrations/', import.meta.url));
  const hash = createHash('sha256').update(movableClock);
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(folder + file));
  return hash.digest('hex').slice(0, 12);
}
