import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { admit, found, organizationsPath, signUpAs, signUpMember } from './support/authority.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const counts = (organizations: { slug: string; memberCount?: object }[]) =>
  new Map(organizations.map(({ slug, memberCount }) => [slug, memberCount]));

test('the list of organizations contains the number of members only on request', async () => {
  const superadmin = await signUpAs(service, 'superadmin');
  const [one, three] = [await found(superadmin.browser), await found(superadmin.browser)];
  await signUpMember(service, superadmin.browser, three);
  await signUpMember(service, superadmin.browser, three);
  await service.auth.asOperator('ops').organizations.create({ name: 'Empty', slug: 'empty' });
  const { body } = await superadmin.browser.get(`${organizationsPath}?include=memberCount`);
  const exactly = (count: number) => ({ count, exact: true });
  expect(counts(body.organizations)).toEqual(
    new Map([
      ['empty', exactly(0)],
      [one.slug, exactly(1)],
      [three.slug, exactly(3)],
    ]),
  );
  const plain = (await superadmin.browser.get(organizationsPath)).body.organizations;
  expect(Object.keys(plain[0])).not.toContain('memberCount');
  const listed = await service.auth.asOperator('ops').organizations.list({ include: 'memberCount' });
  expect(listed.organizations).toMatchObject(
    body.organizations.map(({ memberCount }: never) => ({ memberCount })),
  );
  await expect(
    service.auth.asOperator('ops').organizations.list({ include: 'members' as never }),
  ).rejects.toThrow('include: expected "memberCount", not "members"');
});

test('counting stops at 1,000 members', async () => {
  const superadmin = await signUpAs(service, 'superadmin');
  const organization = await found(superadmin.browser);
  const { sql } = service.database;
  await sql`
    insert into latchkey.users (id, username, skeleton, user_handle, created_at)
    select gen_random_uuid(), 'many-' || n, 'many' || n, 'many-' || n, now() from generate_series(1, 1000) as n`;
  const add = (last: number) => sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select ${organization.id}, id, 'user', now() from latchkey.users
    where username like 'many-%' and substr(username, 6)::integer <= ${last}
    on conflict do nothing`;
  const counted = async () => {
    const { body } = await superadmin.browser.get(`${organizationsPath}?include=memberCount`);
    return counts(body.organizations).get(organization.slug);
  };
  await add(999);
  expect(await counted()).toEqual({ count: 1000, exact: true });
  await add(1000);
  expect(await counted()).toEqual({ count: 1000, exact: false });
});

test('a caller who cannot read the members does not get their number', async () => {
  const narrowed = await startTestService({
    capabilities: { user: { 'organization:members:read': 'managed' } },
  });
  try {
    const superadmin = await signUpAs(narrowed, 'superadmin');
    const organization = await found(superadmin.browser);
    const [member, manager] = [await signUp(narrowed), await signUp(narrowed)];
    await admit(superadmin.browser, organization, member);
    await admit(superadmin.browser, organization, manager, 'admin');
    const seenBy = async ({ browser }: Pick<typeof member, 'browser'>) =>
      (await browser.get(`${organizationsPath}?include=memberCount`)).body.organizations[0].memberCount;
    expect(await seenBy(member)).toBeUndefined();
    expect(await seenBy(manager)).toEqual({ count: 3, exact: true });
    expect(await seenBy(superadmin)).toEqual({ count: 3, exact: true });
  } finally {
    await narrowed.close();
  }
});

test('the in-memory database counts the members, and filters users by organization', async () => {
  const instance = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  try {
    const { users, organizations } = instance.auth.asOperator('ops');
    for (const username of ['ada', 'ben', 'cleo']) await users.create({ username });
    await organizations.create({ name: 'Engines', slug: 'engines', admin: 'ben' });
    await organizations.addMember('engines', { username: 'ada' });
    const listed = await organizations.list({ include: 'memberCount' });
    expect(listed.organizations).toMatchObject([{ memberCount: { count: 2, exact: true } }]);
    for (const search of [undefined, 'a']) {
      const { users: found, total } = await users.list({
        organization: 'engines',
        search,
        include: ['total'],
      });
      const names = search === undefined ? ['ada', 'ben'] : ['ada'];
      expect(found.map(({ username }) => username)).toEqual(names);
      expect(total).toEqual({ count: names.length, exact: true });
    }
  } finally {
    await instance.close();
  }
});
