import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { migrate, migrations } from '../../src/db/migrate.ts';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createDatabaseWithRoles, type DatabaseWithRoles } from './support/roles.ts';
import { sqlInSources } from './support/sql-in-sources.ts';

let own: DatabaseWithRoles;
beforeAll(async () => {
  own = await createDatabaseWithRoles();
});
afterAll(() => own.drop());
afterEach(() => own.database.sql`delete from latchkey.users`);

const id = '00000000-0000-7000-8000-000000000001';
const insert = `
  insert into latchkey.users (id, username, user_handle, created_at) values ('${id}', 'ada', 'handle', now())`;
const ids = async (sql = own.database.sql) =>
  (await sql<{ id: string }[]>`select id from latchkey.user_ids`).map((row) => row.id);

test('the migration inserts the ids of all users who are not deleted', async () => {
  const database = await createTestDatabase({ empty: true });
  const db = fromPostgresClient(database.sql);
  await migrate(
    db,
    migrations.filter(({ version }) => version < 23),
  );
  await database.sql.unsafe(`${insert};
    insert into latchkey.users (id, username, user_handle, created_at, deleted_at, status)
    values (gen_random_uuid(), 'deleted', 'other', now(), now(), 'disabled')`);
  await migrate(db);
  expect(await ids(database.sql)).toEqual([id]);
  await database.drop();
});

test('arbitrary statements of the service’s role keep the ids complete, without rights on the table', async () => {
  await own.attacker.unsafe(insert);
  expect(await ids()).toEqual([id]);
  await own.attacker`update latchkey.users set deleted_at = now(), status = 'disabled' where id = ${id}`;
  expect(await ids()).toEqual([]);
});

test('deleting the row of a user deletes the id', async () => {
  await own.attacker.unsafe(insert);
  await own.database.sql`delete from latchkey.users`;
  expect(await ids()).toEqual([]);
});

test('the service’s role can neither read nor change the ids directly', async () => {
  await own.attacker.unsafe(insert);
  for (const statement of [
    'select from latchkey.user_ids',
    'delete from latchkey.user_ids',
    `insert into latchkey.user_ids values (gen_random_uuid())`,
    'truncate latchkey.user_ids',
  ])
    await expect(own.attacker.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' });
  expect(await ids()).toEqual([id]);
});

test('the service’s role cannot use the functions as triggers of its own table', async () => {
  await own.attacker.unsafe(insert);
  await own.attacker.unsafe('create temporary table own (id uuid, deleted_at timestamptz)');
  for (const name of ['insert_user_id', 'delete_user_id'])
    await expect(
      own.attacker.unsafe(
        `create trigger own before insert or delete on own for each row execute function latchkey.${name}()`,
      ),
      name,
    ).rejects.toMatchObject({ code: '42501' });
});

test('SQL operators of another schema do not run with the rights of the owner', async () => {
  await own.attacker.unsafe(insert);
  await own.database.sql.unsafe(`create schema own authorization ${own.service}`);
  await own.attacker.unsafe(`
    grant usage on schema own to public;
    create function own.same(uuid, uuid) returns boolean language sql as 'select true';
    create operator own.= (leftarg = uuid, rightarg = uuid, function = own.same);
    insert into latchkey.users (id, username, user_handle, created_at)
    values (gen_random_uuid(), 'ben', 'other', now());
    set search_path = own, pg_catalog;
    update latchkey.users set deleted_at = now(), status = 'disabled' where username operator(pg_catalog.=) 'ben';
    reset search_path;`);
  expect(await ids()).toEqual([id]);
  await own.database.sql.unsafe(`drop schema own cascade`);
});

test('the service’s role can create tables that reference the ids and the organizations', async () => {
  await own.database.sql.unsafe(`create schema app authorization ${own.service}`);
  await own.attacker.unsafe(`
    create table app.notes (owner_id uuid references latchkey.user_ids (id) on delete cascade);
    create table app.reports (organization_id uuid references latchkey.organizations (id) on delete cascade);`);
  await own.attacker.unsafe(`${insert}; insert into app.notes values ('${id}')`);
  await own.attacker`update latchkey.users set deleted_at = now(), status = 'disabled' where id = ${id}`;
  expect(await own.attacker`select from app.notes`).toHaveLength(0);
  await own.database.sql.unsafe('drop schema app cascade');
});

test('no statement inserts a user with `on conflict`, because the id would stay', () => {
  const statements: Record<string, string> = {};
  for (const { file, line, text } of sqlInSources())
    statements[`${file}:${line}`] = `${statements[`${file}:${line}`] ?? ''} ${text}`;
  const texts = Object.values(statements);
  const inserts = texts.filter((text) => /insert into latchkey\.users\b/.test(text));
  expect(inserts.length).toBeGreaterThan(0);
  expect(inserts.filter((text) => /on conflict/.test(text))).toEqual([]);
});
