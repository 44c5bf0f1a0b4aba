import { expect, test } from 'vitest';
import { handleRule } from '../../src/core/username-rule.ts';
import { migrations } from '../../src/db/migrate.ts';
import { skeletonOf } from '../../src/users/look-alikes.ts';
import { canonicalUsername } from '../../src/users/rules.ts';
import { randomBytesOf } from '../support/random.ts';
import { startServiceOn } from '../support/service-on.ts';
import { restoreDump } from './support/restored-database.ts';

const alphabet = 'abeilmnorstvw0134578269._-';

test('the migration gives existing accounts the same skeletons as the service gives new accounts', async () => {
  const random = randomBytesOf('db/look-alikes');
  const usernames = new Set<string>();
  while (usernames.size < 2000) {
    const length = 3 + (usernames.size % 4);
    const username = [...random(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
    if (canonicalUsername(username, handleRule).problem !== 'invalid') usernames.add(username);
  }
  const before = migrations.filter(({ version }) => version < 10).length;
  const database = await restoreDump(before);
  const { sql } = database;
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    select gen_random_uuid(), name, name, latchkey.clock() + number * interval '1 second'
    from unnest(${[...usernames]}::text[]) with ordinality as named (name, number)
    on conflict do nothing`;
  await (await startServiceOn(database.url, { migrate: true })).close();

  const rows = await sql<{ username: string; skeleton: string | null }[]>`
    select username, skeleton from latchkey.users order by created_at, id`;
  const first = new Set<string>();
  for (const { username, skeleton } of rows) {
    const own = skeletonOf(username);
    // Only the oldest account with a skeleton holds it.
    expect([username, skeleton]).toEqual([username, first.has(own) ? null : own]);
    first.add(own);
  }
  expect(first.size).toBeLessThan(rows.length);
  await database.drop();
});
