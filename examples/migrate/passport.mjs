// Writes the users of an application with passport-local as NDJSON for `latchkey users import`:
// OLD_DATABASE_URL=postgres://… node passport.mjs > users.ndjson
import { nameOf, timeOf, writeUsers } from './write-users.mjs';

await writeUsers(
  () => 'select to_jsonb(users) as "user" from users order by users.id',
  ({ user }) => ({
    sourceId: `${user.id}`,
    username: user.username,
    displayName: nameOf(user.name),
    role: user.role === 'admin' ? 'admin' : 'user',
    createdAt: timeOf(user.created_at),
    ...(hashOf(user) && { password: { hash: hashOf(user) } }),
  }),
);

/** Returns a bcrypt hash unchanged, or `hashed_password` and `salt` (`bytea`) as one text for passport-password.ts. */
function hashOf({ password, hashed_password: key, salt }) {
  if (password) return password;
  return key && salt ? `pbkdf2-sha256$310000$${base64url(salt)}$${base64url(key)}` : undefined;
}

/** PostgreSQL writes `bytea` in JSON as `\x` and hexadecimal digits. */
function base64url(bytea) {
  return Buffer.from(bytea.slice(2), 'hex').toString('base64url');
}
