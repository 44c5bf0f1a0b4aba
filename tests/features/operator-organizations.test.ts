import type { OperatorOrganizations } from 'latchkey';
import type { Sql, TransactionSql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import type { TestService } from '../support/test-service.ts';
import { callDuring } from '../support/waiting.ts';
import { deleteAccount, found, signUpAs } from './support/authority.ts';
import { getOrganization } from './support/organizations.ts';
import { uuid } from './support/wire-format.ts';

let service: TestService;
let organizations: OperatorOrganizations;
beforeAll(async () => {
  service = await startFrozenService();
  ({ organizations } = service.auth.asOperator('ops'));
});
afterAll(() => service.close());

/** The number of events before the part of a test that expects certain events. */
let before = 0;
const markEvents = async () => {
  before = (await service.auditRows()).length;
};
beforeEach(markEvents);

const newSlug = () => newUsername('org');
const create = (more: object = {}) => organizations.create({ name: 'Engines', slug: newSlug(), ...more });
const disable = ({ username }: Person) => service.auth.asOperator('ops').users.disable(username);
const unknown = 'no-such-slug';
const rolesIn = async (slug: string) =>
  Object.fromEntries(
    (await organizations.listMembers(slug)).members.map(({ user, role }) => [user.username, role]),
  );
const events = async () =>
  (await service.auditRows())
    .slice(before)
    .map(({ event, outcome, actor_type, actor_name, target_name, details }) => ({
      event,
      outcome,
      actor: `${actor_type} ${actor_name}`,
      target: target_name,
      details,
    }));
const failed = (event: string, target: string | null, reason: string) => [
  { event, outcome: 'failure', actor: 'operator ops', target, details: { reason } },
];

describe('creating an organization as an operator', () => {
  test('makes the given user its first organization admin, who can manage it at once', async () => {
    const person = await signUp(service);
    await markEvents();
    const slug = newSlug();
    const organization = await create({ slug, admin: person.username.toUpperCase() });
    expect(organization).toEqual({
      id: expect.stringMatching(uuid),
      name: 'Engines',
      slug,
      createdAt: await timeOf(service),
      myRole: null,
    });
    expect(await rolesIn(slug)).toEqual({ [person.username]: 'admin' });
    expect((await getOrganization(person.browser, organization)).body.organization.myRole).toBe('admin');
    expect((await events()).sort((a, b) => a.event.localeCompare(b.event))).toEqual([
      {
        event: 'member.add',
        outcome: 'success',
        actor: 'operator ops',
        target: person.username,
        details: { role: 'admin' },
      },
      {
        event: 'organization.create',
        outcome: 'success',
        actor: 'operator ops',
        target: 'Engines',
        details: { slug },
      },
    ]);
  });

  test('works without members, and then only superadmins and operators can manage the organization', async () => {
    const organization = await create();
    expect(await rolesIn(organization.slug)).toEqual({});
    const superadmin = await signUpAs(service, 'superadmin');
    expect((await getOrganization(superadmin.browser, organization)).status).toBe(200);
    const admin = await signUpAs(service, 'admin');
    expect((await getOrganization(admin.browser, organization)).status).toBe(404);
  });

  test('derives the slug from the name, and accepts the creation time of another system', async () => {
    const createdAt = new Date('2020-01-02T03:04:05Z');
    const name = `  Café ${newUsername('x')} `;
    const organization = await organizations.create({ name, createdAt });
    expect(organization).toMatchObject({ name: name.trim(), createdAt: '2020-01-02T03:04:05.000Z' });
    expect(organization.slug).toMatch(/^cafe-x-/);
  });

  test('rejects the slug of another organization', async () => {
    const { slug } = await create();
    await markEvents();
    await expect(create({ slug })).rejects.toMatchObject({ code: 'slug_taken' });
    expect(await events()).toEqual(failed('organization.create', 'Engines', 'slug_taken'));
  });

  test('rejects an unknown, deleted or disabled admin', async () => {
    const [deleted, disabled] = [await signUp(service), await signUp(service)];
    await deleteAccount(deleted.browser);
    await disable(disabled);
    await markEvents();
    const existing = await service.database.sql`select from latchkey.organizations`;
    for (const admin of ['unknown-username', deleted.username])
      await expect(create({ admin })).rejects.toMatchObject({ code: 'not_found' });
    await expect(create({ admin: disabled.username })).rejects.toMatchObject({ code: 'account_disabled' });
    expect(await events()).toEqual([
      ...failed('organization.create', 'Engines', 'username_unknown'),
      ...failed('organization.create', 'Engines', 'username_unknown'),
      ...failed('organization.create', 'Engines', 'account_disabled'),
    ]);
    expect(await service.database.sql`select from latchkey.organizations`).toHaveLength(existing.length);
  });

  /** Adds the person to this number of new organizations. */
  const joinMany = (sql: Sql | TransactionSql, person: Person, count: number) => sql`
    with added as (
      insert into latchkey.organizations (id, name, slug, created_at)
      select gen_random_uuid(), 'Number ' || n, ${`${newSlug()}-`} || n, now()
      from generate_series(1, ${count}::integer) as n returning id
    )
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select id, ${userIdOf(person)}, 'user', now() from added`;

  test('is rejected if the admin belongs to 100 organizations, even with concurrent calls', async () => {
    const person = await signUp(service);
    await joinMany(service.database.sql, person, 98);
    const settled = await Promise.allSettled(
      Array.from({ length: 6 }, () => create({ admin: person.username })),
    );
    const codes = settled.map((one) => (one.status === 'fulfilled' ? 'created' : one.reason.code)).sort();
    expect(codes).toEqual(['created', 'created', ...Array(4).fill('too_many_organizations')]);
  });

  test('is rejected if the admin joined the 100th organization after the call had counted 99', async () => {
    const person = await signUp(service);
    const { sql } = service.database;
    await joinMany(sql, person, 99);
    const joinOne = async (transaction: TransactionSql) => {
      await transaction`update latchkey.users set version = version + 1 where id = ${userIdOf(person)}`;
      await joinMany(transaction, person, 1);
    };
    await expect(callDuring(sql, joinOne, () => create({ admin: person.username }))).rejects.toMatchObject({
      code: 'too_many_organizations',
    });
    expect(await sql`select from latchkey.memberships where user_id = ${userIdOf(person)}`).toHaveLength(100);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ slug: 'X' }, 'slug'],
    [{ slug: 'with space' }, 'slug'],
    [{ slug: 'nul\0' }, 'slug'],
    [{ createdAt: new Date('2999-01-01') }, 'createdAt'],
  ])('rejects %j', async (more, path) => {
    await expect(create(more)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path, message: expect.stringMatching(/^expected /) }],
    });
  });

  test.each([{ name: undefined }, { name: 7 }, { slug: null }, { admin: null }, { createdAt: 'today' }])(
    'throws TypeError for %j',
    async (more) => {
      await expect(create(more)).rejects.toThrow(TypeError);
    },
  );
});

