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

/** Whom somebody finds, at either process. */
async function known(person: Person, query = ''): Promise<string[]> {
  const path = `${usersPath}?limit=200${query}`;
  const [here, there] = [
    await person.browser.get(path),
    await second.browser(person.browser.cookies).get(path),
  ];
  expect(here.status).toBe(200);
  expect(there.body).toEqual(here.body);
  return here.body.users.map(({ username }: { username: string }) => username);
}

const usernames = (...people: Person[]) => people.map(({ username }) => username).sort();

const view = ({ browser }: Person, person: Person) => browser.get(`${usersPath}/${userIdOf(person)}`);

async function expectUnknown(viewer: Person, person: Person): Promise<void> {
  expect(await known(viewer)).not.toContain(person.username);
  const answer = await view(viewer, person);
  expectProblem(answer, 'not_found');
  expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
    {
      event: 'user.view',
      outcome: 'failure',
      actor_id: userIdOf(viewer),
      target_id: userIdOf(person),
      target_name: null,
      details: { reason: 'not_of_their_organizations' },
    },
  ]);
}

/** An admin with an organization of theirs. */
async function foundedBy(): Promise<{ admin: Person; organization: { id: string } }> {
  const admin = await signUpAs(service, 'admin');
  return { admin, organization: await found(admin.browser) };
}

describe('an admin', () => {
  test('without an organization finds nobody, not even themself', async () => {
    const admin = await signUpAs(service, 'admin');
    expect(await known(admin)).toEqual([]);
    await expectUnknown(admin, admin);
    await expectUnknown(admin, superadmin);
  });

  test('finds the members of the organizations that they manage, and nobody else', async () => {
    const [{ admin, organization }, other] = [await foundedBy(), await foundedBy()];
    const member = await signUpMember(service, admin.browser, organization);
    const theirs = await signUpMember(service, other.admin.browser, other.organization);
    expect(await known(admin)).toEqual(usernames(admin, member));
    expect((await view(admin, member)).body.user).toMatchObject({ id: userIdOf(member), role: 'user' });
    for (const stranger of [theirs, other.admin, superadmin, await signUp(service)]) {
      await expectUnknown(admin, stranger);
    }
  });

  test('finds nobody by an organization that they only belong to', async () => {
    const [{ admin, organization }, other] = [await foundedBy(), await foundedBy()];
    await admit(other.admin.browser, other.organization, admin);
    const theirs = await signUpMember(service, other.admin.browser, other.organization);
    expect(await known(admin)).toEqual(usernames(admin));
    await expectUnknown(admin, theirs);
    await expectUnknown(admin, other.admin);
    await admit(admin.browser, organization, theirs);
    expect(await known(admin)).toEqual(usernames(admin, theirs));
  });

  test('finds each once, in however many of their organizations', async () => {
    const { admin, organization } = await foundedBy();
    const another = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    await admit(admin.browser, another, member, 'admin');
    expect(await known(admin)).toEqual(usernames(admin, member));
  });

  test('finds members of every role, and by search and filters too', async () => {
    const { admin, organization } = await foundedBy();
    const [peer, above] = [await signUpAs(service, 'admin', 'a-peer'), await signUpAs(service, 'superadmin')];
    for (const person of [peer, above]) await admit(admin.browser, organization, person);
    expect(await known(admin)).toEqual(usernames(admin, peer, above));
    expect(await known(admin, '&role=superadmin')).toEqual(usernames(above));
    expect(await known(admin, `&query=${peer.username}`)).toEqual(usernames(peer));
    expect(await known(admin, `&query=${superadmin.username}`)).toEqual([]);
    expect(await known(admin, '&status=disabled')).toEqual([]);
    expect((await view(admin, above)).body.user.role).toBe('superadmin');
  });

  test('no longer finds whoever leaves, is removed or is deleted, from the next request on', async () => {
    const { admin, organization } = await foundedBy();
    const members: Person[] = [];
    for (let n = 0; n < 3; n += 1) members.push(await signUpMember(service, admin.browser, organization));
    const [leaving, removed, deleted] = members as [Person, Person, Person];
    await leaving.browser.delete(memberPath(organization, leaving));
    await admin.browser.delete(memberPath(organization, removed));
    await expectUnknown(admin, leaving);
    await expectUnknown(admin, removed);
    await deleteUser(superadmin.browser, deleted);
    expect(await known(admin)).toEqual(usernames(admin));
    expectProblem(await view(admin, deleted), 'not_found');
  });

  test('no longer finds anybody by an organization that they cease to manage, or that is gone', async () => {
    const { admin, organization } = await foundedBy();
    const heir = await signUpMember(service, admin.browser, organization, 'admin');
    await heir.browser.patch(memberPath(organization, admin), { role: 'user' });
    await expectUnknown(admin, heir);
    const another = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, another);
    expect(await known(admin)).toEqual(usernames(admin, member));
    await admin.browser.delete(`${organizationsPath}/${another.id}`);
    await expectUnknown(admin, member);
  });

  test('who becomes a user is refused, and who becomes a superadmin finds everybody', async () => {
    const { admin } = await foundedBy();
    await changeRole(superadmin.browser, admin, 'user');
    expectProblem(await admin.browser.get(usersPath), 'forbidden');
    await changeRole(superadmin.browser, admin, 'superadmin');
    expect(await known(admin)).toContain(superadmin.username);
  });
});

describe('somebody in the role of a user', () => {
  test('finds nobody, also as the admin of an organization', async () => {
    const { admin, organization } = await foundedBy();
    const manager = await signUpMember(service, admin.browser, organization, 'admin');
    expectProblem(await manager.browser.get(usersPath), 'forbidden');
    expectProblem(await view(manager, admin), 'forbidden');
  });
});

describe('a superadmin', () => {
  test('finds everybody, belonging to no organization', async () => {
    const { admin } = await foundedBy();
    const person = await signUp(service);
    expect(await known(superadmin)).toEqual(expect.arrayContaining(usernames(admin, person, superadmin)));
    expect((await view(superadmin, person)).body.user.id).toBe(userIdOf(person));
    expect((await view(superadmin, superadmin)).body.user.id).toBe(userIdOf(superadmin));
  });
});
