import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aggregatedAgain, planOf } from '../db/support/query-plan.ts';
import { newAuthenticator, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { admit, found as foundOrganization, signUpAs, signUpMember, usersPath } from './support/authority.ts';
import { signUpWithOnlyPassword } from './support/passwords.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin', 'the-superadmin');
});
afterAll(() => service.close());

const ask = (query: Record<string, string>, { browser } = superadmin) =>
  browser.get(`${usersPath}?${new URLSearchParams(query)}`);

async function found(query: Record<string, string>, person?: Person): Promise<string[]> {
  const { status, body } = await ask(query, person);
  expect(status, body.code).toBe(200);
  return body.users.map(({ username }: { username: string }) => username);
}

/** Reads all pages of a list, with one or two users on each page. */
async function paged(query: Record<string, string>, limit = '2', person?: Person): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body } = await ask({ ...query, limit, ...(cursor && { cursor }) }, person);
    expect(status).toBe(200);
    names.push(...body.users.map(({ username }: { username: string }) => username));
    cursor = body.nextCursor;
  }
  return names;
}

async function signUpNamed(displayName: string, username = newUsername()): Promise<Person> {
  const browser = service.browser();
  const authenticator = newAuthenticator();
  const { options } = (await browser.post('/auth/passkey/register/start', { username, displayName })).body;
  const credential = await authenticator.create(options);
  const signedUp = await browser.post('/auth/passkey/register/verify', { credential });
  expect(signedUp.status).toBe(201);
  return { username, browser, authenticator, signedUp };
}

describe('a search by a part of a name', () => {
  test('finds usernames and display names that contain the text, also in the middle and at the end', async () => {
    await signUp(service, { username: 'ben.smith' });
    await signUp(service, { username: 'smithers' });
    await signUpNamed('Ōita Émile Smithson', 'oita-e');
    for (const search of ['smith', 'SMITH', 'mit'])
      expect(await found({ search })).toEqual(['ben.smith', 'oita-e', 'smithers']);
    for (const search of ['n.smith', 'ben.smith']) expect(await found({ search })).toEqual(['ben.smith']);
    for (const search of ['émile', 'ta ÉM', 'son', 'É'.normalize('NFD')])
      expect(await found({ search })).toEqual(['oita-e']);
    for (const search of ['emile', 'smitth', 'ben.smithoita', 'thsm'])
      expect(await found({ search })).toEqual([]);
  });

  test('finds texts of one, two and three characters, even outside of the Basic Multilingual Plane', async () => {
    const { username } = await signUpNamed('a 𝒵😀Ø𝓍 five');
    for (const search of ['😀', '𝒵😀', '😀ø', '😀Ø𝓍', '𝓍 five'])
      expect(await found({ search })).toEqual([username]);
    expect(await found({ search: '😀𝒵' })).toEqual([]);
  });

  test.each([
    ['a percent sign', '0%', ['50% off', '50%'], ['500 off']],
    ['an underscore', 'a_b', ['xa_b', 'A_Bc'], ['xaxb', 'a-b']],
    ['a backslash', ':\\d', ['c:\\d', 'C:\\Docs'], ['c:d', 'c:\\\\d']],
    ['a quote', "o'n", ["To'Neill"], ['Ton', 'o"n']],
  ])('matches %s literally', async (_, search, hits, misses) => {
    const expected: string[] = [];
    for (const name of hits) expected.push((await signUpNamed(name)).username);
    for (const name of misses) await signUpNamed(name);
    expect((await found({ search })).sort()).toEqual(expected.sort());
  });

  test('finds a user by the new display name and not by the earlier one', async () => {
    const person = await signUpNamed('Quentin Before');
    await person.browser.patch('/auth/account', { displayName: 'Quentin After' });
    expect(await found({ search: 'tin bef' })).toEqual([]);
    expect(await found({ search: 'tin aft' })).toEqual([person.username]);
  });

  test('finds no deleted user', async () => {
    const person = await signUpNamed('Will Vanish', 'will-vanish');
    await person.browser.delete('/auth/account');
    for (const search of ['vanish', 'l van']) expect(await found({ search })).toEqual([]);
  });

  test('finds all users with an empty text', async () => {
    expect(await found({ search: '', limit: '200' })).toEqual(await found({ limit: '200' }));
  });

  test('is combined with the other filters', async () => {
    const people = [];
    for (const name of ['one', 'two', 'three'])
      people.push(await signUp(service, { username: `x-combined-${name}` }));
    await setStatus(service, people[1] as Person, 'disabled');
    expect(await found({ search: 'combined', status: 'disabled' })).toEqual(['x-combined-two']);
    expect(await found({ search: 'combined', status: 'active' })).toEqual([
      'x-combined-one',
      'x-combined-three',
    ]);
    expect(await found({ search: 'combined', role: 'admin' })).toEqual([]);
  });
});