describe('managing an organization as an operator', () => {
  test('reads, changes and deletes the organization with the given slug', async () => {
    const organization = await create();
    expect(await organizations.get(organization.slug)).toEqual(organization);
    const slug = newSlug();
    const changed = await organizations.update(organization.slug, { name: ' Analytical Engines ', slug });
    expect(changed).toEqual({ ...organization, name: 'Analytical Engines', slug });
    expect(await organizations.get(slug)).toEqual(changed);
    await expect(organizations.get(organization.slug)).rejects.toMatchObject({ code: 'not_found' });
    await organizations.delete(slug);
    await expect(organizations.get(slug)).rejects.toMatchObject({ code: 'not_found' });
    expect((await events()).map(({ event, actor, target }) => [event, actor, target])).toEqual([
      ['organization.create', 'operator ops', 'Engines'],
      ['organization.update', 'operator ops', 'Analytical Engines'],
      ['organization.delete', 'operator ops', 'Analytical Engines'],
    ]);
  });

  test('refuses and records a change to the slug of another organization', async () => {
    const [one, other] = [await create(), await create()];
    await markEvents();
    await expect(organizations.update(one.slug, { slug: other.slug })).rejects.toMatchObject({
      code: 'slug_taken',
    });
    expect(await events()).toEqual(failed('organization.update', 'Engines', 'slug_taken'));
    expect(await organizations.get(one.slug)).toEqual(one);
  });

  test('records no event if no value changes', async () => {
    const organization = await create();
    await markEvents();
    const { name, slug } = organization;
    for (const change of [{ name, slug }, {}])
      expect(await organizations.update(slug, change)).toEqual(organization);
    expect(await events()).toEqual([]);
  });

  test('rejects an invalid name or slug', async () => {
    const { slug } = await create();
    for (const [change, path] of [
      [{ name: '\u0007' }, 'name'],
      [{ slug: 'Ä' }, 'slug'],
    ] as const)
      await expect(organizations.update(slug, change)).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ path }],
      });
  });

  test.each<[name: string, call: (slug: string) => Promise<unknown>]>([
    ['get', (slug) => organizations.get(slug)],
    ['update', (slug) => organizations.update(slug, { name: 'x' })],
    ['delete', (slug) => organizations.delete(slug)],
    ['listMembers', (slug) => organizations.listMembers(slug)],
    ['addMember', (slug) => organizations.addMember(slug, { username: 'ada' })],
    ['changeMemberRole', (slug) => organizations.changeMemberRole(slug, 'ada', 'user')],
    ['removeMember', (slug) => organizations.removeMember(slug, 'ada')],
    ['invite', (slug) => organizations.invite(slug)],
  ])('`%s` rejects an unknown slug, and throws TypeError if the slug is not a text', async (_, call) => {
    for (const slug of [unknown, '', 'nul\0', 'undefined'])
      await expect(call(slug)).rejects.toMatchObject({ code: 'not_found' });
    // An organization can have the slug `undefined`.
    const { id } = await create({ slug: 'undefined' });
    await expect(call(undefined as never)).rejects.toThrow(
      new TypeError('slug: expected a text, given undefined'),
    );
    await service.database.sql`delete from latchkey.organizations where id = ${id}`;
  });
});

