import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import {
  admit,
  deleteUser,
  disable,
  enable,
  found,
  leaveOrganization,
  memberPath,
  organizationsPath,
  postMember,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import {
  changeMember,
  countActiveAdmins,
  getOrganization,
  membersOf,
  organizationPath,
  patchOrganization,
  removeMember,
} from './support/organizations.ts';
import { shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let member: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(founder.browser);
  member = await signUpMember(service, founder.browser, organization);
});

const unknownId = '00000000-0000-7000-8000-000000000000';
const members = () => membersOf(superadmin.browser, organization);

describe('a member', () => {
  test.each<[who: string, by: () => Person]>([
    ['an organization admin', () => founder],
    ['a superadmin', () => superadmin],
  ])('can be promoted and demoted by %s, and the change takes effect on the next request', async (_, by) => {
    const { members: before } = (await superadmin.browser.get(`${organizationPath(organization)}/members`))
      .body;
    const shown = before.find((one: { role: string }) => one.role === 'user');
    for (const role of ['admin', 'admin', 'user', 'user']) {
      const answer = await changeMember(by().browser, organization, member, role);
      expect([answer.status, answer.body]).toEqual([200, { member: { ...shown, role } }]);
      expect((await getOrganization(member.browser, organization)).body.organization.myRole).toBe(role);
      const renaming = await patchOrganization(member.browser, organization, { name: 'Renamed' });
      expect(renaming.status).toBe(role === 'admin' ? 200 : 403);
    }
  });

  test.each<[who: string, by: () => Person]>([
    ['an organization admin', () => founder],
    ['a superadmin', () => superadmin],
  ])('can be removed by %s, keeps the account, and can be invited again', async (_, by) => {
    const answer = await removeMember(by().browser, organization, member);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await members()).toEqual({ [founder.username]: 'admin' });
    expectProblem(await getOrganization(member.browser, organization), 'not_found');
    expect(await isSignedIn(member.browser)).toBe(true);
    expectProblem(await removeMember(by().browser, organization, member), 'not_found');
    await admit(founder.browser, organization, member);
    expect(await members()).toHaveProperty(member.username);
  });

  test('who is removed loses access on the next request, on every instance', async () => {
    const instance = await startSecondInstance(service);
    const admin = await signUpMember(service, founder.browser, organization, 'admin');
    const elsewhere = instance.browser(admin.browser.cookies);
    expect((await getOrganization(elsewhere, organization)).status).toBe(200);
    await removeMember(founder.browser, organization, admin);
    for (const browser of [admin.browser, elsewhere]) {
      expectProblem(await getOrganization(browser, organization), 'not_found');
      expectProblem(await browser.get(`${organizationPath(organization)}/members`), 'not_found');
      expectProblem(await patchOrganization(browser, organization, { name: 'Mine' }), 'not_found');
      expectProblem(await postMember(browser, organization, admin, 'admin'), 'not_found');
      expectProblem(await removeMember(browser, organization, member), 'not_found');
      expect((await browser.get(organizationsPath)).body.organizations).toEqual([]);
    }
    await instance.close();
  });

  test('can leave without fresh authentication, and a second request returns 404', async () => {
    await service.turnClock({ minutes: 11 });
    expect((await leaveOrganization(member.browser, organization)).status).toBe(204);
    expectProblem(await leaveOrganization(member.browser, organization), 'not_found');
    await service.turnClock({ minutes: -11 });
    expect(await members()).toEqual({ [founder.username]: 'admin' });
  });

  test('who is an organization admin can leave if another organization admin remains', async () => {
    await changeMember(founder.browser, organization, member, 'admin');
    expect((await leaveOrganization(founder.browser, organization)).status).toBe(204);
    expect(await members()).toEqual({ [member.username]: 'admin' });
    expectProblem(await getOrganization(founder.browser, organization), 'not_found');
  });

  test('can neither promote anyone nor remove other members', async () => {
    const other = await signUpMember(service, founder.browser, organization);
    for (const person of [other, founder, member]) {
      expectProblem(await changeMember(member.browser, organization, person, 'admin'), 'forbidden');
    }
    for (const person of [other, founder]) {
      expectProblem(await removeMember(member.browser, organization, person), 'forbidden');
    }
    expect(await members()).toEqual({
      [founder.username]: 'admin',
      [member.username]: 'user',
      [other.username]: 'user',
    });
  });

  test('cannot be changed or removed by users who are not members: these users get 404', async () => {
    for (const role of ['user', 'admin'] as const) {
      const stranger = await signUpAs(service, role);
      expectProblem(await changeMember(stranger.browser, organization, member, 'admin'), 'not_found');
      expectProblem(await removeMember(stranger.browser, organization, member), 'not_found');
      expectProblem(await leaveOrganization(stranger.browser, organization), 'not_found');
      expectProblem(await changeMember(stranger.browser, organization, stranger, 'admin'), 'not_found');
    }
    expectProblem(await leaveOrganization(superadmin.browser, organization), 'not_found');
  });

  test('of another organization causes the same error as an unknown user', async () => {
    const elsewhere = await signUpMember(service, founder.browser, await found(founder.browser));
    const path = `${organizationPath(organization)}/members`;
    const { browser } = founder;
    for (const id of [userIdOf(elsewhere), userIdOf(await signUp(service)), 'nonsense', organization.id]) {
      for (const [answer, unknown] of [
        [await browser.patch(`${path}/${id}`, { role: 'admin' }), { role: 'admin' }],
        [await browser.delete(`${path}/${id}`), undefined],
      ] as const) {
        expectProblem(answer, 'not_found');
        const same = unknown
          ? await browser.patch(`${path}/${unknownId}`, unknown)
          : await browser.delete(`${path}/${unknownId}`);
        expect(shapeOf(answer)).toEqual(shapeOf(same));
      }
    }
  });

  const roles = 'expected "user" or "admin"';
  const unknown = 'this property is unknown';
  test.each<[input: object, path: string, message: string]>([
    [{}, 'role', 'this property is required'],
    [{ role: 'superadmin' }, 'role', roles],
    [{ role: 'Admin' }, 'role', roles],
    [{ role: null }, 'role', 'expected a string'],
    [{ role: 'admin', userId: unknownId }, 'userId', unknown],
    [{ role: 'admin', organizationId: unknownId }, 'organizationId', unknown],
    [{ role: 'admin', username: 'ana' }, 'username', unknown],
    [{ role: 'admin', version: 3 }, 'version', unknown],
  ])('is not changed by the invalid body %j', async (input, path, message) => {
    const answer = await founder.browser.patch(memberPath(organization, member), input);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message }] });
    expect(await members()).toMatchObject({ [member.username]: 'user' });
  });
});