describe('the order of the list', () => {
  test('can be by username, creation or last sign-in, in both directions, over all pages', async () => {
    const names = ['sorted-b', 'sorted-a', 'sorted-d', 'sorted-c'];
    const people = new Map<string, Person>();
    for (const username of names) {
      people.set(username, await signUp(service, { username }));
      await service.turnClock({ seconds: 1 });
    }
    await service.auth.asOperator('ops').users.create({ username: 'sorted-never' });
    const returning = people.get('sorted-d') as Person;
    const { options } = (await service.browser().post('/auth/passkey/login/start', {})).body;
    const browser = service.browser();
    const started = (await browser.post('/auth/passkey/login/start', {})).body.options ?? options;
    await browser.post('/auth/passkey/login/verify', {
      credential: await returning.authenticator.get(started),
    });
    const search = 'sorted';
    const byName = [...names].sort();
    const orders = {
      username: [...byName, 'sorted-never'],
      createdAt: [...names, 'sorted-never'],
      lastSignIn: ['sorted-never', 'sorted-b', 'sorted-a', 'sorted-c', 'sorted-d'],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      expect(await found({ search, sort })).toEqual(expected);
      for (const limit of ['1', '2']) {
        expect(await paged({ search, sort, order: 'asc' }, limit)).toEqual(expected);
        expect(await paged({ search, sort, order: 'desc' }, limit)).toEqual([...expected].reverse());
      }
      const whole = (await found({ sort, limit: '200' })).filter((name) => name.startsWith(search));
      expect(whole).toEqual(expected);
    }
  });

  test('contains each user exactly once across all pages if users have the same time', async () => {
    await service.database.sql`
      insert into latchkey.users (id, username, skeleton, user_handle, created_at)
      select gen_random_uuid(), 'twin-' || n, 'twin' || n, 'twin-' || n, '2020-01-01 00:00:00.123456Z'
      from generate_series(1, 7) as n`;
    for (const sort of ['createdAt', 'lastSignIn'])
      for (const order of ['asc', 'desc'])
        expect((await paged({ search: 'twin', sort, order })).sort()).toEqual(
          [1, 2, 3, 4, 5, 6, 7].map((n) => `twin-${n}`),
        );
  });

  test('must match the cursor, and so must the search', async () => {
    const cursorOf = async (query: Record<string, string>) =>
      (await ask({ ...query, limit: '1' })).body.nextCursor as string;
    const lists: Record<string, string>[] = [
      {},
      { order: 'desc' },
      { sort: 'createdAt' },
      { sort: 'createdAt', order: 'desc' },
      { sort: 'lastSignIn' },
      { search: 'sorted' },
      { search: 'sorted-' },
      { search: 'sorted', sort: 'createdAt' },
    ];
    for (const own of lists) {
      const cursor = await cursorOf(own);
      expect(cursor, JSON.stringify(own)).toEqual(expect.any(String));
      for (const other of lists) {
        const answer = await ask({ ...other, cursor });
        if (own === other) expect(answer.status).toBe(200);
        else
          expectProblem(answer, 'invalid_request', {
            errors: [{ path: 'cursor', message: expect.any(String) }],
          });
      }
    }
    const id = userIdOf(superadmin);
    for (const text of [
      `createdAt asc x 2026-01-01T00:00:00.000000Z ${id}`,
      `createdAt asc 47DEQpj8HB yesterday ${id}`,
      `createdAt asc 47DEQpj8HB 2026-99-01T00:00:00.000000Z ${id}`,
      `createdAt asc 47DEQpj8HB 2026-02-30T00:00:00.000000Z ${id}`,
      `createdAt asc 47DEQpj8HB 2026-04-31T00:00:00.000000Z ${id}`,
      'createdAt asc 47DEQpj8HB 2026-01-01T00:00:00.000000Z 1',
      'createdAt asc 47DEQpj8HB',
      'createdAt',
    ])
      expectProblem(
        await ask({ sort: 'createdAt', cursor: Buffer.from(text).toString('base64url') }),
        'invalid_request',
        { errors: [{ path: 'cursor', message: expect.any(String) }] },
      );
    const valid = `createdAt asc 47DEQpj8HB 2026-01-01T00:00:00.000000Z ${id}`;
    expect((await ask({ sort: 'createdAt', cursor: Buffer.from(valid).toString('base64url') })).status).toBe(
      200,
    );
  });
});

