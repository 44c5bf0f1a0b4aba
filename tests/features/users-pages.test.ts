import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { admit, deleteUser, found, signUpAs, usersPath } from './support/authority.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  await insertUsers('page', 450);
});
afterAll(() => service.close());

/** Accounts by name and number, made behind the service's back: signing hundreds of people up takes its time. */
const insertUsers = (stem: string, count: number) =>
  service.database.sql`
    insert into latchkey.users (id, username, display_name, user_handle, role, created_at)
    select gen_random_uuid(), ${stem}::text || lpad(n::text, 4, '0'), ${stem}::text || ' by name', md5(random()::text),
      'user', latchkey.clock()
    from generate_series(1, ${count}::int) as n`;

const names = (stem: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${stem}${`${n + 1}`.padStart(4, '0')}`);

const ask = (query: Record<string, string>, { browser } = superadmin) =>
  browser.get(`${usersPath}?${new URLSearchParams(query)}`);

interface Walk {
  /** Of every page. */
  sizes: number[];
  usernames: string[];
}

/** Goes from page to page to the last. */
async function walk(
  query: Record<string, string>,
  { between = (async () => {}) as (page: number) => Promise<unknown>, person = superadmin } = {},
): Promise<Walk> {
  const gone: Walk = { sizes: [], usernames: [] };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await ask({ ...query, ...(cursor && { cursor }) }, person);
    expect(status).toBe(200);
    const usernames = body.users.map(({ username }: { username: string }) => username);
    gone.usernames.push(...usernames);
    gone.sizes.push(usernames.length);
    cursor = body.nextCursor;
    await between(gone.sizes.length);
  }
  return gone;
}

const nobody = async () => {};

describe('pages of users', () => {
  test('hold fifty unless told, and together everybody once, by username', async () => {
    const { sizes, usernames } = await walk({ query: 'page' });
    expect(sizes).toEqual([50, 50, 50, 50, 50, 50, 50, 50, 50]);
    expect(usernames).toEqual(names('page', 450));
  });

  test.each([
    [1, { query: 'page000' }, 9, 9],
    [7, { query: 'page00' }, 99, 15],
    [99, { query: 'page00' }, 99, 1],
    [100, { query: 'page00' }, 99, 1],
    [199, { query: 'page' }, 450, 3],
    [200, { query: 'page by' }, 450, 3],
  ])('hold %i if told so', async (limit, query, count, pages) => {
    const { sizes, usernames } = await walk({ ...query, limit: `${limit}` });
    expect(sizes).toHaveLength(pages);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    expect(usernames).toEqual(names('page', 450).slice(0, count));
  });

  test('of nobody are one, which is the last', async () => {
    expect((await ask({ query: 'page9' })).body).toEqual({ users: [], nextCursor: null });
  });

  test('go on by the filters that come with the cursor', async () => {
    const { nextCursor: cursor } = (await ask({ query: 'page00', limit: '10' })).body;
    const { users } = (await ask({ query: 'page001', limit: '3', cursor })).body;
    expect(users.map(({ username }: { username: string }) => username)).toEqual([
      'page0011',
      'page0012',
      'page0013',
    ]);
  });

  test('go on where the account that the one before ended with is deleted', async () => {
    const people: Person[] = [];
    for (const n of [1, 2, 3, 4]) people.push(await signUp(service, { username: `ends-${n}` }));
    const { usernames } = await walk(
      { query: 'ends-', limit: '2' },
      { between: (page) => (page === 1 ? deleteUser(superadmin.browser, people[1] as Person) : nobody()) },
    );
    expect(usernames).toEqual(['ends-1', 'ends-2', 'ends-3', 'ends-4']);
  });

  test('name nobody twice and lose nobody while others sign up and are deleted', async () => {
    await insertUsers('moving', 60);
    const stay = names('moving', 60).filter((_, n) => n % 5 !== 0);
    const { sql } = service.database;
    const { usernames } = await walk(
      { query: 'moving', limit: '7' },
      {
        between: (page) =>
          together<unknown>([
            () => signUp(service, { username: `moving000${page}-a` }),
            () => signUp(service, { username: `moving00${page}0-b` }),
            async () => sql`
              update latchkey.users set status = 'disabled', deleted_at = latchkey.clock()
              where username = ${`moving00${page}1`} or username = ${`moving00${page}6`}`,
          ]),
      },
    );
    expect(new Set(usernames).size).toBe(usernames.length);
    expect(usernames).toEqual([...usernames].sort());
    expect(usernames).toEqual(expect.arrayContaining(stay));
  });

  test('of an admin hold each member once, in however many organizations they belong together', async () => {
    const admin = await signUpAs(service, 'admin');
    const organizations = [
      await found(admin.browser),
      await found(admin.browser),
      await found(admin.browser),
    ];
    const people: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const person = await signUp(service, { username: `shared-${n}` });
      people.push(person.username);
      for (const organization of organizations) await admit(admin.browser, organization, person);
    }
    const { sizes, usernames } = await walk({ query: 'shared-', limit: '2' }, { person: admin });
    expect(sizes).toEqual([2, 2, 1]);
    expect(usernames).toEqual(people);
  });
});

describe('what no page can be had by is refused:', () => {
  test.each(['0', '-1', '201', '1000', '1.5', '1e2', '0x10', 'ten', '', ' 1', '１０'])(
    'the limit %j',
    async (limit) => {
      expectProblem(await ask({ limit }), 'invalid_request', {
        errors: [{ path: 'limit', message: 'expected a number from 1 to 200' }],
      });
    },
  );

  test('two limits', async () => {
    expect((await superadmin.browser.get(`${usersPath}?limit=1&limit=2`)).body.code).toBe('invalid_request');
  });

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    ['an empty cursor', ''],
    ['a cursor of nothing that is encoded', '!!'],
    ['a cursor with padding', `${encoded('page0001')}==`],
    ['a cursor in standard base64', 'a+/='],
    ['a name as it is', 'page0001'],
    ['capitals', encoded('PAGE0001')],
    ['a name with space around it', encoded(' page0001')],
    ['no name', encoded('a')],
    ['NUL', encoded('page\0')],
    ['bytes that are no UTF-8', Buffer.of(0xff, 0xfe, 0xfd).toString('base64url')],
    ['a name that is too long', encoded('p'.repeat(1000))],
    ['SQL', encoded("page' or 1=1 --")],
    ['JSON', encoded('{"username":"page0001"}')],
  ])('%s', async (_, cursor) => {
    expectProblem(await ask({ cursor }), 'invalid_request', {
      errors: [{ path: 'cursor', message: 'expected the nextCursor of the page before' }],
    });
  });

  test('a cursor of ours with any one character changed, unless it stands for a name again', async () => {
    const { nextCursor: cursor } = (await ask({ query: 'page', limit: '1' })).body;
    for (let at = 0; at < cursor.length; at += 1) {
      for (const character of ['A', '-', '_', '=', '\n']) {
        const tampered = cursor.slice(0, at) + character + cursor.slice(at + 1);
        const { status, body } = await ask({ cursor: tampered, limit: '1' });
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body.code).toBe('invalid_request');
      }
    }
  });
});
