import { expect, test } from 'vitest';
import { handleRule } from '../../src/core/username-rule.ts';
import { migrations } from '../../src/db/migrate.ts';
import { skeletonOf } from '../../src/users/look-alikes.ts';
import { canonicalUsername } from '../../src/users/rules.ts';
import { randomBytesOf } from '../support/random.ts';
import { startServiceOn } from '../support/service-on.ts';
import { restoreDump } from './support/restored-database.ts';

const alphabet = 'abeilmnorstvw0134578269._-';

/** Restores a schema, inserts accounts with these usernames, the first one as the oldest, and migrates. */
async function migrateFrom(version: number, usernames: readonly string[]) {
  const database = await restoreDump(version);
  const { sql } = database;
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    select gen_random_uuid(), name, name, latchkey.clock() + number * interval '1 second'
    from unnest(${[...usernames]}::text[]) with ordinality as named (name, number)
    on conflict do nothing`;
  return {
    ...database,
    migrate: async () => (await startServiceOn(database.url, { migrate: true })).close(),
  };
}

test('the migrations give existing accounts the same skeletons as the service gives new accounts', async () => {
  const random = randomBytesOf('db/look-alikes');
  const usernames = new Set<string>();
  while (usernames.size < 2000) {
    const length = 3 + (usernames.size % 4);
    const username = [...random(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
    if (canonicalUsername(username, handleRule).problem !== 'invalid') usernames.add(username);
  }
  const before = migrations.filter(({ version }) => version < 10).length;
  const { sql, migrate, drop } = await migrateFrom(before, [...usernames]);
  await migrate();

  const rows = await sql<{ username: string; skeleton: string | null }[]>`
    select username, skeleton from latchkey.users`;
  const own = new Set(rows.map(({ username }) => skeletonOf(username)));
  const holders = rows.filter(({ skeleton }) => skeleton !== null);
  // Of the accounts with the same skeleton, exactly one holds it.
  expect(holders.map(({ username, skeleton }) => [username, skeleton])).toEqual(
    holders.map(({ username }) => [username, skeletonOf(username)]),
  );
  expect(new Set(holders.map(({ skeleton }) => skeleton))).toEqual(own);
  expect(holders).toHaveLength(own.size);
  expect(own.size).toBeLessThan(rows.length);
  await drop();
});

test('migration 30 changes only skeletons of usernames with digits at the end, and keeps the skeletons of other accounts', async () => {
  const { sql, migrate, drop } = await migrateFrom(29, []);
  // cspell:disable
  const skeletons: [username: string, before: string | null, after: string | null][] = [
    ['user51', 'user5l', null],
    ['user5l', 'usersl', 'usersl'],
    ['anna.30', 'anna3o', 'annaeo'],
    ['anna-30', null, null],
    ['kim471', 'kirn47l', 'kirnatl'],
    ['eve80', 'eve8o', 'evebo'],
    ['eve5', 'eve5', 'eve5'],
  ];
  // cspell:enable
  for (const [at, [username, before]] of skeletons.entries())
    await sql`
      insert into latchkey.users (id, username, skeleton, user_handle, created_at)
      values (gen_random_uuid(), ${username}, ${before}, ${username}, latchkey.clock() + ${`${at} seconds`}::interval)`;
  const [holder] = await sql`select id from latchkey.users where username = 'eve5'`;
  await sql`
    insert into latchkey.held_usernames (username, skeleton, user_id, held_at)
    values ('lea71', 'lea7l', ${holder?.id}, latchkey.clock()), ('lea7', 'lea7', ${holder?.id}, latchkey.clock())`;
  await migrate();
  const after = await sql`
    select username, skeleton from latchkey.users where username = any(${skeletons.map(([name]) => name)})
    order by created_at`;
  expect(after.map(({ username, skeleton }) => [username, skeleton])).toEqual(
    skeletons.map(([username, , skeleton]) => [username, skeleton]),
  );
  expect([
    ...(await sql`
      select username, skeleton from latchkey.held_usernames where username like 'lea%' order by username`),
  ]).toEqual([
    { username: 'lea7', skeleton: 'lea7' },
    { username: 'lea71', skeleton: 'leatl' },
  ]);
  await drop();
});

test('migration 30 gives a skeleton that several accounts would get to the oldest account', async () => {
  const { sql, migrate, drop } = await migrateFrom(29, []);
  await sql`
    insert into latchkey.users (id, username, skeleton, user_handle, created_at) values
      (gen_random_uuid(), 'later', 'xs5l', 'later', latchkey.clock() + interval '1 second'),
      (gen_random_uuid(), 'oldest', 'x55l', 'oldest', latchkey.clock())`;
  await migrate();
  expect([
    ...(await sql`
      select username, skeleton from latchkey.users where username in ('oldest', 'later') order by username`),
  ]).toEqual([
    { username: 'later', skeleton: null },
    { username: 'oldest', skeleton: 'xssl' },
  ]);
  await drop();
});
