// Writes users and their passkeys from the tables that SimpleWebAuthn suggests as NDJSON for `latchkey users import`:
// OLD_DATABASE_URL=postgres://… node simplewebauthn.mjs > users.ndjson
import { listOf, nameOf, timeOf, writeUsers } from './write-users.mjs';

await writeUsers(
  () => `
    select to_jsonb(users) as "user",
      (
        select jsonb_agg(to_jsonb(passkeys) order by passkeys.id) from passkeys
        where passkeys.user_id = users.id
      ) as passkeys
    from users order by users.id`,
  ({ user, passkeys }) => {
    const userHandles = new Set((passkeys ?? []).map((passkey) => passkey.webauthn_user_id));
    return {
      sourceId: `${user.id}`,
      username: user.username,
      displayName: nameOf(user.name),
      createdAt: timeOf(user.created_at),
      // If all passkeys have the same user handle, new passkeys get it, too. So a device replaces its earlier passkey.
      userHandle: userHandles.size === 1 ? [...userHandles][0] : undefined,
      passkeys: (passkeys ?? []).map((passkey) => ({
        credentialId: passkey.id,
        publicKey: Buffer.from(passkey.public_key.slice(2), 'hex').toString('base64url'),
        counter: Number(passkey.counter),
        transports: listOf(passkey.transports),
        backupEligible: passkey.device_type === 'multiDevice',
        backedUp: passkey.backed_up,
        userHandle: passkey.webauthn_user_id,
        createdAt: timeOf(passkey.created_at),
        lastUsedAt: timeOf(passkey.last_used_at),
      })),
    };
  },
);
