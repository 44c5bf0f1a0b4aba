import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import {
  admit,
  changeRole,
  deleteUser,
  found,
  leaveOrganization,
  memberPath,
  organizationsPath,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';

let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  second = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin', 'the-superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** The usernames in the list that the user gets. The list is the same in both processes. */
async function visibleTo(person: Person, query = ''): Promise<string[]> {
  const path = `${usersPath}?limit=200${query}`;
  const [here, there] = [
    await person.browser.get(path),
    await second.browser(person.browser.cookies).get(path),
  ];
  expect(here.status).toBe(200);
  expect(there.body).toEqual(here.body);
  return here.body.users.map(({ username }: { username: string }) => username);
}

const usernames = (...persons: Person[]) => persons.map(({ username }) => username).sort();

const view = ({ browser }: Person, person: Person) => browser.get(`${usersPath}/${userIdOf(person)}`);

async function expectHidden(viewer: Person, person: Person): Promise<void> {
  expect(await visibleTo(viewer)).not.toContain(person.username);
  const answer = await view(viewer, person);
  expectProblem(answer, 'not_found');
  expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
    {
      event: 'user.get',
      outcome: 'failure',
      actor_id: userIdOf(viewer),
      target_id: userIdOf(person),
      target_name: null,
      details: { reason: 'not_of_their_organizations' },
    },
  ]);
}

async function adminWithOrganization(): Promise<{ admin: Person; organization: { id: string } }> {
  const admin = await signUpAs(service, 'admin');
  return { admin, organization: await found(admin.browser) };
}

describe('an admin', () => {
  test('without an organization finds no users, not even their own account', async () => {
    const admin = await signUpAs(service, 'admin');
    expect(await visibleTo(admin)).toEqual([]);
    await expectHidden(admin, admin);
    await expectHidden(admin, superadmin);
  });

  test('finds only members of the organizations that the admin manages', async () => {
    const [{ admin, organization }, other] = [await adminWithOrganization(), await adminWithOrganization()];
    const member = await signUpMember(service, admin.browser, organization);
    const theirs = await signUpMember(service, other.admin.browser, other.organization);
    expect(await visibleTo(admin)).toEqual(usernames(admin, member));
    expect((await view(admin, member)).body.user).toMatchObject({ id: userIdOf(member), role: 'user' });
    for (const stranger of [theirs, other.admin, superadmin, await signUp(service)]) {
      await expectHidden(admin, stranger);
    }
  });

  test('does not find members of an organization in which the admin is only a member', async () => {
    const [{ admin, organization }, other] = [await adminWithOrganization(), await adminWithOrganization()];
    await admit(other.admin.browser, other.organization, admin);
    const theirs = await signUpMember(service, other.admin.browser, other.organization);
    expect(await visibleTo(admin)).toEqual(usernames(admin));
    await expectHidden(admin, theirs);
    await expectHidden(admin, other.admin);
    await admit(admin.browser, organization, theirs);
    expect(await visibleTo(admin)).toEqual(usernames(admin, theirs));
  });

  test('finds each member once, even if the member belongs to several organizations', async () => {
    const { admin, organization } = await adminWithOrganization();
    const another = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    await admit(admin.browser, another, member, 'admin');
    expect(await visibleTo(admin)).toEqual(usernames(admin, member));
  });

  test('finds members with every role, with or without a query or a filter', async () => {
    const { admin, organization } = await adminWithOrganization();
    const [peer, above] = [await signUpAs(service, 'admin', 'a-peer'), await signUpAs(service, 'superadmin')];
    for (const person of [peer, above]) await admit(admin.browser, organization, person);
    expect(await visibleTo(admin)).toEqual(usernames(admin, peer, above));
    expect(await visibleTo(admin, '&role=superadmin')).toEqual(usernames(above));
    expect(await visibleTo(admin, `&query=${peer.username}`)).toEqual(usernames(peer));
    expect(await visibleTo(admin, `&query=${superadmin.username}`)).toEqual([]);
    expect(await visibleTo(admin, '&status=disabled')).toEqual([]);
    expect((await view(admin, above)).body.user.role).toBe('superadmin');
  });

  test('stops finding users as soon as they leave, are removed or are deleted', async () => {
    const { admin, organization } = await adminWithOrganization();
    const members: Person[] = [];
    for (let n = 0; n < 3; n += 1) members.push(await signUpMember(service, admin.browser, organization));
    const [leaving, removed, deleted] = members as [Person, Person, Person];
    await leaveOrganization(leaving.browser, organization);
    await admin.browser.delete(memberPath(organization, removed));
    await expectHidden(admin, leaving);
    await expectHidden(admin, removed);
    await deleteUser(superadmin.browser, deleted);
    expect(await visibleTo(admin)).toEqual(usernames(admin));
    expectProblem(await view(admin, deleted), 'not_found');
  });

  test('stops finding members of an organization when the admin is no longer an organization admin there, or when the organization is deleted', async () => {
    const { admin, organization } = await adminWithOrganization();
    const successor = await signUpMember(service, admin.browser, organization, 'admin');
    await successor.browser.patch(memberPath(organization, admin), { role: 'user' });
    await expectHidden(admin, successor);
    const another = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, another);
    expect(await visibleTo(admin)).toEqual(usernames(admin, member));
    await admin.browser.delete(`${organizationsPath}/${another.id}`);
    await expectHidden(admin, member);
  });

  test('gets 403 after a demotion to the role user, and finds all users after a promotion to superadmin', async () => {
    const { admin } = await adminWithOrganization();
    await changeRole(superadmin.browser, admin, 'user');
    expectProblem(await admin.browser.get(usersPath), 'forbidden');
    await changeRole(superadmin.browser, admin, 'superadmin');
    expect(await visibleTo(admin)).toContain(superadmin.username);
  });
});

describe('a user with the role user', () => {
  test('gets 403, even as an organization admin', async () => {
    const { admin, organization } = await adminWithOrganization();
    const manager = await signUpMember(service, admin.browser, organization, 'admin');
    expectProblem(await manager.browser.get(usersPath), 'forbidden');
    expectProblem(await view(manager, admin), 'forbidden');
  });
});

describe('a superadmin', () => {
  test('finds all users, even without an organization', async () => {
    const { admin } = await adminWithOrganization();
    const person = await signUp(service);
    expect(await visibleTo(superadmin)).toEqual(expect.arrayContaining(usernames(admin, person, superadmin)));
    expect((await view(superadmin, person)).body.user.id).toBe(userIdOf(person));
    expect((await view(superadmin, superadmin)).body.user.id).toBe(userIdOf(superadmin));
  });
});
