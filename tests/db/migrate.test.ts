import { SchemaError } from 'latchkey';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { migrate, migrations, readSchemaState } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/migration.ts';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { buildChildProgram } from '../support/child-program.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const versions = migrations.map(({ version }) => version);
const next = Math.max(...versions) + 1;

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  db = fromPostgresClient(database.sql);
});
afterEach(() => database.drop());

/** Returns the recorded migrations and the names of the existing relations. */
async function schema() {
  const relations = await database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = to_regnamespace('latchkey') order by relname`;
  const names = relations.map(({ name }) => name);
  const recorded = names.includes('migrations')
    ? await database.sql<{ version: number; name: string; checksum: string }[]>`
        select version, name, checksum from latchkey.migrations order by version`
    : [];
  return { names, recorded };
}

/** Creates a database role. After the test, drops the role and everything that the role owns. */
async function withRole(grants: string, use: (url: string) => Promise<void>) {
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  await database.sql.unsafe(
    `create role ${role} login password 'word'; ${grants.replaceAll('<role>', role)}`,
  );
  const url = new URL(database.url);
  url.username = role;
  url.password = 'word';
  try {
    await use(url.href);
  } finally {
    await database.sql.unsafe(`drop owned by ${role} cascade; drop role ${role}`);
  }
}

describe('an empty database', () => {
  test('gets every version, and records the name and the checksum of each version', async () => {
    expect(await migrate(db)).toEqual(versions);
    const { recorded } = await schema();
    expect(recorded).toEqual(
      migrations.map(({ version, name }) => ({
        version,
        name,
        checksum: expect.stringMatching(/^[\da-f]{64}$/),
      })),
    );
    expect(await readSchemaState(db)).toEqual({
      applied: versions,
      pending: [],
      breaking: [],
      newer: [],
      problem: null,
    });
  });

  test('is not changed by a second migration', async () => {
    await migrate(db);
    const before = await schema();
    expect(await migrate(db)).toEqual([]);
    expect(await schema()).toEqual(before);
  });

  test('reports every version as pending', async () => {
    expect(await readSchemaState(db)).toEqual({
      applied: [],
      pending: versions,
      breaking: [],
      newer: [],
      problem: null,
    });
  });

  test('is not migrated by a service without `migrate: true`, and this service fails to start', async () => {
    const start = startServiceOn(database.url);
    await expect(start).rejects.toThrow(SchemaError);
    await expect(start).rejects.toMatchObject({ code: 'schema_outdated' });
    await expect(start).rejects.toThrow(/migrate: true/);
    expect(await schema()).toEqual({ names: [], recorded: [] });
    await eventually(async () => {
      const open = await database.sql`
        select from pg_stat_activity where application_name like 'latchkey%' and datname = current_database()`;
      return open.length === 0;
    });
  });

  test('is migrated by a service with `migrate: true`, and users can then sign up and sign in', async () => {
    const service = await startServiceOn(database.url, { migrate: true });
    const { authenticator } = await signUp(service);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    expect(await service.auth.isReady()).toBe(true);
    await service.close();
  });
});

describe('concurrent migrations apply each version once', () => {
  test('in ten connections of one process', async () => {
    const clients = Array.from({ length: 10 }, () => postgres(database.url, { max: 1, onnotice: () => {} }));
    await Promise.all(clients.map((client) => client`select 1`));
    const applied = await Promise.all(clients.map((client) => migrate(fromPostgresClient(client))));
    await Promise.all(clients.map((client) => client.end()));
    expect(applied.flat().sort((a, b) => a - b)).toEqual(versions);
    expect((await schema()).recorded.map(({ version }) => version)).toEqual(versions);
  });

  test('in ten services', async () => {
    const services = await Promise.all(
      Array.from({ length: 10 }, () => startServiceOn(database.url, { migrate: true })),
    );
    const reports = services
      .flatMap(({ logged }) => logged)
      .filter(({ message }) => message === 'migrated the database schema');
    const applied = reports.flatMap(({ fields }) => (fields as { applied: number[] }).applied);
    expect(applied.sort((a, b) => a - b)).toEqual(versions);
    for (const { auth } of services) expect(await auth.isReady()).toBe(true);
    await Promise.all(services.map((service) => service.close()));
  });

  test('in ten processes', async () => {
    const program = await buildChildProgram('tests/db/support/migrate-program.ts');
    const answers = await program.runAtOnce(10, { args: [database.url] });
    program.remove();
    expect(answers.map(({ errors }) => errors).join('')).toBe('');
    expect(answers.flatMap(({ answer }) => answer).sort((a, b) => a - b)).toEqual(versions);
    expect((await schema()).recorded.map(({ version }) => version)).toEqual(versions);
  });

  test('in ten connections with three additional versions', async () => {
    const known = [...migrations, ...[0, 1, 2].map((n) => creating(next + n, `extra_${n}`))];
    const clients = Array.from({ length: 10 }, () => postgres(database.url, { max: 1, onnotice: () => {} }));
    const applied = await Promise.all(clients.map((client) => migrate(fromPostgresClient(client), known)));
    await Promise.all(clients.map((client) => client.end()));
    expect(applied.flat().sort((a, b) => a - b)).toEqual(known.map(({ version }) => version));
  });
});

const creating = (version: number, table: string): Migration => ({
  version,
  name: table,
  script: `create table latchkey.${table} (id integer);`,
});

describe('an unfinished migration leaves no partial change', () => {
  const unfinished = (ending: string): Migration => ({
    ...creating(next, 'half'),
    script: `${creating(next, 'half').script} insert into latchkey.half values (1); ${ending}`,
  });

  test('when its script fails: earlier versions stay applied, and the migration can run again', async () => {
    await expect(migrate(db, [...migrations, unfinished('select 1 / 0;')])).rejects.toMatchObject({
      code: '22012',
    });
    const { names, recorded } = await schema();
    expect(names).not.toContain('half');
    expect(recorded.map(({ version }) => version)).toEqual(versions);

    expect(await migrate(db, [...migrations, creating(next, 'half')])).toEqual([next]);
    expect((await schema()).names).toContain('half');
  });

  test('when the first script fails: no schema is left', async () => {
    const first = { ...unfinished('select 1 / 0;'), version: 1 };
    await expect(migrate(db, [first])).rejects.toMatchObject({ code: '22012' });
    const [row] = await database.sql`select to_regnamespace('latchkey') as namespace`;
    expect(row).toEqual({ namespace: null });
    expect(await migrate(db)).toEqual(versions);
  });

  test('when its connection is killed: a waiting migration continues', async () => {
    await migrate(db);
    const killed = postgres(database.url, { max: 1, onnotice: () => {} });
    const waiting = postgres(database.url, { max: 1, onnotice: () => {} });
    const interrupted = migrate(fromPostgresClient(killed), [
      ...migrations,
      unfinished('select pg_sleep(60);'),
    ]);
    const outcome = interrupted.catch((error: Error) => error);
    let pid: number | undefined;
    await eventually(async () => {
      const [row] = await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      pid = row?.pid;
      return pid !== undefined;
    });
    const successor = migrate(fromPostgresClient(waiting), [...migrations, creating(next, 'half')]);
    await eventually(async () => {
      const rows = await database.sql`
        select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      return rows.length === 1;
    });
    await database.sql`select pg_terminate_backend(${pid ?? 0})`;
    expect(await outcome).toBeInstanceOf(Error);
    expect(await successor).toEqual([next]);
    expect(await database.sql`select id from latchkey.half`).toHaveLength(0);
    // Without a timeout, postgres.js waits indefinitely for the killed connection.
    await Promise.all([killed.end({ timeout: 0 }), waiting.end()]);
  });
});

