import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthService } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { secret } from '../support/test-service.ts';
import { giveBack } from './support/former-database.ts';
import { Playground, query } from './support/project.ts';

const playground = new Playground();
let directory: string;
beforeAll(async () => {
  directory = join(await playground.folder(), '.latchkey');
});
afterEach(() => playground.stopAll());
afterAll(() => playground.clean());

const ownersOf = (url: string) =>
  query(
    url,
    `select schemaname as schema, tablename as name, tableowner as owner from pg_tables
     where tablename in ('users', 'notes') and schemaname in ('public', 'latchkey') order by 1, 2`,
  );
const roleIn = (url: string) => new URL(url).username;

describe('the roles of an embedded PostgreSQL', () => {
  it('are a superuser, an owner and a service role with different passwords, none named latchkey', async () => {
    const { url, ownerUrl, superuserUrl } = await playground.start({ directory });
    const urls = [superuserUrl, ownerUrl, url];
    expect(urls.map(roleIn)).toEqual(['postgres', 'latchkey_owner', 'latchkey_service']);
    expect(new Set(urls.map((each) => new URL(each).password)).size).toBe(3);
    const roles = await query(
      url,
      "select rolname as name, rolsuper as super from pg_roles where rolname !~ '^pg_' order by 1",
    );
    expect(roles).toEqual([
      { name: 'latchkey_owner', super: false },
      { name: 'latchkey_service', super: false },
      { name: 'postgres', super: true },
    ]);
  });

  it('keep the tables of the application apart: `create table users` creates public.users', async () => {
    const { url, ownerUrl } = await playground.start({ directory });
    const service = await startServiceOn(url, { migrationDatabase: ownerUrl, migrate: true });
    await query(
      url,
      "create table if not exists users (email text); insert into users values ('ann@example.com')",
    );
    await signUp(service);
    await service.close();
    expect(service.logged.filter(({ level }) => level !== 'info')).toEqual([]);
    expect(await query(url, 'select email from users')).toEqual([{ email: 'ann@example.com' }]);
    expect(await ownersOf(url)).toEqual([
      { schema: 'latchkey', name: 'users', owner: 'latchkey_owner' },
      { schema: 'public', name: 'users', owner: 'latchkey_service' },
    ]);
  });

  it('let the application create schemas, but not change the schema of the service', async () => {
    const { url } = await playground.start({ directory });
    await query(url, 'create schema shop; create table shop.orders (id integer); drop schema shop cascade');
    for (const attempt of [
      'create table latchkey.notes (note text)',
      'drop table latchkey.audit_events',
      'delete from latchkey.audit_events',
      'truncate latchkey.audit_events',
    ])
      await expect(query(url, attempt), attempt).rejects.toMatchObject({ code: '42501' });
  });

  it('do not let the service create and own its schema without `migrationDatabase`', async () => {
    const { url } = await playground.start({ directory: join(await playground.folder(), '.latchkey') });
    const starting = createAuthService({ database: url, migrate: true, secret, env: {} });
    await expect(starting).rejects.toMatchObject({ name: 'SchemaError', code: 'schema_not_owned' });
    expect(await query(url, "select tablename from pg_tables where schemaname = 'latchkey'")).toEqual([]);
  });
});

describe('a database of an earlier version, in which the superuser latchkey owned everything', () => {
  it('gets the current roles at the next start, and keeps users and tables of the application', async () => {
    const folder = join(await playground.folder(), '.latchkey');
    const first = await playground.start({ directory: folder });
    const former = await giveBack(first);
    await query(former, readFileSync(new URL('../db/dumps/0009.sql', import.meta.url), 'utf8'));
    await query(
      former,
      `create table notes (id serial primary key, note text);
       insert into notes (note) values ('kept');
       create view loud as select upper(note) as note from notes;
       create schema shop;
       create type shop.size as enum ('small', 'large');
       create table shop.orders (id bigint generated always as identity, size shop.size);
       create function shop.double(n integer) returns integer language sql as 'select 2 * n'`,
    );
    expect(await ownersOf(former)).toMatchObject([
      { schema: 'latchkey', name: 'notes', owner: 'latchkey' },
      {},
    ]);
    await first.stop();

    const second = await playground.start({ directory: folder });
    const { url, ownerUrl } = second;
    expect(await ownersOf(url)).toEqual([
      { schema: 'latchkey', name: 'users', owner: 'latchkey_owner' },
      { schema: 'public', name: 'notes', owner: 'latchkey_service' },
    ]);
    // The application can use and change its tables.
    await query(
      url,
      `insert into notes (note) values ('new');
       alter table notes add column at date;
       insert into shop.orders (size) select 'small' where shop.double(1) = 2;
       alter type shop.size add value 'huge';
       drop function shop.double`,
    );
    expect(await query(url, 'select note from loud order by note')).toEqual([
      { note: 'KEPT' },
      { note: 'NEW' },
    ]);
    const service = await startServiceOn(url, { migrationDatabase: ownerUrl, migrate: true });
    expect(await service.auth.users.checkAvailability('ben')).toMatchObject({ available: false });
    await signUp(service);
    await service.close();
    await expect(query(url, 'delete from latchkey.audit_events')).rejects.toMatchObject({ code: '42501' });
    const roles = await query(url, "select rolname as name from pg_roles where rolname !~ '^pg_' order by 1");
    expect(roles.map(({ name }) => name)).toEqual(['latchkey_owner', 'latchkey_service', 'postgres']);
    await second.stop();

    const third = await playground.start({ directory: folder });
    expect(third.url).toBe(url);
    expect(await query(third.url, 'select count(*)::integer as notes from notes')).toEqual([{ notes: 2 }]);
  });

  it('can get the current roles while it is running', async () => {
    const folder = join(await playground.folder(), '.latchkey');
    const first = await playground.start({ directory: folder });
    await giveBack(first);
    const second = await playground.start({ directory: folder });
    expect(second.adopted).toBe(true);
    expect(await query(second.url, 'select current_user as role')).toEqual([{ role: 'latchkey_service' }]);
  });
});
