import { expect, test } from 'vitest';
import { addPasskey, logIn, newAuthenticator } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createNewDatabase, createOldDatabase, importLines, runScript } from './support/move.ts';
import { registerAtOldSystem } from './support/old-passkeys.ts';

/** The tables in docs/guides/migrate-from-simplewebauthn.md. */
const tables = `
  create table users (
    id integer primary key,
    username text not null unique,
    created_at timestamp not null default '2024-01-02 03:04:05'
  );
  create table passkeys (
    id text primary key,
    public_key bytea not null,
    user_id integer not null references users (id),
    webauthn_user_id text not null,
    counter bigint not null,
    device_type varchar(32) not null,
    backed_up boolean not null,
    transports varchar(255),
    unique (webauthn_user_id, user_id)
  );`;

test('users of SimpleWebAuthn sign in with their passkeys, even if each has a different user handle', async () => {
  const old = await createOldDatabase(tables);
  const { sql } = old;
  await sql`insert into users (id, username) values (1, 'ada'), (2, 'ben'), (3, 'eve')`;
  const phone = newAuthenticator();
  const key = newAuthenticator({ backupEligible: false, counter: 7, transports: ['usb'] });
  const bens = newAuthenticator();
  const registered = [
    [1, await registerAtOldSystem(phone)],
    [1, await registerAtOldSystem(key)],
    [2, await registerAtOldSystem(bens)],
  ] as const;
  for (const [userId, passkey] of registered)
    await sql`insert into passkeys values (${passkey.id}, ${passkey.publicKey}, ${userId}, ${passkey.userHandle},
      ${passkey.counter}, ${passkey.deviceType}, ${passkey.backedUp}, ${passkey.transports})`;

  const { text, records } = await runScript('simplewebauthn.mjs', old);
  expect(records.map(({ username, passkeys }) => [username, passkeys.length])).toEqual([
    ['ada', 2],
    ['ben', 1],
    ['eve', 0],
  ]);
  const database = await createNewDatabase();
  expect(await importLines(text, database, { source: 'simplewebauthn' })).toMatchObject({ exitCode: 0 });

  const service = await startServiceOn(database.url);
  for (const [authenticator, username] of [
    [phone, 'ada'],
    [key, 'ada'],
    [key, 'ada'],
    [bens, 'ben'],
  ] as const)
    expect(await logIn(service.browser(), authenticator)).toMatchObject({
      status: 200,
      body: { user: { username, createdAt: '2024-01-02T03:04:05.000Z' } },
    });
  // A passkey that is added later also works.
  const browser = service.browser();
  await logIn(browser, bens);
  const added = newAuthenticator();
  expect((await addPasskey(browser, added)).status).toBe(201);
  expect((await logIn(service.browser(), added)).status).toBe(200);
  expect((await logIn(service.browser(), phone.clone())).status).toBe(200);
  await service.close();
});

test('the script of the guide stops with a message if OLD_DATABASE_URL is missing', async () => {
  await expect(runScript('simplewebauthn.mjs', { url: '' })).rejects.toThrow(
    'Set OLD_DATABASE_URL to the URL of the database with the users.',
  );
});
