// Writes the users of Better Auth, with password hashes and passkeys, as NDJSON for `latchkey users import`:
// OLD_DATABASE_URL=postgres://… node better-auth.mjs > users.ndjson
import { listOf, nameOf, timeOf, writeUsers } from './write-users.mjs';

await writeUsers(
  async (sql) => {
    // The plugin `passkey` creates this table.
    const [{ exists }] = await sql`select to_regclass('passkey') is not null as exists`;
    const passkeys = `
      select jsonb_agg(to_jsonb(passkey) order by passkey.id) from passkey where passkey."userId" = "user".id`;
    return `
      select to_jsonb("user") as "user",
        (
          select max(account.password) from account
          where account."userId" = "user".id and account."providerId" = 'credential'
        ) as hash,
        ${exists ? `(${passkeys})` : 'null'} as passkeys
      from "user" order by "user".id`;
  },
  ({ user, hash, passkeys }) => ({
    sourceId: `${user.id}`,
    // With the plugin `username`: user.username, and without `usernames` in latchkey.config.ts.
    username: user.email,
    displayName: nameOf(user.name),
    // These columns exist only with the plugin `admin`. A ban that has expired no longer counts.
    role: listOf(user.role).includes('admin') ? 'admin' : 'user',
    status: user.banned && !(Date.parse(timeOf(user.banExpires)) < Date.now()) ? 'disabled' : 'active',
    createdAt: timeOf(user.createdAt),
    ...(hash && { password: { hash } }),
    passkeys: (passkeys ?? []).map((passkey) => ({
      credentialId: passkey.credentialID,
      publicKey: Buffer.from(passkey.publicKey, 'base64').toString('base64url'),
      counter: passkey.counter,
      transports: listOf(passkey.transports),
      aaguid: passkey.aaguid ?? undefined,
      backupEligible: passkey.deviceType === 'multiDevice',
      backedUp: passkey.backedUp,
      label: nameOf(passkey.name),
      createdAt: timeOf(passkey.createdAt),
    })),
  }),
);