describe('an edited or newer schema', () => {
  beforeEach(async () => {
    await migrate(db);
  });
  const tampering = {
    schema_edited: () =>
      database.sql`update latchkey.migrations set checksum = ${'0'.repeat(64)} where version = 1`,
    schema_newer: () =>
      database.sql`insert into latchkey.migrations (version, name, checksum) values (${next}, 'later', 'x')`,
  };

  test.each(['schema_edited', 'schema_newer'] as const)(
    'is rejected as %s, with or without `migrate: true`',
    async (code) => {
      await tampering[code]();
      await expect(migrate(db)).rejects.toMatchObject({ name: 'SchemaError', code });
      await expect(startServiceOn(database.url, { migrate: true })).rejects.toMatchObject({ code });
      await expect(startServiceOn(database.url)).rejects.toMatchObject({ code });
      const { recorded } = await schema();
      expect(recorded).toHaveLength(code === 'schema_newer' ? versions.length + 1 : versions.length);
    },
  );

  test('causes a running service to report that it is not ready', async () => {
    const service = await startServiceOn(database.url);
    expect(await service.auth.isReady()).toBe(true);
    await tampering.schema_newer();
    expect(await service.auth.isReady()).toBe(false);
    await service.close();
  });

  test('is different from an outdated schema, to which a migration adds only the missing version', async () => {
    const known = [...migrations, creating(next, 'later')];
    expect(await readSchemaState(db, known)).toEqual({
      applied: versions,
      pending: [next],
      breaking: [next],
      newer: [],
      problem: null,
    });
    expect(await migrate(db, known)).toEqual([next]);
  });
});

