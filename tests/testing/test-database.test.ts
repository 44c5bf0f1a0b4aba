import { createTestAuthService, createTestDatabase, type TestDatabase } from 'latchkey/testing';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';

/** Tables of an application, with everything that a reset must handle. */
const schema = `
  -- ${crypto.randomUUID()}
  create table kinds (id integer primary key generated always as identity, name text not null unique,
    shout text generated always as (upper(name)) stored);
  create table labels (id serial primary key, kind_id integer not null references kinds (id), parent_id integer references labels (id));
  create table notes (
    id uuid primary key default gen_random_uuid(),
    owner_id uuid not null references latchkey.users (id) deferrable initially deferred,
    kind_id integer references kinds (id),
    text text not null
  );
  create table "Changes" (what text);
  create function tell() returns trigger language plpgsql as $$
  begin
    insert into public."Changes" values (tg_op);
    return new;
  end $$;
  create trigger kinds_inserted after insert on kinds for each row execute function tell();
  insert into kinds (name) values ('plain'), ('secret');
  insert into labels (kind_id) values (1);
  insert into labels (kind_id, parent_id) values (2, 1);
  truncate "Changes";
  insert into "Changes" values ('seed');`;

const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
const role = `kit_${process.pid}_${Date.now()}`;
/** The URL of a role that is no superuser. */
let server: string;
const opened: TestDatabase[] = [];
const clients: Sql[] = [];
beforeAll(async () => {
  await admin.unsafe(`create role ${role} login createdb password 'kit'`);
  const url = new URL(inject('postgresUrl'));
  Object.assign(url, { username: role, password: 'kit', pathname: '/postgres' });
  server = url.href;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await Promise.all(opened.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  for (const name of await databases()) {
    await admin.unsafe(`drop database ${name} with (force)`);
  }
  await admin.unsafe(`drop role ${role}`);
  await admin.end();
});

/** Another URL of the same server, because the test kit checks each URL once per process. */
const otherUrl = () => `${server}?application_name=${crypto.randomUUID()}`;

/** The databases of the role. */
async function databases(): Promise<string[]> {
  const rows = await admin`
    select datname from pg_database where datdba = (select oid from pg_roles where rolname = ${role})`;
  return rows.map(({ datname }) => datname);
}

async function create(options: Parameters<typeof createTestDatabase>[0] = { setup: schema }) {
  const database = await createTestDatabase({ server, ...options });
  opened.push(database);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  clients.push(sql);
  return { ...database, sql };
}

const rowsOf = async (sql: Sql) => ({
  kinds: [...(await sql`select id, name, shout from kinds order by id`)],
  labels: [...(await sql`select id, kind_id, parent_id from labels order by id`)],
  notes: [...(await sql`select text from notes`)],
  changes: [...(await sql`select what from "Changes"`)],
  users: [...(await sql`select username from latchkey.users`)],
  events: [...(await sql`select event from latchkey.audit_events`)],
  roster: [...(await sql`select version from latchkey.superadmin_roster`)],
});

const afterSetup = {
  kinds: [
    { id: 1, name: 'plain', shout: 'PLAIN' },
    { id: 2, name: 'secret', shout: 'SECRET' },
  ],
  labels: [
    { id: 1, kind_id: 1, parent_id: null },
    { id: 2, kind_id: 2, parent_id: 1 },
  ],
  notes: [],
  changes: [{ what: 'seed' }],
  users: [],
  events: [],
  roster: [{ version: 0 }],
};

describe('a test database', () => {
  test('has the tables of the service and of the application, with the rows of `setup`', async () => {
    const { sql, url } = await create();
    expect(await rowsOf(sql)).toEqual(afterSetup);
    const kit = await createTestAuthService({ database: url });
    const { user } = await kit.signedInAs('superadmin');
    await sql`insert into notes (owner_id, kind_id, text) values (${user.id}, 1, 'mine')`;
    expect((await rowsOf(sql)).notes).toEqual([{ text: 'mine' }]);
    await kit.close();
  });

  test('shares no rows with other test databases', async () => {
    const [one, other] = await Promise.all([create(), create()]);
    await one.sql`delete from labels`;
    expect(one.url).not.toBe(other.url);
    expect(await rowsOf(other.sql)).toEqual(afterSetup);
  });

  test('is deleted by `close`, even while connections are open', async () => {
    const { url, close } = await create();
    const name = new URL(url).pathname.slice(1);
    expect(await databases()).toContain(name);
    const kit = await createTestAuthService({ database: url });
    await Promise.all([close(), close()]);
    expect(await databases()).not.toContain(name);
    await kit.close();
  });

  test('is deleted by `close` after a connection of a superuser ends, for example of autovacuum', async () => {
    const { url, close } = await create();
    const name = new URL(url).pathname.slice(1);
    const asSuperuser = new URL(inject('postgresUrl'));
    asSuperuser.pathname = name;
    const worker = postgres(asSuperuser.href, { max: 1 });
    await worker`select 1`;
    const closing = close();
    const waiting = () => admin`
      select from pg_stat_activity where query = ${`drop database if exists ${name}`} and state = 'active'`;
    await expect.poll(waiting).toHaveLength(1);
    await worker.end();
    await closing;
    expect(await databases()).not.toContain(name);
  });
});

describe('reset', () => {
  test('restores the rows and sequences of `setup`, and empties all other tables', async () => {
    const { sql, url, reset } = await create();
    const kit = await createTestAuthService({ database: url });
    for (const name of ['first', 'second']) {
      const { user } = await kit.signedInAs('superadmin');
      await sql`insert into notes (owner_id, kind_id, text) values (${user.id}, 1, ${name})`;
      await sql`insert into kinds (name) values (${name})`;
      await sql`update kinds set name = 'changed' where id = 2`;
      await sql`delete from labels where id = 2`;
      await sql`create table if not exists later (id serial, text text)`;
      await sql`insert into later (text) values ('later')`;
      await reset();
      expect(await rowsOf(sql)).toEqual(afterSetup);
      expect([...(await sql`select * from later`)]).toEqual([]);
    }
    const [kind] = await sql`insert into kinds (name) values ('next') returning id`;
    const [label] = await sql`insert into labels (kind_id) values (1) returning id`;
    const [later] = await sql`insert into later (text) values ('later') returning id`;
    expect([kind?.id, label?.id, later?.id]).toEqual([3, 3, 1]);
    await kit.close();
  });

  test.each([
    ['is large', `insert into kinds (name) select repeat('x', 500) || n from generate_series(1, 3000) as n`],
    [
      'belongs to a cycle of foreign keys',
      `alter table kinds add label_id integer references labels (id); update kinds set label_id = 1`,
    ],
  ])('also restores the rows of `setup` in a table that %s', async (_, change) => {
    const { sql, reset } = await create();
    await sql.unsafe(change);
    await reset();
    expect(await rowsOf(sql)).toEqual(afterSetup);
    const [kind] = await sql`insert into kinds (name) values ('next') returning id`;
    expect(kind?.id).toBe(3);
  });

  test('keeps triggers as they were', async () => {
    const { sql, url, reset } = await create();
    await sql`create trigger disabled before insert on notes for each row execute function tell()`;
    await sql`alter table notes disable trigger disabled`;
    const kit = await createTestAuthService({ database: url });
    await kit.signedInAs('user');
    const states = () => sql`select tgname, tgenabled from pg_trigger where not tgisinternal order by tgname`;
    const before = await states();
    await reset();
    expect(await states()).toEqual(before);
    await kit.signedInAs('user');
    await expect(sql`truncate latchkey.audit_events`).rejects.toThrow(/append-only|audit/);
    await sql`insert into kinds (name) values ('told')`;
    expect((await rowsOf(sql)).changes).toEqual([{ what: 'seed' }, { what: 'INSERT' }]);
    await kit.close();
  });

  test('ends sessions and notifies running services, which keep working', async () => {
    const { sql, url, reset } = await create();
    const ended: string[] = [];
    // Services listen to this channel, and evict the sessions of these users from their caches.
    const listening = await sql.listen('latchkey_sessions', (userId) => ended.push(userId));
    const kit = await createTestAuthService({ database: url });
    const ada = await kit.signedInAs('user');
    expect((await ada.get('/auth/session')).status).toBe(200);
    await reset();
    await expect.poll(() => ended).toContain(ada.user.id);
    expect((await ada.get('/auth/session')).status).toBe(401);
    await kit.signedInAs('admin');
    expect(await sql`select role from latchkey.users where role = 'admin'`).toHaveLength(1);
    await listening.unlisten();
    await kit.close();
  });

  test('can run while the service uses the tables', async () => {
    const { url, reset } = await create();
    const kit = await createTestAuthService({ database: url });
    const signUps = Promise.allSettled(Array.from({ length: 5 }, () => kit.signedInAs('user')));
    for (let count = 0; count < 5; count += 1) await reset();
    await signUps;
    await reset();
    await kit.signedInAs('user');
    await kit.close();
  });
});

test('reset rejects while a transaction of the test locks a table', async () => {
  const { sql, url, reset } = await create();
  await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout = '50ms'`);
  await sql.begin(async (transaction) => {
    await transaction`insert into kinds (name) values ('open')`;
    await expect(reset()).rejects.toThrow(/Commit or roll back all transactions/);
  });
  await reset();
  expect(await rowsOf(sql)).toEqual(afterSetup);
});

describe('the template', () => {
  test('is created once, even by concurrent calls', async () => {
    let calls = 0;
    const version = crypto.randomUUID();
    async function setup(url: string): Promise<void> {
      calls += 1;
      const sql = postgres(url, { max: 1 });
      await sql`create table made (id integer)`;
      await sql.end();
    }
    const made = await Promise.all(Array.from({ length: 6 }, () => create({ setup, version })));
    expect(calls).toBe(1);
    for (const { sql } of made) expect([...(await sql`select * from made`)]).toEqual([]);
    await create({ setup, version });
    expect(calls).toBe(1);
    await create({ setup, version: `${version} changed` });
    expect(calls).toBe(2);
  });

  test('changes with the SQL of `setup`', async () => {
    const id = crypto.randomUUID();
    const first = await create({ setup: `create table one (id integer); -- ${id}` });
    const second = await create({ setup: `create table two (id integer); -- ${id}` });
    const tables = (sql: Sql) => sql`select relname from pg_class where relname in ('one', 'two')`;
    expect([...(await tables(first.sql))]).toEqual([{ relname: 'one' }]);
    expect([...(await tables(second.sql))]).toEqual([{ relname: 'two' }]);
  });

  test('can come from SQL of pg_dump, which changes the search path of its session', async () => {
    const setup = `select pg_catalog.set_config('search_path', '', false);
      create table public.dumped (id integer); insert into public.dumped values (1);`;
    const { sql, reset } = await create({ setup });
    await sql`delete from dumped`;
    await reset();
    expect([...(await sql`select id from dumped`)]).toEqual([{ id: 1 }]);
  });

  test.each<[string, string | ((url: string) => Promise<void>), RegExp]>([
    ['contains invalid SQL', 'create table (', /`setup` failed: syntax error/],
    [
      'leaves a connection open',
      async (url) => {
        const sql = postgres(url, { max: 1 });
        clients.push(sql);
        await sql`select 1`;
      },
      /Close all connections/,
    ],
    [
      'inserts rows that reference each other in a cycle',
      `create table a (id integer primary key, b integer);
       create table b (id integer primary key, a integer references a (id));
       insert into a values (1, 1); insert into b values (1, 1);
       alter table a add foreign key (b) references b (id);`,
      /cycle: public\.a, public\.b\./,
    ],
  ])('is not created if `setup` %s', async (_, setup, message) => {
    const before = await databases();
    const attempt = createTestDatabase({ server, setup, version: crypto.randomUUID() });
    await expect(attempt).rejects.toThrow(message);
    expect(await databases()).toEqual(before);
  });
});

describe('a spare copy', () => {
  const sparesOf = async () => (await databases()).filter((name) => name.startsWith('latchkey_kit_spare_'));

  test('is created for the next test database, which takes it', async () => {
    const setup = `create table spared (id integer); -- ${crypto.randomUUID()}`;
    const before = await sparesOf();
    await (await create({ setup })).close();
    const [spare, ...others] = (await sparesOf()).filter((name) => !before.includes(name));
    expect([spare, others]).toEqual([expect.any(String), []]);
    const [{ oid } = {}] = await admin`select oid from pg_database where datname = ${`${spare}`}`;
    const { sql } = await create({ setup });
    expect(await sparesOf()).not.toContain(spare);
    const [row] = await sql`select oid from pg_database where datname = current_database()`;
    expect(row?.oid).toBe(oid);
    expect([...(await sql`select * from spared`)]).toEqual([]);
  });

  test('is taken by only one of several concurrent calls', async () => {
    await (await create()).close();
    const made = await Promise.all(Array.from({ length: 4 }, () => create()));
    expect(new Set(made.map(({ url }) => url)).size).toBe(4);
    for (const { sql } of made) expect(await rowsOf(sql)).toEqual(afterSetup);
  });

  test('is deleted with its template after a week without use', async () => {
    const names = async () => (await databases()).filter((name) => /_(template|spare)_/.test(name)).sort();
    await (await create()).close();
    const before = await names();
    await (await create({ setup: `-- ${crypto.randomUUID()}` })).close();
    const added = (await names()).filter((name) => !before.includes(name));
    expect(added).toHaveLength(2);
    const template = added.find((name) => name.includes('_template_'));
    const comment = async (days: number) => {
      const [{ day } = {}] = await admin`select (current_date - ${days}::int)::text as day`;
      await admin.unsafe(`comment on database ${template} is 'last used ${day}'`);
    };
    await comment(7);
    await (await create({ server: otherUrl(), setup: schema })).close();
    expect(await names()).toEqual(expect.arrayContaining(added));
    await comment(8);
    await (await create({ server: otherUrl(), setup: schema })).close();
    expect((await names()).filter((name) => added.includes(name))).toEqual([]);
  });
});

describe('databases of runs that were killed', () => {
  const left = () => `latchkey_kit_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

  test('are deleted; databases of live runs and of other owners stay', async () => {
    const [killed, unfinished, foreign] = [left(), left().replace('kit_', 'kit_unfinished_'), left()];
    for (const name of [killed, unfinished]) await admin.unsafe(`create database ${name} owner ${role}`);
    // A concurrent test could delete a database of the role `postgres`.
    const owner = `owner_${foreign}`;
    await admin.unsafe(`create role ${owner}`);
    await admin.unsafe(`create database ${foreign} owner ${owner}`);
    const { url } = await create();
    await create({ server: otherUrl(), setup: schema });
    const names = await databases();
    expect(names).toContain(new URL(url).pathname.slice(1));
    expect(names).not.toContain(killed);
    expect(names).not.toContain(unfinished);
    expect(await admin`select from pg_database where datname = ${foreign}`).toHaveLength(1);
    await admin.unsafe(`drop database ${foreign}`);
    await admin.unsafe(`drop role ${owner}`);
  });

  test('of other roles stay, even if the run has the role of a superuser', async () => {
    const name = left();
    await admin.unsafe(`create database ${name} owner ${role}`);
    await create({ server: `${inject('postgresUrl')}?application_name=${crypto.randomUUID()}` });
    expect(await databases()).toContain(name);
  });

  test('stay while a client is connected', async () => {
    const name = left();
    await admin.unsafe(`create database ${name} owner ${role}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const sql = postgres(url.href, { max: 1 });
    await sql`select 1`;
    await create({ server: otherUrl(), setup: schema });
    expect(await databases()).toContain(name);
    await sql.end();
  });
});

describe('createTestDatabase rejects', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown option', { setUp: '' }, /unknown option setUp, expected setup, version, server/],
    ['a function without a version', { setup: () => {} }, /^version: expected a text that changes/],
    ['a function with an empty version', { setup: () => {}, version: '' }, /^version: expected/],
    ['a number as the version', { setup: '', version: 1 }, /^version: expected/],
    ['a list as setup', { setup: [] }, /^setup: expected SQL or a function/],
    ['a URL of another database system', { server: 'mysql://localhost/test' }, /^server: expected the URL/],
    ['several hosts', { server: 'postgresql://a:1,b:2/test' }, /^server: expected the URL/],
  ])('%s', async (_, options, message) => {
    const attempt = createTestDatabase(options as never);
    await expect(attempt).rejects.toThrow(TypeError);
    await expect(attempt).rejects.toThrow(message);
  });

  test('DATABASE_URL in production', async () => {
    vi.stubEnv('TEST_DATABASE_URL', '');
    vi.stubEnv('DATABASE_URL', server);
    vi.stubEnv('NODE_ENV', 'production');
    await expect(createTestDatabase()).rejects.toThrow(/DATABASE_URL is not used\. Set TEST_DATABASE_URL/);
    vi.stubEnv('NODE_ENV', 'test');
    opened.push(await createTestDatabase());
    expect(opened[0]?.url).toContain(role);
  });

  test('a server that does not run, and a wrong password, without showing the password', async () => {
    const stopped = createTestDatabase({ server: 'postgresql://ada:hidden@127.0.0.1:1/test' });
    await expect(stopped).rejects.toThrow(/cannot connect to the server of server \(ECONNREFUSED\)/);
    vi.stubEnv('TEST_DATABASE_URL', server.replace(':kit@', ':hidden@'));
    const wrong = await createTestDatabase().catch((error: Error) => error);
    expect(`${wrong}`).toMatch(/cannot connect to the server of TEST_DATABASE_URL \(28P01\)/);
    expect(`${wrong}`).not.toContain('hidden');
  });

  test('a role that cannot create databases, and says how to change it', async () => {
    await admin.unsafe(`alter role ${role} nocreatedb`);
    const attempt = createTestDatabase({ server, setup: `-- ${crypto.randomUUID()}` });
    await expect(attempt).rejects.toThrow(/cannot create databases.*alter role <role> createdb/);
    await admin.unsafe(`alter role ${role} createdb`);
  });
});