describe('the last organization admin', () => {
  const ways: [what: string, attempt: () => ReturnType<typeof removeMember>][] = [
    ['give up the role', () => changeMember(founder.browser, organization, founder, 'user')],
    ['leave', () => leaveOrganization(founder.browser, organization)],
    ['be demoted by a superadmin', () => changeMember(superadmin.browser, organization, founder, 'user')],
    ['be removed by a superadmin', () => removeMember(superadmin.browser, organization, founder)],
  ];

  test.each(ways)('cannot %s until another member becomes an admin', async (_, attempt) => {
    expectProblem(await attempt(), 'last_organization_admin');
    expect(await members()).toEqual({ [founder.username]: 'admin', [member.username]: 'user' });
    await changeMember(founder.browser, organization, member, 'admin');
    expect((await attempt()).status).toBeLessThan(300);
    expect(await countActiveAdmins(service, organization)).toBe(1);
  });

  test.each(ways)('cannot %s while the other admin is disabled', async (_, attempt) => {
    await changeMember(founder.browser, organization, member, 'admin');
    await disable(superadmin.browser, member);
    expectProblem(await attempt(), 'last_organization_admin');
    await enable(superadmin.browser, member);
    expect((await attempt()).status).toBeLessThan(300);
  });

  test.each(ways)('cannot %s, even if a superadmin is a member with the role `user`', async (_, attempt) => {
    await admit(founder.browser, organization, superadmin, 'user');
    expectProblem(await attempt(), 'last_organization_admin');
  });

  test('cannot leave or be demoted, even if they are a superadmin; a promotion to the same role has no effect', async () => {
    expect((await changeMember(founder.browser, organization, founder, 'admin')).status).toBe(200);
    const own = await found(superadmin.browser);
    expectProblem(await leaveOrganization(superadmin.browser, own), 'last_organization_admin');
    expectProblem(await changeMember(superadmin.browser, own, superadmin, 'user'), 'last_organization_admin');
  });

  test('can be disabled, and then superadmins manage the organization', async () => {
    const person = await signUpAs(service, 'admin');
    const own = await found(person.browser);
    const otherMember = await signUpMember(service, person.browser, own);
    await disable(superadmin.browser, person);
    expectProblem(await patchOrganization(otherMember.browser, own, { name: 'Mine' }), 'forbidden');
    expect((await changeMember(superadmin.browser, own, otherMember, 'admin')).status).toBe(200);
    expect((await patchOrganization(otherMember.browser, own, { name: 'Ours' })).status).toBe(200);
    expect((await changeMember(otherMember.browser, own, person, 'user')).status).toBe(200);
  });

  test.each(['demoted', 'removed'])('who is disabled can be %s by a superadmin', async (how) => {
    const person = await signUpAs(service, 'admin');
    const own = await found(person.browser);
    await disable(superadmin.browser, person);
    const answer =
      how === 'demoted'
        ? await changeMember(superadmin.browser, own, person, 'user')
        : await removeMember(superadmin.browser, own, person);
    expect(answer.status).toBeLessThan(300);
  });

  test.each(['a superadmin', 'the user'])(
    'can be deleted by %s, and then superadmins manage the organization',
    async (how) => {
      const person = await signUpAs(service, 'admin');
      const own = await found(person.browser);
      const otherMember = await signUpMember(service, person.browser, own);
      const answer =
        how === 'the user'
          ? await person.browser.delete('/auth/account')
          : await deleteUser(superadmin.browser, person);
      expect(answer.status).toBe(204);
      expect(await membersOf(superadmin.browser, own)).toEqual({ [otherMember.username]: 'user' });
      expectProblem(await changeMember(otherMember.browser, own, otherMember, 'admin'), 'forbidden');
      expect((await changeMember(superadmin.browser, own, otherMember, 'admin')).status).toBe(200);
    },
  );
});
