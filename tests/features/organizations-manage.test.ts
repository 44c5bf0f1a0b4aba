import type { Organization } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import {
  changeRole,
  deleteUser,
  found,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import {
  deleteOrganization,
  getOrganization,
  membersOf,
  organizationPath,
  patchOrganization,
  setMembership,
} from './support/organizations.ts';
import { shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
let founder: Person;
let superadmin: Person;
let organization: { id: string; slug: string };
let member: Person;
let coAdmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  founder = await signUpAs(service, 'admin');
  superadmin = await signUpAs(service, 'superadmin');
  organization = await found(founder.browser);
  member = await signUpMember(service, founder.browser, organization);
  coAdmin = await signUpMember(service, founder.browser, organization, 'admin');
});
afterAll(() => service.close());

const unknownId = '00000000-0000-7000-8000-000000000000';

describe('the list of organizations', () => {
  const list = ({ browser }: Person, query = '') => browser.get(`${organizationsPath}${query}`);
  const slugsIn = (organizations: Organization[]) => organizations.map(({ slug }) => slug);

  test('is empty for users and admins without memberships', async () => {
    for (const person of [await signUp(service), await signUpAs(service, 'admin')]) {
      const answer = await list(person);
      expectUncached(answer);
      expect([answer.status, answer.body]).toEqual([200, { organizations: [], nextCursor: null }]);
    }
  });

  test('contains the user’s organizations with the user’s role in each, sorted by slug', async () => {
    const [person, other] = [await signUp(service), await signUpAs(service, 'admin')];
    const stem = newUsername('listed');
    const slugs = ['d', 'a', 'c', 'b'].map((letter) => `${stem}-${letter}`);
    for (const [n, slug] of slugs.entries()) {
      await setMembership(service, await found(other.browser, { slug }), person, n % 2 ? 'admin' : 'user');
    }
    await found(other.browser);
    const { organizations } = (await list(person)).body;
    expect(slugsIn(organizations)).toEqual(slugs.toSorted());
    expect(organizations.map(({ myRole }: Organization) => myRole)).toEqual([
      'admin',
      'admin',
      'user',
      'user',
    ]);
    expect(Object.keys(organizations[0]).sort()).toEqual(['createdAt', 'id', 'myRole', 'name', 'slug']);

    const pages: string[][] = [];
    let cursor = '';
    do {
      const { body } = await list(person, `?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(slugsIn(body.organizations));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([slugs.toSorted().slice(0, 3), slugs.toSorted().slice(3)]);
  });

  test('contains every organization for a superadmin, and shows a role only where the superadmin is a member', async () => {
    const own = await found(superadmin.browser);
    const { organizations } = (await list(superadmin, '?limit=200')).body;
    const every = await service.database.sql`select slug from latchkey.organizations`;
    expect(slugsIn(organizations)).toEqual(every.map(({ slug }) => slug).sort());
    const roles = Object.fromEntries(organizations.map(({ slug, myRole }: Organization) => [slug, myRole]));
    expect([roles[own.slug], roles[organization.slug]]).toEqual(['admin', null]);
  });

  test('no longer contains every organization after a superadmin is demoted', async () => {
    const demoted = await signUpAs(service, 'superadmin');
    expect((await list(demoted)).body.organizations.length).toBeGreaterThan(0);
    await changeRole(superadmin.browser, demoted, 'admin');
    expect((await list(demoted)).body.organizations).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('Not A Slug').toString('base64url')}`, 'cursor'],
    ['slug=acme', 'slug'],
    ['userId=1', 'userId'],
  ])('rejects the query ?%s', async (query, path) => {
    const answer = await list(member, `?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  test('requires a session', async () => {
    expectProblem(await service.browser().get(organizationsPath), 'not_authenticated');
  });
});

describe('an organization', () => {
  test('is shown to its members with their role, and to other superadmins without a role', async () => {
    const shown = async (person: Person) =>
      (await getOrganization(person.browser, organization)).body.organization;
    expect(await shown(member)).toEqual({ ...organization, myRole: 'user' });
    expect(await shown(coAdmin)).toEqual({ ...organization, myRole: 'admin' });
    expect(await shown(superadmin)).toEqual({ ...organization, myRole: null });
  });

  test.each<[who: string, person: () => Person]>([
    ['its organization admin', () => coAdmin],
    ['a superadmin', () => superadmin],
  ])('can be updated by %s: the name, the slug or both', async (_, person) => {
    const { browser } = person();
    const { myRole } = (await getOrganization(browser, organization)).body.organization;
    const [first, second] = [newUsername('slug'), newUsername('slug')];
    const change = async (input: object) => {
      const answer = await patchOrganization(browser, organization, input);
      expect(answer.status).toBe(200);
      const { body } = await getOrganization(browser, organization);
      expect(answer.body).toEqual(body);
      return answer.body.organization;
    };
    const { id, createdAt } = organization as Organization;
    expect(await change({ name: ' One ', slug: first })).toEqual({
      id,
      createdAt,
      myRole,
      name: 'One',
      slug: first,
    });
    expect(await change({ name: 'Two' })).toMatchObject({ name: 'Two', slug: first });
    expect(await change({ slug: second })).toMatchObject({ name: 'Two', slug: second });
    expect(await change({})).toMatchObject({ name: 'Two', slug: second });
    expect(await change({ name: 'Two', slug: second })).toMatchObject({ name: 'Two', slug: second });
    organization = (await getOrganization(founder.browser, organization)).body.organization;
  });

  const form = 'expected 2 to 48 lowercase letters, digits and hyphens';
  const unknown = 'this property is unknown';
  test.each<[input: object, path: string, message: string]>([
    [{ name: '' }, 'name', 'expected at least 1 character'],
    [{ name: null }, 'name', 'expected a string'],
    [{ name: 'x'.repeat(65) }, 'name', 'expected at most 64 characters'],
    [{ slug: 'A' }, 'slug', form],
    [{ slug: '' }, 'slug', form],
    [{ slug: null }, 'slug', 'expected a string'],
    [{ id: unknownId }, 'id', unknown],
    [{ organizationId: unknownId }, 'organizationId', unknown],
    [{ userId: unknownId }, 'userId', unknown],
    [{ myRole: 'admin' }, 'myRole', unknown],
    [{ role: 'admin' }, 'role', unknown],
    [{ version: 9 }, 'version', unknown],
    [{ createdAt: '2020-01-01T00:00:00Z' }, 'createdAt', unknown],
  ])('rejects the update %j', async (input, path, message) => {
    const before = (await getOrganization(coAdmin.browser, organization)).body;
    const answer = await patchOrganization(coAdmin.browser, organization, input);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message }] });
    expect((await getOrganization(coAdmin.browser, organization)).body).toEqual(before);
  });

  test('cannot be updated or deleted by a member who is not an organization admin', async () => {
    const before = (await getOrganization(member.browser, organization)).body;
    expectProblem(await patchOrganization(member.browser, organization, { name: 'Mine' }), 'forbidden');
    expectProblem(await patchOrganization(member.browser, organization, { nonsense: 1 }), 'forbidden');
    expectProblem(await deleteOrganization(member.browser, organization), 'forbidden');
    expect((await getOrganization(member.browser, organization)).body).toEqual(before);
  });

  test('causes the same errors as an unknown organization when the caller is a user or admin who is not a member', async () => {
    const absent = { id: unknownId };
    const before = (await getOrganization(member.browser, organization)).body;
    for (const { browser } of [await signUp(service), await signUpAs(service, 'admin')]) {
      for (const ask of [
        getOrganization,
        deleteOrganization,
        (from: typeof browser, one: { id: string }) => patchOrganization(from, one, { name: 'Mine' }),
        (from: typeof browser, one: { id: string }) => patchOrganization(from, one, { nonsense: 1 }),
        (from: typeof browser, one: { id: string }) => from.get(`${organizationPath(one)}/members`),
        (from: typeof browser, one: { id: string }) =>
          from.request('PATCH', organizationPath(one), 'no json', { 'Content-Type': 'text/plain' }),
      ]) {
        const answer = await ask(browser, organization);
        expectProblem(answer, 'not_found');
        expect(shapeOf(answer)).toEqual(shapeOf(await ask(browser, absent)));
        expect(shapeOf(answer)).toEqual(shapeOf(await ask(browser, { id: 'nonsense' })));
      }
    }
    expect((await getOrganization(member.browser, organization)).body).toEqual(before);
    expectProblem(await getOrganization(superadmin.browser, absent), 'not_found');
    expectProblem(await getOrganization(superadmin.browser, { id: userIdOf(superadmin) }), 'not_found');
  });

  test.each<[who: string, person: () => Person]>([
    ['its organization admin', () => founder],
    ['a superadmin', () => superadmin],
  ])(
    'can be deleted by %s: its memberships are deleted, too, but the members’ accounts and sessions remain',
    async (_, person) => {
      const [gone, kept] = [await found(founder.browser), await found(founder.browser)];
      const people = [
        await signUpMember(service, founder.browser, gone),
        await signUpMember(service, founder.browser, gone, 'admin'),
      ];
      for (const one of people) await setMembership(service, kept, one, 'user');
      const answer = await deleteOrganization(person().browser, gone);
      expect([answer.status, answer.body]).toEqual([204, null]);
      for (const one of [...people, founder, superadmin]) {
        expectProblem(await getOrganization(one.browser, gone), 'not_found');
        expect(await isSignedIn(one.browser)).toBe(true);
        expect((await getOrganization(one.browser, kept)).status).toBe(200);
      }
      expectProblem(await deleteOrganization(person().browser, gone), 'not_found');
      const left = await service.database.sql`
      select from latchkey.memberships where organization_id = ${gone.id}`;
      expect(left).toHaveLength(0);
      expect(Object.keys(await membersOf(founder.browser, kept))).toHaveLength(3);
    },
  );

  test('remains when its creator’s account is deleted', async () => {
    const person = await signUpAs(service, 'admin');
    const left = await found(person.browser);
    await deleteUser(superadmin.browser, person);
    expect((await getOrganization(superadmin.browser, left)).body.organization.id).toBe(left.id);
    expect(await membersOf(superadmin.browser, left)).toEqual({});
  });
});

test('every change in an organization requires fresh authentication, except leaving the organization', async () => {
  const admin = await signUpAs(service, 'admin');
  const own = await found(admin.browser);
  const helper = await signUpMember(service, admin.browser, own, 'admin');
  const path = organizationPath(own);
  await service.turnClock({ minutes: 11 });
  const changes = () => [
    admin.browser.patch(path, { name: 'Other' }),
    admin.browser.post(`${path}/invitations`, { username: member.username }),
    admin.browser.patch(`${path}/members/${userIdOf(helper)}`, { role: 'user' }),
    admin.browser.delete(`${path}/members/${userIdOf(helper)}`),
    admin.browser.delete(path),
  ];
  for (const change of changes()) expectProblem(await change, 'reauthentication_required');
  expect((await admin.browser.get(path)).body.organization).toEqual(own);
  expect((await admin.browser.get(`${path}/members`)).body.members).toHaveLength(2);
  expect((await helper.browser.delete(`${path}/membership`)).status).toBe(204);
  await stepUp(admin.browser, admin.authenticator);
  expect((await deleteOrganization(admin.browser, own)).status).toBe(204);
});
