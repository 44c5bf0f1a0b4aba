import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../src/db/sql.ts';
import {
  type MemberFilter,
  selectMembers,
  selectMembersById,
} from '../../src/organizations/store/member-search.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { gatherStatistics } from './support/gather-statistics.ts';

/**
 * 150,000 users, and these organizations: `large` has 100,000 members, `medium` has the next 4,000 users, `small` has
 * three members, and each of the others has four. The display names begin with one of 500 first names. So the plan
 * for an average organization is wrong for `large`.
 */
const [large, medium, small] = [1, 2, 3].map((n) => `00000000-0000-0000-0000-00000000000${n}`) as [
  string,
  string,
  string,
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(script);
  await gatherStatistics(database.sql, ['users', 'memberships']);
});
afterAll(() => database.drop());

const script = `
set session_replication_role = replica;
create function pg_temp.id(n bigint) returns uuid language sql immutable
  as $$ select lpad(to_hex(n), 32, '0')::uuid $$;

insert into latchkey.users (id, username, skeleton, display_name, user_handle, created_at)
select pg_temp.id(n), 'person-' || lpad((n * 7919 % 150000)::text, 6, '0'), 'person' || n,
  substr(md5((n % 500)::text), 1, 4) || ' ' || n, 'handle-' || n, now()
from generate_series(1, 150000) as n;

insert into latchkey.memberships (organization_id, user_id, role, joined_at)
select '${large}', pg_temp.id(n), 'user', now() from generate_series(1, 100000) as n;
insert into latchkey.memberships (organization_id, user_id, role, joined_at)
select '${medium}', pg_temp.id(n), 'user', now() from generate_series(100001, 104000) as n;
insert into latchkey.memberships (organization_id, user_id, role, joined_at)
select '${small}', pg_temp.id(n), 'user', now() from generate_series(110001, 110003) as n;
insert into latchkey.memberships (organization_id, user_id, role, joined_at)
select pg_temp.id(1000000 + n / 4), pg_temp.id(n), 'user', now() from generate_series(1, 150000) as n;
reset session_replication_role;`;

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

/** Runs the statement, and returns the number of rows that it found, and of database pages that it read. */
async function costOf({ text, values }: Sql, plan: 'generic' | 'custom', settings = '') {
  return database.sql.begin(async (sql) => {
    await sql.unsafe(`set local plan_cache_mode = force_${plan}_plan`);
    await sql.unsafe(`set local jit = off; ${settings}`);
    const types = [...text.matchAll(/\$(\d+)::(\w+)/g)].reduce<string[]>((known, [, number, type]) => {
      known[Number(number) - 1] = `${type}`;
      return known;
    }, []);
    await sql.unsafe(`prepare search (${types.join()}) as ${text}`);
    const literals = values.map((value) => `'${value}'`).join();
    const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
      `explain (analyze, buffers, timing off, format json) execute search (${literals})`,
    );
    await sql.unsafe('deallocate search');
    if (!row) throw new Error('no plan');
    const [{ Plan: root }] = row['QUERY PLAN'];
    return { rows: root['Actual Rows'], pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'] };
  });
}

const searches: [name: string, organization: string, filter: Omit<MemberFilter, 'limit'>, rows: number][] = [
  ['the first page of a large organization', large, {}, 51],
  ['a later page of a large organization', large, { after: 'person-120000' }, 51],
  ['the end of a large organization', large, { after: 'person-149990' }, 6],
  ['a beginning of most usernames in a large organization', large, { query: 'person-' }, 51],
  ['a rare beginning of usernames in a large organization', large, { query: 'person-0123' }, 51],
  ['one username of a large organization', large, { query: 'person-007919' }, 1],
  ['a common beginning of display names in a large organization', large, { query: 'A' }, 51],
  ['a rare beginning of display names in a large organization', large, { query: 'C4ca 99' }, 2],
  ['no match in a large organization', large, { query: 'zzz' }, 0],
  ['the first page of an organization with 4,000 members', medium, {}, 51],
  ['a beginning of display names in an organization with 4,000 members', medium, { query: 'c4ca' }, 8],
  ['the members of a small organization', small, {}, 3],
  ['a search in a small organization', small, { query: 'person' }, 3],
];

/** Reading all 100,000 members would read 400,000 pages, because each membership leads to a user. */
const mostPages = 60_000;

test.each(searches)(
  'a prepared statement finds %s without reading all members',
  async (_, id, filter, rows) => {
    for (const plan of ['generic', 'custom'] as const) {
      const cost = await costOf(selectMembers(id, { ...filter, limit: 51 }), plan);
      expect([plan, cost.rows]).toEqual([plan, rows]);
      expect(cost.pages).toBeLessThan(mostPages);
    }
  },
);

test.each([
  ['the first page', undefined],
  ['a later page', '00000000-0000-0000-0000-00000000ffff'],
])('a prepared statement that sorts by id reads only %s of a large organization', async (_, after) => {
  for (const plan of ['generic', 'custom'] as const) {
    const cost = await costOf(selectMembersById(large, { after, limit: 51 }), plan);
    expect([plan, cost.rows]).toEqual([plan, 51]);
    expect(cost.pages).toBeLessThan(1000);
  }
});

test('a merge join begins at the requested page, and reads neither earlier members nor earlier users', async () => {
  const mergeJoin = 'set local enable_nestloop = off; set local enable_hashjoin = off';
  const page = selectMembersById(large, { after: '00000000-0000-0000-0000-00000000ffff', limit: 51 });
  for (const plan of ['generic', 'custom'] as const) {
    const cost = await costOf(page, plan, mergeJoin);
    expect([plan, cost.rows]).toEqual([plan, 51]);
    expect(cost.pages).toBeLessThan(1000);
  }
});