describe('the list', () => {
  test('shows the last sign-in and the numbers of passkeys and organizations only on request', async () => {
    const person = await signUp(service, { username: 'detailed-one' });
    const organization = await foundOrganization(superadmin.browser);
    await admit(superadmin.browser, organization, person);
    await signUpWithOnlyPassword(service, 'detailed-two');
    await service.auth.asOperator('ops').users.create({ username: 'detailed-three' });
    const { users } = (await ask({ search: 'detailed', include: 'details' })).body;
    expect(users).toMatchObject([
      {
        username: 'detailed-one',
        lastSignIn: { at: person.signedUp.body.user.createdAt, method: 'passkey' },
        passkeyCount: 1,
        organizationCount: 1,
      },
      { username: 'detailed-three', lastSignIn: null, passkeyCount: 0, organizationCount: 0 },
      { username: 'detailed-two', lastSignIn: { method: 'password' }, passkeyCount: 0, organizationCount: 0 },
    ]);
    const plain = (await ask({ search: 'detailed' })).body;
    expect(Object.keys(plain)).toEqual(['users', 'nextCursor']);
    expect(Object.keys(plain.users[0])).not.toContain('lastSignIn');
  });

  test('can leave out users with or without passkeys, and users who signed in recently', async () => {
    await signUp(service, { username: 'filtered-key' });
    await signUpWithOnlyPassword(service, 'filtered-word');
    await service.auth.asOperator('ops').users.create({ username: 'filtered-never' });
    await service.turnClock({ minutes: 3 });
    const { user } = (await signUp(service, { username: 'filtered-late' })).signedUp.body;
    const search = 'filtered';
    expect(await found({ search, hasPasskey: 'false' })).toEqual(['filtered-never', 'filtered-word']);
    expect(await found({ search, hasPasskey: 'true' })).toEqual(['filtered-key', 'filtered-late']);
    expect(await found({ search, signedInBefore: user.createdAt })).toEqual([
      'filtered-key',
      'filtered-never',
      'filtered-word',
    ]);
    expect(await found({ search, signedInBefore: '1970-01-01T00:00:01Z' })).toEqual(['filtered-never']);
    const { body } = await ask({ search, hasPasskey: 'false', role: 'user', include: 'counts,total' });
    expect(body.total).toEqual({ count: 2, exact: true });
    expect(body.counts.role.user).toEqual({ count: 2, exact: true });
  });

  test('counts the users with each role and status, without the filters for role and status', async () => {
    for (const role of ['user', 'admin', 'superadmin'] as const)
      for (const status of ['active', 'disabled'] as const)
        await setStatus(service, await signUpAs(service, role, `counted-${role}-${status}`), status);
    await signUp(service, { username: 'counted-more' });
    const exactly = (count: number) => ({ count, exact: true });
    const { body } = await ask({
      search: 'counted',
      role: 'admin',
      status: 'disabled',
      include: 'total,counts',
    });
    expect(body).toMatchObject({
      total: exactly(1),
      counts: {
        role: { user: exactly(3), admin: exactly(2), superadmin: exactly(2) },
        status: { active: exactly(4), disabled: exactly(3) },
      },
    });
  });

  test.each([
    ['an unknown order', { order: 'up' }, 'order'],
    ['an unknown sort', { sort: 'role' }, 'sort'],
    ['an unknown part', { include: 'details,passwords' }, 'include'],
    ['a time that is no RFC 3339 time', { signedInBefore: 'yesterday' }, 'signedInBefore'],
    ['a search longer than any name', { search: 'x'.repeat(255) }, 'search'],
    ['a NUL character in the search', { search: 'a\0b' }, 'search'],
    ['a prefix together with a search', { query: 'a', search: 'b' }, 'query'],
    ['a prefix together with an order', { query: 'a', sort: 'createdAt' }, 'query'],
    ['a prefix together with a filter', { query: 'a', hasPasskey: 'true' }, 'query'],
    ['a prefix together with a part', { query: 'a', include: 'total' }, 'query'],
  ])('is refused for %s', async (_, query, path) => {
    const answer = await ask(query as unknown as Record<string, string>);
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: expect.stringContaining(path), message: expect.any(String) }],
    });
  });
});

