import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  auditPath,
  endSessionsOf,
  found,
  help,
  inviteTo,
  memberPath,
  postMember,
  signUpAs,
  usersPath,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { acceptReceived, receivedBy } from './support/organization-invitations.ts';
import { getOrganization, membersOf } from './support/organizations.ts';

let service: TestService;
/** An admin who creates an organization to get access to an account. */
let intruder: Person;
let organization: { id: string };
let victim: Person;
beforeAll(async () => {
  service = await startTestService();
  intruder = await signUpAs(service, 'admin');
  organization = await found(intruder.browser);
  victim = await signUp(service);
});
afterAll(() => service.close());

/** Expects that the intruder cannot read or change anything of the victim. */
async function expectNoAccess(): Promise<void> {
  const { browser } = intruder;
  const id = userIdOf(victim);
  expectProblem(await browser.get(`${usersPath}/${id}`), 'not_found');
  expectProblem(await help(browser, victim), 'not_found');
  expectProblem(await endSessionsOf(browser, victim), 'not_found');
  expectProblem(await browser.patch(memberPath(organization, victim), { role: 'admin' }), 'not_found');
  expect((await browser.get(`${auditPath}?actorId=${id}`)).body.events).toEqual([]);
  expect((await browser.get(`${auditPath}?targetId=${id}&event=account.`)).body.events).toEqual([]);
  expect(await membersOf(browser, organization)).toEqual({ [intruder.username]: 'admin' });
  expect((await service.auth.principalOf(id))?.memberships).toEqual([]);
  expect(await isSignedIn(victim.browser)).toBe(true);
}

describe('an organization admin cannot make a user a member without the user’s consent', () => {
  test('by adding the user directly', async () => {
    expectProblem(await postMember(intruder.browser, organization, victim), 'forbidden');
    expectProblem(await postMember(intruder.browser, organization, victim, 'admin'), 'forbidden');
    await expectNoAccess();
  });

  test('by sending an invitation that the user has not accepted', async () => {
    const { status, body } = await inviteTo(intruder.browser, organization, { username: victim.username });
    expect(status).toBe(201);
    await expectNoAccess();
    expect(await receivedBy(victim.browser)).toEqual([body.invitation]);
  });

  test('by accepting the invitation that the user received', async () => {
    const [invitation] = await receivedBy(victim.browser);
    if (!invitation) throw new Error('there is no invitation');
    expectProblem(await acceptReceived(intruder.browser, invitation), 'invitation_not_found');
    await expectNoAccess();
  });
});

test('a user who accepts an invitation becomes a member', async () => {
  const [invitation] = await receivedBy(victim.browser);
  if (!invitation) throw new Error('there is no invitation');
  expect((await acceptReceived(victim.browser, invitation)).status).toBe(200);
  expect(await membersOf(intruder.browser, organization)).toMatchObject({ [victim.username]: 'user' });
  expect((await intruder.browser.get(`${usersPath}/${userIdOf(victim)}`)).status).toBe(200);
});

test('an invited user sees only the invitation until they accept it', async () => {
  const invited = await signUp(service);
  await inviteTo(intruder.browser, organization, { username: invited.username, role: 'admin' });
  expectProblem(await getOrganization(invited.browser, organization), 'not_found');
  expectProblem(await invited.browser.get(`/auth/organizations/${organization.id}/members`), 'not_found');
  expectProblem(await invited.browser.get(`/auth/organizations/${organization.id}/invitations`), 'not_found');
  expect((await invited.browser.get('/auth/organizations')).body.organizations).toEqual([]);
});
