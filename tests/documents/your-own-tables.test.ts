import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuthServiceOptions, sql } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signUp, userIdOf } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { statementsOf } from './support/page.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/your-own-tables.md');
const owner = `app_owner_${crypto.randomUUID().replaceAll('-', '')}`;
let service: TestService;
let asOwner: postgres.Sql;
beforeAll(async () => {
  service = await startTestService();
  const { sql: admin, url } = service.database;
  await admin.unsafe(`create role ${owner} login password 'owner'; grant create on schema public to ${owner};
    ${guide.block('grant references').replaceAll('app_owner', owner)}`);
  const ownerUrl = new URL(url);
  [ownerUrl.username, ownerUrl.password] = [owner, 'owner'];
  asOwner = postgres(ownerUrl.href, { max: 1, onnotice: () => {} });
  await asOwner.unsafe(`${guide.block('create table notes')} ${guide.block('create table reports')}
    create table profiles (user_id uuid primary key references latchkey.user_ids (id) on delete cascade);`);
});
afterAll(async () => {
  await asOwner.end();
  await service.database.sql.unsafe(`drop owned by ${owner}; drop role ${owner};`);
  await service.close();
});

const count = async (table: string) =>
  Number((await service.database.sql.unsafe(`select count(*)::int as rows from public.${table}`))[0]?.rows);

test('the rows of the tables in the guide are deleted with the user and with the organization', async () => {
  const ada = await signUp(service, { username: 'ada' });
  const { organizations, users } = service.auth.asOperator('ops');
  const { id } = await organizations.create({ name: 'Engines', slug: 'engines', admin: 'ada' });
  await asOwner`insert into notes (owner_id, text) values (${userIdOf(ada)}, 'Note G')`;
  await asOwner`insert into reports (organization_id, text) values (${id}, 'Report')`;
  await organizations.delete('engines');
  expect([await count('notes'), await count('reports')]).toEqual([1, 0]);
  await users.delete('ada');
  expect(await count('notes')).toBe(0);
});

test('the code of the guide creates the tables in a file as the role that it connects with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tables-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tables.sql');
  const statements = 'create table if not exists drafts (id uuid references latchkey.user_ids (id));';
  writeFileSync(file, statements.repeat(2));
  const code = statementsOf(guide.block("db.file('tables.sql')")).replace('tables.sql', file);
  const db = (await runStatements(`${code}\nreturn db;`, {
    postgres,
    url: service.database.url,
  })) as postgres.Sql;
  expect(await db`select from drafts`).toHaveLength(0);
  await db.end();
});

test('`signUp.after` in the guide stores a row with the account', async () => {
  await service.database.sql.unsafe('grant insert on profiles to public');
  const code = `return { ${guide.block('signUp: {')} };`;
  const options = (await runStatements(code, { sql })) as AuthServiceOptions;
  const other = await startServiceOn(service.database.url, options);
  await signUp(other, { username: 'ben' });
  expect(await count('profiles')).toBe(1);
  await other.close();
});

test('the migration in the guide deletes rows of deleted users, and changes the foreign key', async () => {
  const ada = await signUp(service, { username: 'carol' });
  const ben = await signUp(service, { username: 'dan' });
  await service.database.sql.unsafe(`
    alter table notes drop constraint notes_owner_id_fkey,
      add constraint notes_owner_id_fkey foreign key (owner_id) references latchkey.users (id) on delete cascade`);
  for (const { signedUp } of [ada, ben])
    await asOwner`insert into notes (owner_id, text) values (${signedUp.body.user.id}, 'Note')`;
  const { users } = service.auth.asOperator('ops');
  await users.delete('carol');
  expect(await count('notes')).toBe(2);
  const grant = guide.block('grant select').replaceAll('app_owner', owner);
  await service.database.sql.unsafe(grant);
  await asOwner.unsafe(guide.block('drop constraint notes_owner_id_fkey'));
  expect(await count('notes')).toBe(1);
  await users.delete('dan');
  expect(await count('notes')).toBe(0);
});