describe('for an admin, the list', () => {
  let admin: Person;
  let member: Person;
  beforeAll(async () => {
    admin = await signUpAs(service, 'admin', 'admin-of-some');
    const organization = await foundOrganization(admin.browser);
    member = await signUpMember(service, admin.browser, organization);
    await signUp(service, { username: 'stranger-of-some' });
  });

  test('contains, counts and finds only members of organizations that the admin manages', async () => {
    const mine = [admin.username, member.username].sort();
    expect(await found({ search: 'of-some' }, admin)).toEqual(['admin-of-some']);
    for (const sort of ['username', 'createdAt']) expect((await found({ sort }, admin)).sort()).toEqual(mine);
    const { body } = await ask({ include: 'total,counts,details' }, admin);
    expect(body.total).toEqual({ count: 2, exact: true });
    expect(body.counts.role).toMatchObject({
      user: { count: 1 },
      admin: { count: 1 },
      superadmin: { count: 0 },
    });
    for (const user of body.users)
      expect(Object.keys(user).sort()).toEqual([
        'createdAt',
        'displayName',
        'id',
        'role',
        'status',
        'username',
      ]);
  });

  test.each([
    { sort: 'lastSignIn' },
    { hasPasskey: 'false' },
    { hasPasskey: 'true' },
    { signedInBefore: '2030-01-01T00:00:00Z' },
  ])('is refused with %o, which would reveal sign-ins and passkeys', async (query) => {
    const answer = await ask(query as unknown as Record<string, string>, admin);
    expectProblem(answer, 'forbidden');
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'user.list',
        outcome: 'failure',
        actor_id: userIdOf(admin),
        details: { reason: 'not_all_users' },
      },
    ]);
  });
});

describe('an operator', () => {
  test('lists users with the same parameters', async () => {
    const { users } = service.auth.asOperator('ops');
    await signUp(service, { username: 'op-listed' });
    const page = await users.list({
      search: 'p-list',
      sort: 'lastSignIn',
      order: 'desc',
      signedInBefore: new Date('2100-01-01'),
      include: ['details', 'total'],
    });
    expect(page).toMatchObject({
      users: [{ username: 'op-listed', passkeyCount: 1, lastSignIn: { method: 'passkey' } }],
      total: { count: 1, exact: true },
    });
  });

  test.each([
    { order: 'asc; drop table latchkey.users' },
    { sort: 'constructor' },
    { role: 'root' },
    { status: 'deleted' },
    { include: ['passwords'] },
    { signedInBefore: new Date(Number.NaN) },
    { hasPasskey: 'yes' },
    { search: 7 },
    { query: ['a'] },
  ])('gets a TypeError for %o', async (search) => {
    await expect(service.auth.asOperator('ops').users.list(search as object)).rejects.toThrow(TypeError);
  });
});

// In a database of its own, because deleting so many users takes longer than all other tests of this file.
test('the search finds the same users in the same order among 24,500 users', async () => {
  const service = await startTestService();
  const reader = await signUpAs(service, 'superadmin', 'the-reader');
  await service.database.sql`
    insert into latchkey.users (id, username, skeleton, display_name, user_handle, created_at)
    select gen_random_uuid(), 'crowd-' || lpad(n::text, 5, '0'), 'crowd' || n,
      case when n > 2100 then 'Late Common' when n in (50, 2050) then 'Rare Name' end, 'crowd-' || n, now()
    from generate_series(1, 24500) as n`;
  expect(await found({ search: 'are na' }, reader)).toEqual(['crowd-00050', 'crowd-02050']);
  expect(await paged({ search: 'are na' }, '1', reader)).toEqual(['crowd-00050', 'crowd-02050']);
  expect(await paged({ search: 'are na', order: 'desc' }, '1', reader)).toEqual([
    'crowd-02050',
    'crowd-00050',
  ]);
  service.statements.length = 0;
  expect(await found({ search: 'te comm', limit: '2' }, reader)).toEqual(['crowd-02101', 'crowd-02102']);
  // PostgreSQL has no statistics of the new rows yet, so it expects few matches.
  const sent = service.statements.filter((text) => text.includes('with found as'));
  expect(sent).toHaveLength(1);
  for (const text of sent) expect(aggregatedAgain(await planOf(service.database.sql, text))).toEqual([]);
  expect(await found({ search: 'te comm', limit: '2', order: 'desc' }, reader)).toEqual([
    'crowd-24500',
    'crowd-24499',
  ]);
  expect((await ask({ search: 'te comm', include: 'total' }, reader)).body.total).toEqual({
    count: 10_000,
    exact: false,
  });
  expect((await ask({ search: 'are na', include: 'total' }, reader)).body.total).toEqual({
    count: 2,
    exact: true,
  });
  expect((await ask({ include: 'total,counts' }, reader)).body).toMatchObject({
    total: { count: 10_000, exact: false },
    counts: {
      role: { user: { count: 10_000, exact: false }, superadmin: { count: 1, exact: true } },
      status: { active: { count: 10_000, exact: false } },
    },
  });
  await service.close();
});
