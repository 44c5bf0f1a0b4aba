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

/** Inserts numbered accounts with SQL, because hundreds of sign-ups are slow. */
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
  /** The number of users on each page. */
  sizes: number[];
  usernames: string[];
}

/** Reads all pages. */
async function walk(
  query: Record<string, string>,
  { between = (async () => {}) as (page: number) => Promise<unknown>, person = superadmin } = {},
): Promise<Walk> {
  const pages: Walk = { sizes: [], usernames: [] };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await ask({ ...query, ...(cursor && { cursor }) }, person);
    expect(status).toBe(200);
    const usernames = body.users.map(({ username }: { username: string }) => username);
    pages.usernames.push(...usernames);
    pages.sizes.push(usernames.length);
    cursor = body.nextCursor;
    await between(pages.sizes.length);
  }
  return pages;
}

describe('pages of users', () => {
  test('contain fifty users by default, and together contain each user once, sorted by username', async () => {
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
  ])('contain at most %i users if the limit is this number', async (limit, query, count, pages) => {
    const { sizes, usernames } = await walk({ ...query, limit: `${limit}` });
    expect(sizes).toHaveLength(pages);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    expect(usernames).toEqual(names('page', 450).slice(0, count));
  });

  test('are a single empty page if no users match', async () => {
    expect((await ask({ query: 'page9' })).body).toEqual({ users: [], nextCursor: null });
  });

  test('continue with the filters of the current request, not with the filters of the previous page', async () => {
    const { nextCursor: cursor } = (await ask({ query: 'page00', limit: '10' })).body;
    const { users } = (await ask({ query: 'page001', limit: '3', cursor })).body;
    expect(users.map(({ username }: { username: string }) => username)).toEqual([
      'page0011',
      'page0012',
      'page0013',
    ]);
  });

  test('continue if the last user of the previous page is deleted', async () => {
    const users: Person[] = [];
    for (const n of [1, 2, 3, 4]) users.push(await signUp(service, { username: `ends-${n}` }));
    const { usernames } = await walk(
      { query: 'ends-', limit: '2' },
      {
        between: (page) =>
          page === 1 ? deleteUser(superadmin.browser, users[1] as Person) : Promise.resolve(),
      },
    );
    expect(usernames).toEqual(['ends-1', 'ends-2', 'ends-3', 'ends-4']);
  });

  test('contain each remaining user once, even while other users sign up and are deleted', async () => {
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

  test('contain each member once, even if the admin manages several organizations of the member', async () => {
    const admin = await signUpAs(service, 'admin');
    const organizations = [
      await found(admin.browser),
      await found(admin.browser),
      await found(admin.browser),
    ];
    const members: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const person = await signUp(service, { username: `shared-${n}` });
      members.push(person.username);
      for (const organization of organizations) await admit(admin.browser, organization, person);
    }
    const { sizes, usernames } = await walk({ query: 'shared-', limit: '2' }, { person: admin });
    expect(sizes).toEqual([2, 2, 1]);
    expect(usernames).toEqual(members);
  });
});

describe('a list request is rejected with', () => {
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
    ['a cursor that is not base64url', '!!'],
    ['a cursor with padding', `${encoded('page0001')}==`],
    ['a cursor in standard base64', 'a+/='],
    ['a username that is not encoded', 'page0001'],
    ['an encoded username after a space', encoded(' page0001')],
    ['an encoded username with a tilde', encoded('page~0001')],
    ['an encoded username outside of ASCII', encoded('pagé0001')],
    ['an encoded NUL character', encoded('page\0')],
    ['bytes that are not UTF-8', Buffer.of(0xff, 0xfe, 0xfd).toString('base64url')],
    ['an encoded username that is too long', encoded('p'.repeat(255))],
    ['encoded SQL', encoded("page' or 1=1 --")],
    ['encoded JSON', encoded('{ "username": "page0001" }')],
  ])('this cursor: %s', async (_, cursor) => {
    expectProblem(await ask({ cursor }), 'invalid_request', {
      errors: [{ path: 'cursor', message: 'expected the nextCursor of the previous page' }],
    });
  });
});

test('a cursor with one changed character is accepted or causes `invalid_request`, and no other error', async () => {
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
