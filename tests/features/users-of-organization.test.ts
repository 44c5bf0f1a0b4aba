import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { admit, found as foundOrganization, signUpAs, signUpMember, usersPath } from './support/authority.ts';
import { setMembership } from './support/organizations.ts';
import { signUpWithOnlyPassword } from './support/passwords.ts';

let service: TestService;
let superadmin: Person;
let organizationId: string;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin', 'the-superadmin');
  const organization = await foundOrganization(superadmin.browser);
  organizationId = organization.id;
  for (const username of ['member-b', 'member-a', 'member-c', 'colleague'])
    await admit(superadmin.browser, organization, await signUp(service, { username }));
  await setMembership(service, organization, await signUpWithOnlyPassword(service, 'member-word'), 'user');
  await signUp(service, { username: 'member-of-nothing' });
});
afterAll(() => service.close());

const ask = (query: Record<string, string>, { browser } = superadmin) =>
  browser.get(`${usersPath}?${new URLSearchParams(query)}`);

async function found(query: Record<string, string>, person?: Person): Promise<string[]> {
  const { status, body } = await ask(query, person);
  expect(status, body.code).toBe(200);
  return body.users.map(({ username }: { username: string }) => username);
}

async function paged(query: Record<string, string>): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await ask({ ...query, limit: '2', ...(cursor && { cursor }) });
    names.push(...body.users.map(({ username }: { username: string }) => username));
    cursor = body.nextCursor;
  }
  return names;
}

/** The members that every order below expects. */
const members = ['colleague', 'member-a', 'member-b', 'member-c', 'member-word', 'the-superadmin'];

const listTests = (): [string, () => Promise<void>][] => [
  [
    'the list contains only the members, on all pages and in every order',
    async () => {
      for (const sort of ['username', 'createdAt', 'lastSignIn'])
        for (const order of ['asc', 'desc'])
          expect((await paged({ organizationId, sort, order })).sort(), `${sort} ${order}`).toEqual(members);
      expect(await paged({ organizationId })).toEqual(members);
      expect(await paged({ organizationId, order: 'desc' })).toEqual([...members].reverse());
    },
  ],
  [
    'the search, the other filters and the numbers apply to the members',
    async () => {
      const search = 'ember';
      expect(await found({ organizationId, search })).toEqual(members.slice(1, 5));
      expect(await paged({ organizationId, search, sort: 'createdAt' })).toEqual([
        'member-b',
        'member-a',
        'member-c',
        'member-word',
      ]);
      expect(await found({ organizationId, role: 'superadmin' })).toEqual(['the-superadmin']);
      expect(await found({ organizationId, search, hasPasskey: 'false' })).toEqual(['member-word']);
      const { body } = await ask({ organizationId, search, role: 'user', include: 'total,counts,details' });
      expect(body.total).toEqual({ count: 4, exact: true });
      expect(body.counts.role).toMatchObject({ user: { count: 4 }, admin: { count: 0 } });
      expect(body.users[0]).toMatchObject({ username: 'member-a', organizationCount: 1 });
    },
  ],
];

describe('with the filter for an organization,', () => {
  test.each(listTests())('%s', (_, check) => check());

  test('the list is empty for an unknown organization', async () => {
    expect(await found({ organizationId: userIdOf(superadmin) })).toEqual([]);
  });

  test('the list is refused for a malformed id, and together with a prefix', async () => {
    const queries: Record<string, string>[] = [{ organizationId: 'acme' }, { organizationId, query: 'm' }];
    for (const query of queries)
      expectProblem(await ask(query), 'invalid_request', { errors: [expect.anything()] });
  });

  test('an operator names the organization by its slug', async () => {
    const { users, organizations } = service.auth.asOperator('ops');
    const { slug } = (await organizations.list()).organizations[0] ?? { slug: '' };
    const listed = await users.list({ organization: slug, search: 'ember' });
    expect(listed.users.map(({ username }) => username)).toEqual(members.slice(1, 5));
    await expect(users.list({ organization: 'no-such-one' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(users.list({ organization: 7 as never })).rejects.toThrow('organization: expected a text');
  });

  test('an admin gets no users for an organization that the admin does not manage', async () => {
    const admin = await signUpAs(service, 'admin');
    const [own, second] = [await foundOrganization(admin.browser), await foundOrganization(admin.browser)];
    const shared = await signUpMember(service, admin.browser, own);
    // The admin must not learn that this member also belongs to the other organization.
    await setMembership(service, { id: organizationId }, shared, 'user');
    expect((await found({}, admin)).sort()).toEqual([admin.username, shared.username].sort());
    expect((await found({ organizationId: own.id }, admin)).sort()).toEqual(
      [admin.username, shared.username].sort(),
    );
    expect(await found({ organizationId: second.id }, admin)).toEqual([admin.username]);
    expect(await found({ organizationId }, admin)).toEqual([]);
    await setMembership(service, { id: organizationId }, admin, 'user');
    expect(await found({ organizationId }, admin)).toEqual([]);
    const { body } = await ask({ organizationId, include: 'total' }, admin);
    expect(body.total).toEqual({ count: 0, exact: true });
    const { sql } = service.database;
    await sql`
      delete from latchkey.memberships where organization_id = ${organizationId}
        and user_id in (${userIdOf(admin)}, ${userIdOf(shared)})`;
  });
});

describe('with the filter for an organization with more than 20,000 members,', () => {
  beforeAll(async () => {
    const { sql } = service.database;
    await sql`
      insert into latchkey.users (id, username, skeleton, role, user_handle, created_at)
      select gen_random_uuid(), 'crowd-' || lpad(n::text, 5, '0'), 'crowd' || n,
        case when n = 7 then 'admin' else 'user' end, 'crowd-' || n, now()
      from generate_series(1, 20010) as n`;
    await sql`
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select ${organizationId}, id, 'user', now() from latchkey.users where username like 'crowd-%'`;
    await sql.unsafe('analyze latchkey.users, latchkey.memberships');
  });

  test('the statement that reads all members is not sent, and the list has the same content', async () => {
    service.statements.length = 0;
    expect((await found({ organizationId })).slice(0, 2)).toEqual(['colleague', 'crowd-00001']);
    expect(service.statements.filter((text) => text.includes('with member as'))).toEqual([]);
    expect((await found({ organizationId, order: 'desc' })).slice(0, 6)).toEqual([
      'the-superadmin',
      'member-word',
      'member-c',
      'member-b',
      'member-a',
      'crowd-20010',
    ]);
    const search = 'ember';
    expect(await paged({ organizationId, search })).toEqual(members.slice(1, 5));
    expect(await found({ organizationId, search: 'crowd-20009' })).toEqual(['crowd-20009']);
    expect(await found({ organizationId, role: 'admin' })).toEqual(['crowd-00007']);
    const { body } = await ask({ organizationId, include: 'total,counts' });
    expect(body).toMatchObject({
      total: { count: 10_000, exact: false },
      counts: { role: { admin: { count: 1, exact: true }, superadmin: { count: 1, exact: true } } },
    });
  });
});