describe('an operator who manages members', () => {
  let slug: string;
  let admin: Person;
  let member: Person;
  beforeEach(async () => {
    [admin, member] = [await signUp(service), await signUp(service)];
    ({ slug } = await create({ admin: admin.username }));
    await organizations.addMember(slug, { username: member.username });
    await markEvents();
  });

  test('promotes, demotes and removes them, with an event for each', async () => {
    expect(await organizations.changeMemberRole(slug, member.username, 'admin')).toMatchObject({
      user: { id: userIdOf(member), username: member.username, displayName: null },
      role: 'admin',
    });
    await organizations.changeMemberRole(slug, member.username, 'user');
    await organizations.removeMember(slug, member.username);
    expect(await rolesIn(slug)).toEqual({ [admin.username]: 'admin' });
    expect((await events()).map(({ event, target, details }) => [event, target, details])).toEqual([
      ['member.change_role', member.username, { from: 'user', to: 'admin' }],
      ['member.change_role', member.username, { from: 'admin', to: 'user' }],
      ['member.remove', member.username, {}],
    ]);
  });

  test('cannot demote or remove the last organization admin', async () => {
    await expect(organizations.changeMemberRole(slug, admin.username, 'user')).rejects.toMatchObject({
      code: 'last_organization_admin',
    });
    await expect(organizations.removeMember(slug, admin.username)).rejects.toMatchObject({
      code: 'last_organization_admin',
    });
    expect(await events()).toEqual([
      ...failed('member.change_role', admin.username, 'last_organization_admin'),
      ...failed('member.remove', admin.username, 'last_organization_admin'),
    ]);
    expect(await rolesIn(slug)).toEqual({ [admin.username]: 'admin', [member.username]: 'user' });
  });

  test('cannot remove both admins with concurrent calls', async () => {
    await organizations.changeMemberRole(slug, member.username, 'admin');
    const settled = await Promise.allSettled(
      [admin, member].map(({ username }) => organizations.removeMember(slug, username)),
    );
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await rolesIn(slug))).toEqual(['admin']);
  });

  test('gets `not_found` for users who are not members, and for unknown users', async () => {
    const stranger = await signUp(service);
    for (const username of [stranger.username, 'unknown-username']) {
      await expect(organizations.changeMemberRole(slug, username, 'admin')).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(organizations.removeMember(slug, username)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('gets TypeError for an unknown role, a missing username, and an invalid page or search', async () => {
    const calls = [
      () => organizations.changeMemberRole(slug, member.username, 'owner' as never),
      () => organizations.changeMemberRole(slug, member.username, undefined as never),
      () => organizations.changeMemberRole(slug, undefined as never, 'admin'),
      () => organizations.removeMember(slug, undefined as never),
      () => organizations.addMember(slug, { username: undefined as never }),
      () => organizations.listMembers(slug, { limit: 0 }),
      () => organizations.listMembers(slug, { query: 7 as never }),
      () => organizations.listMembers(slug, { query: 'a', sortBy: 'id' }),
      () => organizations.listMembers(slug, { sortBy: 'slug' as never }),
      () => organizations.list({ sortBy: 'name' as never }),
      () => organizations.list({ sortBy: null as never }),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(TypeError);
    const query = 'a'.repeat(255);
    await expect(organizations.listMembers(slug, { query })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('lists and searches them in pages', async () => {
    const [first, second] = [admin.username, member.username].sort();
    const page = await organizations.listMembers(slug, { limit: 1 });
    expect(page.members.map(({ user }) => user.username)).toEqual([first]);
    const next = await organizations.listMembers(slug, { limit: 1, cursor: page.nextCursor ?? '' });
    expect([next.members.map(({ user }) => user.username), next.nextCursor]).toEqual([[second], null]);
    const found = await organizations.listMembers(slug, { query: member.username });
    expect(found.members).toMatchObject([{ user: { username: member.username }, role: 'user' }]);
  });
});

describe('an operator who lists in pages, sorted by id,', () => {
  /** Reads pages of one item, and calls `between` after the first page. */
  async function readAll<Item>(
    read: (cursor?: string) => Promise<{ items: Item[]; nextCursor: string | null }>,
    between: (first: Item) => Promise<unknown>,
  ): Promise<Item[]> {
    const { items, nextCursor } = await read();
    await between(items[0] as Item);
    let cursor = nextCursor;
    while (cursor !== null) {
      const page = await read(cursor);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }
  const names = () => ['a', 'z', '0'].map((letter) => newUsername(letter)) as [string, string, string];

  test('gets each organization once, even if slugs change between two pages', async () => {
    const [early, late, changed] = names();
    await create();
    await create({ slug: late });
    const moved = await create({ slug: early });
    const found = await readAll(
      async (cursor) => {
        const page = await organizations.list({ sortBy: 'id', limit: 1, cursor });
        return { items: page.organizations, nextCursor: page.nextCursor };
      },
      async (first) => {
        await organizations.update(first.slug, { slug: newUsername('zz') });
        await organizations.update(late, { slug: changed });
      },
    );
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(found.map(({ slug }) => slug)).toEqual(expect.arrayContaining([changed, moved.slug]));
  });

  test('gets each member once, even if usernames change between two pages', async () => {
    const { slug, id } = await create();
    const [, late, changed] = names();
    const usernames = [await signUp(service), await signUp(service, { username: late })].map(
      (user) => user.username,
    );
    for (const username of usernames) await organizations.addMember(slug, { username });
    const { users } = service.auth.asOperator('ops');
    const found = await readAll(
      async (cursor) => {
        const page = await organizations.listMembers({ id }, { sortBy: 'id', limit: 1, cursor });
        return { items: page.members, nextCursor: page.nextCursor };
      },
      async (first) => {
        await users.rename(late, changed);
        await users.rename(first.user.username, newUsername('zz'));
      },
    );
    expect(found).toHaveLength(2);
    expect(found[1]).toMatchObject({ user: { username: changed } });
  });
});

test('an operator lists members by the id of the organization, also after its slug has changed', async () => {
  const { slug, id } = await create();
  const { username } = await signUp(service);
  await organizations.addMember(slug, { username });
  await organizations.update(slug, { slug: newUsername('changed') });
  expect((await organizations.listMembers({ id })).members).toMatchObject([{ user: { username } }]);
  const unknownId = '00000000-0000-7000-8000-000000000000';
  await expect(organizations.listMembers({ id: unknownId })).rejects.toMatchObject({ code: 'not_found' });
  for (const wrong of [null, {}, { id: undefined }, { id: [id] }, { id: slug }, [id]])
    await expect(organizations.listMembers(wrong as never)).rejects.toThrow(TypeError);
});

test('a deletion and a concurrent addition of a member leave no membership', async () => {
  const { slug, id } = await create();
  const people = await Promise.all(Array.from({ length: 4 }, () => signUp(service)));
  await Promise.allSettled([
    ...people.map(({ username }) => organizations.addMember(slug, { username })),
    organizations.delete(slug),
  ]);
  expect(
    await service.database.sql`select from latchkey.memberships where organization_id = ${id}`,
  ).toHaveLength(0);
});

test('an organization of a user looks the same to the user and to an operator', async () => {
  const founder = await signUpAs(service, 'admin');
  const { slug, id } = await found(founder.browser);
  const { body } = await getOrganization(founder.browser, { id });
  expect(await organizations.get(slug)).toEqual({ ...body.organization, myRole: null });
});
