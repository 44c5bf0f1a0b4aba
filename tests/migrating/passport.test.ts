import { pbkdf2Sync, randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';
import { expect, test } from 'vitest';
import { password as passwordOption } from '../../examples/migrate/passport-password.ts';
import { logInByPassword } from '../features/support/passwords.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createNewDatabase, createOldDatabase, importLines, runScript } from './support/move.ts';

const storedHashes = async (sql: import('postgres').Sql) => {
  const rows = await sql<
    { hash: string }[]
  >`select password_hash as hash from latchkey.users order by username`;
  return rows.map(({ hash }) => hash);
};

test('users of passport-local with bcrypt sign in with their passwords', async () => {
  const old = await createOldDatabase(`
    create table users (
      id integer primary key,
      username text not null unique,
      password text,
      name text,
      role text,
      created_at timestamptz not null default '2024-01-02T03:04:05Z'
    )`);
  const hash = await bcrypt.hash('correct horse', 4);
  await old.sql`
    insert into users (id, username, password, name, role)
    values (1, 'ada', ${hash}, ${' Ada\u0007 L. '}, 'admin'), (2, 'ben', ${hash.replace('$2b$', '$2a$')}, null, null),
      (3, 'by-google', null, null, 'user')`;
  const { text } = await runScript('passport.mjs', old);
  const database = await createNewDatabase();
  expect(await importLines(text, database, { source: 'passport' })).toMatchObject({ exitCode: 0 });

  const service = await startServiceOn(database.url, { bcryptCost: 4 });
  for (const username of ['ada', 'ben']) {
    expect((await logInByPassword(service.browser(), { username }, 'correct Horse')).status).toBe(401);
    expect((await logInByPassword(service.browser(), { username }, 'correct horse')).status).toBe(200);
    expect((await logInByPassword(service.browser(), { username }, 'correct horse')).status).toBe(200);
  }
  const { user } = await service.auth.asOperator('ops').users.get('ada');
  expect(user).toMatchObject({ displayName: 'Ada L.', role: 'admin', createdAt: '2024-01-02T03:04:05.000Z' });
  expect((await storedHashes(database.sql)).map((stored) => stored?.slice(0, 11))).toEqual([
    '$latchkey1$',
    '$latchkey1$',
    undefined,
  ]);
  await service.close();
});

test('users of Passport’s example, with PBKDF2 hashes, sign in with their passwords', async () => {
  // The schema of https://github.com/passport/todos-express-password, with `bytea` for `BLOB`.
  const old = await createOldDatabase(
    'create table users (id integer primary key, username text unique, hashed_password bytea, salt bytea)',
  );
  const passwords = { alice: 'open sesame', zoe: 'ﬁne pass phrase' };
  for (const [place, [username, password]] of Object.entries(passwords).entries()) {
    const salt = randomBytes(16);
    const key = pbkdf2Sync(password, salt, 310000, 32, 'sha256');
    await old.sql`insert into users values (${place}, ${username}, ${key}, ${salt})`;
  }
  const { text } = await runScript('passport.mjs', old);
  const database = await createNewDatabase();
  const imported = await importLines(text, database, { source: 'passport', config: 'passport.config.ts' });
  expect(imported).toMatchObject({ exitCode: 0 });

  const service = await startServiceOn(database.url, { bcryptCost: 4, password: passwordOption });
  for (const [username, password] of Object.entries(passwords)) {
    expect((await logInByPassword(service.browser(), { username }, `${password}!`)).status).toBe(401);
    expect((await logInByPassword(service.browser(), { username }, password)).status).toBe(200);
  }
  await service.close();
  // After the first sign-in, the function is no longer needed.
  const without = await startServiceOn(database.url, { bcryptCost: 4 });
  for (const [username, password] of Object.entries(passwords))
    expect((await logInByPassword(without.browser(), { username }, password)).status).toBe(200);
  await without.close();
});

test('without `password.verify`, an import refuses PBKDF2 hashes, and imports them later', async () => {
  const old = await createOldDatabase(
    'create table users (id integer primary key, username text unique, hashed_password bytea, salt bytea)',
  );
  const salt = randomBytes(16);
  await old.sql`
    insert into users values (1, 'alice', ${pbkdf2Sync('open sesame', salt, 310000, 32, 'sha256')}, ${salt})`;
  const { text } = await runScript('passport.mjs', old);
  const database = await createNewDatabase();
  const refused = await importLines(text, database, { source: 'passport' });
  expect(refused.exitCode).not.toBe(0);
  const imported = await importLines(text, database, { source: 'passport', config: 'passport.config.ts' });
  expect(imported.exitCode).toBe(0);
});
