import { expect, test } from 'vitest';
import { registerAtOldSystem } from '../migrating/support/old-passkeys.ts';
import { logIn, newAuthenticator } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { readGuide } from './support/guide.ts';
import { followGuide } from './support/migration-guide.ts';

const guide = readGuide('docs/guides/migrate-from-simplewebauthn.md');

test('a user in the tables of the guide signs in with the passkey after the steps of the guide', async () => {
  const authenticator = newAuthenticator();
  const { id, publicKey, userHandle, counter, deviceType, transports } =
    await registerAtOldSystem(authenticator);
  const passkey = `'${id}', '\\x${publicKey.toString('hex')}', 1, '${userHandle}', ${counter}`;
  const database = await followGuide({
    guide,
    system: 'simplewebauthn',
    tables: `${guide.block('create table passkeys')}
      insert into users (id, username) values (1, 'ada');
      insert into passkeys values (${passkey}, '${deviceType}', false, '${transports}')`,
    files: { 'simplewebauthn.mjs': 'writeUsers' },
  });
  const service = await startServiceOn(database.url);
  expect((await logIn(service.browser(), authenticator)).body.user.username).toBe('ada');
  await service.close();
});
