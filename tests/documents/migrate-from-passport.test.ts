import { expect, test } from 'vitest';
import { readGuide } from './support/guide.ts';
import { countWaiting, followGuide } from './support/migration-guide.ts';

const guide = readGuide('docs/guides/migrate-from-passport.md');

test('the steps of the guide import the users of Passport, and point foreign keys to the new ids', async () => {
  const database = await followGuide({
    guide,
    system: 'passport',
    tables: `
      create table users (id integer primary key, username text unique, hashed_password bytea, salt bytea);
      insert into users values (1, 'ada', '${`\\x${'ab'.repeat(32)}`}', '${`\\x${'cd'.repeat(16)}`}'), (2, 'ben', null, null)`,
    files: {
      'passport-password.ts': 'Verifies the password hashes',
      'latchkey.config.ts': 'defineConfig',
      'passport.mjs': 'writeUsers',
    },
  });
  expect(await database.sql`select username from latchkey.users order by 1`).toEqual([
    { username: 'ada' },
    { username: 'ben' },
  ]);
  expect(await countWaiting(guide, database)).toBe(1);
});
