import { expect, test } from 'vitest';
import { readGuide } from './support/guide.ts';
import { countWaiting, followGuide } from './support/migration-guide.ts';

const guide = readGuide('docs/guides/migrate-from-better-auth.md');
const hash = `${'ab'.repeat(16)}:${'cd'.repeat(64)}`;

test('the steps of the guide import the users of Better Auth, and point foreign keys to the new ids', async () => {
  const database = await followGuide({
    guide,
    system: 'better-auth',
    tables: `
      create table "user" (
        id text primary key, name text not null, email text not null unique, "emailVerified" boolean not null,
        "createdAt" timestamptz not null default now()
      );
      create table account ("userId" text not null, "providerId" text not null, password text);
      insert into "user" (id, name, email, "emailVerified") values
        ('1', 'Ada', 'ada@example.com', true), ('2', 'Ben', 'ben@example.com', true);
      insert into account values ('1', 'credential', '${hash}')`,
    files: {
      'better-auth-password.ts': 'Verifies the password hashes',
      'latchkey.config.ts': 'defineConfig',
      'better-auth.mjs': 'writeUsers',
    },
  });
  expect(await database.sql`select username from latchkey.users order by 1`).toEqual([
    { username: 'ada@example.com' },
    { username: 'ben@example.com' },
  ]);
  expect(await countWaiting(guide, database)).toBe(1);
});
