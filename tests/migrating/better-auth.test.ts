import { randomBytes, scryptSync } from 'node:crypto';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import { describe, expect, test } from 'vitest';
import { password as passwordOption } from '../../examples/migrate/better-auth-password.ts';
import { logInByPassword } from '../features/support/passwords.ts';
import { logIn, newAuthenticator } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { findBetterAuth, useBetterAuth } from './support/better-auth.ts';
import { createNewDatabase, createOldDatabase, importLines, runScript } from './support/move.ts';
import { registerAtOldSystem } from './support/old-passkeys.ts';

const email = 'ada@example.com';
const password = 'ﬁne pass phrase';

/** Moves a user with a password and a passkey to the service, and signs the user in with both. */
async function moveAndSignIn(old: TestDatabase, authenticator: SoftwareAuthenticator): Promise<TestDatabase> {
  const { text } = await runScript('better-auth.mjs', old);
  const database = await createNewDatabase();
  const imported = await importLines(text, database, {
    source: 'better-auth',
    config: 'better-auth.config.ts',
  });
  expect(imported).toMatchObject({ exitCode: 0 });

  const options = { bcryptCost: 4, usernames: { format: 'email' } } as const;
  const service = await startServiceOn(database.url, { ...options, password: passwordOption });
  const byPassword = (given: string) => logInByPassword(service.browser(), { username: email }, given);
  expect((await byPassword(`${password}!`)).status).toBe(401);
  expect((await byPassword(password)).status).toBe(200);
  expect(await logIn(service.browser(), authenticator)).toMatchObject({
    status: 200,
    body: { user: { username: email, displayName: 'Ada' } },
  });
  expect(await logIn(service.browser(), authenticator, { username: email })).toMatchObject({ status: 200 });
  await service.close();
  // After the first sign-in, the function is no longer needed.
  const without = await startServiceOn(database.url, options);
  expect((await logInByPassword(without.browser(), { username: email }, password)).status).toBe(200);
  await without.close();
  return database;
}

describe.skipIf(!findBetterAuth())('with the installed Better Auth', () => {
  test('a user of Better Auth signs in to Latchkey with the password and with the passkey', async () => {
    const old = await createOldDatabase();
    const authenticator = newAuthenticator();
    await useBetterAuth(old.url, { email, password, name: 'Ada', authenticator });
    await moveAndSignIn(old, authenticator);
  });
});

/** The tables of Better Auth 1.7 with the plugins passkey and admin, without columns that the script does not read. */
const tables = `
  create table "user" (
    id text primary key, name text not null, email text not null unique, "emailVerified" boolean not null,
    "createdAt" timestamptz not null default '2024-01-02T03:04:05Z', role text, banned boolean, "banExpires" timestamptz
  );
  create table account (
    id text primary key, "accountId" text not null, "providerId" text not null,
    "userId" text not null references "user" (id), password text
  );
  create table passkey (
    id text primary key, name text, "publicKey" text not null, "userId" text not null references "user" (id),
    "credentialID" text not null, counter integer not null, "deviceType" text not null, "backedUp" boolean not null,
    transports text, "createdAt" timestamptz, aaguid text
  );`;

const hashed = (text: string) => {
  const salt = randomBytes(16).toString('hex');
  const options = { N: 16384, r: 16, p: 1, maxmem: 2 ** 26 };
  return `${salt}:${scryptSync(text.normalize('NFKC'), salt, 64, options).toString('hex')}`;
};

test('users of the published schema sign in, admins stay admins, and banned users are disabled', async () => {
  const old = await createOldDatabase(tables);
  const { sql } = old;
  const authenticator = newAuthenticator();
  const passkey = await registerAtOldSystem(authenticator, new TextEncoder().encode('a'.repeat(32)));
  await sql`
    insert into "user" (id, name, email, "emailVerified", role, banned) values
      ('1', 'Ada', ${email}, true, 'user,admin', false), ('2', 'Ben', 'ben@example.com', true, null, true),
      ('3', '', 'by-google@example.com', true, null, null)`;
  await sql`
    insert into account values ('a', '1', 'credential', '1', ${hashed(password)}), ('b', 'x', 'google', '3', null),
      ('c', '2', 'credential', '2', ${hashed(password)})`;
  await sql`
    insert into passkey values ('p', 'My phone', ${passkey.publicKey.toString('base64')}, '1', ${passkey.id},
      ${passkey.counter}, ${passkey.deviceType}, ${passkey.backedUp}, ${passkey.transports}, now(), ${passkey.aaguid})`;
  const database = await moveAndSignIn(old, authenticator);
  const users = await database.sql`
    select username, display_name, role, status, created_at, password_hash is not null as has_password
    from latchkey.users order by username`;
  const createdAt = new Date('2024-01-02T03:04:05Z');
  expect([...users]).toEqual([
    {
      username: email,
      display_name: 'Ada',
      role: 'admin',
      status: 'active',
      created_at: createdAt,
      has_password: true,
    },
    {
      username: 'ben@example.com',
      display_name: 'Ben',
      role: 'user',
      status: 'disabled',
      created_at: createdAt,
      has_password: true,
    },
    {
      username: 'by-google@example.com',
      display_name: null,
      role: 'user',
      status: 'active',
      created_at: createdAt,
      has_password: false,
    },
  ]);
  const [label] = await database.sql`select label from latchkey.passkeys`;
  expect(label).toEqual({ label: 'My phone' });
});

test('a user whose ban has expired is active, and other banned users are disabled', async () => {
  const old = await createOldDatabase(tables);
  await old.sql`
    insert into "user" (id, name, email, "emailVerified", banned, "banExpires") values
      ('1', 'Ada', 'a@example.com', true, true, now() - interval '1 day'),
      ('2', 'Ben', 'b@example.com', true, true, now() + interval '1 day'),
      ('3', 'Cy', 'c@example.com', true, true, null)`;
  const { records } = await runScript('better-auth.mjs', old);
  expect(records.map(({ status }: { status?: string }) => status)).toEqual([
    'active',
    'disabled',
    'disabled',
  ]);
});

test('without the plugin passkey, the script writes users without passkeys', async () => {
  const old = await createOldDatabase(tables);
  await old.sql.unsafe(`drop table passkey;
    insert into "user" (id, name, email, "emailVerified") values ('1', 'Ada', '${email}', false)`);
  const { records } = await runScript('better-auth.mjs', old);
  expect(records).toEqual([
    {
      sourceId: '1',
      username: email,
      displayName: 'Ada',
      role: 'user',
      status: 'active',
      createdAt: '2024-01-02T03:04:05.000Z',
      passkeys: [],
    },
  ]);
});