describe('a database shared with an application', () => {
  test('keeps the application’s tables, even if tables of the service have the same names', async () => {
    await database.sql.unsafe(`
      create table public.users (id serial primary key, email text);
      create table public.sessions (sid text primary key);
      create table public.migrations (id integer);
      create function public.clock() returns text language sql as $$ select 'tick' $$;
      insert into public.users (email) values ('ann@example.com');`);
    const service = await startServiceOn(database.url, { migrate: true });
    const { authenticator } = await signUp(service);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    await service.close();
    expect([...(await database.sql`select * from public.users`)]).toEqual([
      { id: 1, email: 'ann@example.com' },
    ]);
    expect(await database.sql`select * from public.sessions`).toHaveLength(0);
    expect(await database.sql`select * from public.migrations`).toHaveLength(0);
    expect(await database.sql`select * from latchkey.users`).toHaveLength(1);
  });

  test('can be migrated by a database role that may create schemas and is not a superuser', async () => {
    const [row] = await database.sql`select current_database() as name`;
    await withRole(`grant create on database ${row?.name} to <role>`, async (url) => {
      const service = await startServiceOn(url, { migrate: true });
      const { authenticator } = await signUp(service);
      expect((await logIn(service.browser(), authenticator)).status).toBe(200);
      await service.close();
    });
  });

  test('can be migrated by a database role that owns only the schema', async () => {
    await withRole('create schema latchkey authorization <role>', async (url) => {
      const service = await startServiceOn(url, { migrate: true });
      const { authenticator } = await signUp(service);
      expect((await logIn(service.browser(), authenticator)).status).toBe(200);
      await service.close();
      // The second call applies later versions to the existing schema.
      const client = postgres(url, { max: 1, onnotice: () => {} });
      expect(await migrate(fromPostgresClient(client), [...migrations, creating(next, 'later')])).toEqual([
        next,
      ]);
      await client.end();
    });
  });

  test('can be used by a database role that may change rows but not tables', async () => {
    await migrate(db);
    const grants = `grant usage on schema latchkey to <role>;
      grant select, insert, update, delete on all tables in schema latchkey to <role>`;
    await withRole(grants, async (url) => {
      const service = await startServiceOn(url);
      const { authenticator, browser } = await signUp(service);
      expect((await logIn(browser, authenticator)).status).toBe(200);
      expect((await browser.delete('/auth/session')).status).toBe(204);
      await service.close();
    });
  });
});
