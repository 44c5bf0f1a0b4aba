import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { statuses, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { endSessions, setRole } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  deleteUser,
  disable,
  found,
  inviteTo,
  organizationsPath,
  postMember,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import {
  changeMember,
  deleteMembership,
  deleteOrganization,
  getOrganization,
  membersOf,
  patchOrganization,
  removeMember,
  setMembership,
} from './support/organizations.ts';

let service: TestService;
let chief: Person;
let founder: Person;
let admin: Person;
let member: Person;
let stranger: Person;
let organization: { id: string; slug: string };
beforeAll(async () => {
  service = await startTestService();
  chief = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  stranger = await signUp(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(founder.browser);
  admin = await signUpMember(service, founder.browser, organization, 'admin');
  member = await signUpMember(service, founder.browser, organization);
});

const through = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** What an admin does, and the statement that does it. */
const changes: [what: string, before: RegExp, act: (browser: TestAgent) => Promise<Answer>][] = [
  [
    'a new name',
    /update latchkey\.organizations\s+set/,
    (by) => patchOrganization(by, organization, { name: 'X' }),
  ],
  ['the deletion', /delete from latchkey\.organizations/, (by) => deleteOrganization(by, organization)],
  [
    'a new invitation',
    /insert into latchkey\.organization_invitations/,
    (by) => inviteTo(by, organization, { username: stranger.username }),
  ],
  ['a promotion', /update latchkey\.memberships/, (by) => changeMember(by, organization, member, 'admin')],
  ['a removal', /delete from latchkey\.memberships/, (by) => removeMember(by, organization, member)],
];

/** What ends their right to it in the middle of it. */
const losses: [how: string, loss: (by: Person) => Promise<{ count: number }>, code: string][] = [
  ['is demoted', (by) => setMembership(service, organization, by, 'user'), 'forbidden'],
  ['is removed', (by) => deleteMembership(service, organization, by), 'forbidden'],
  ['loses the session', (by) => endSessions(service, by), 'not_authenticated'],
  ['is disabled', (by) => through(() => disable(chief.browser, by))(), 'not_authenticated'],
];

describe.each(changes)('%s by somebody who', (_, before, act) => {
  const expectNothing = async (by: Person, loss: () => Promise<{ count: number }>, code: string) => {
    const { answer, changed } = await meet(service, {
      before,
      change: loss,
      act: (instance) => act(instance.browser(by.browser.cookies)),
    });
    expect(changed).toBeGreaterThan(0);
    expectProblem(answer, code as 'forbidden');
    expect((await getOrganization(founder.browser, organization)).body.organization).toEqual(organization);
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [member.username]: 'user' });
    expect(await membersOf(founder.browser, organization)).not.toHaveProperty(stranger.username);
    expect(await auditRowsOf(service, answer)).toMatchObject(
      code === 'forbidden' ? [{ outcome: 'failure', details: { reason: 'role_too_low' } }] : [],
    );
  };

  test.each(losses)('%s in the middle of it does not happen', (_, loss, code) =>
    expectNothing(admin, () => loss(admin), code),
  );

  test('is a superadmin no longer does not happen', async () => {
    const fallen = await signUpAs(service, 'superadmin');
    await expectNothing(fallen, () => setRole(service, fallen, 'admin'), 'forbidden');
  });
});

test.each(changes)('%s in an organization that is deleted meanwhile is refused', async (_, before, act) => {
  for (const by of [admin, chief]) {
    organization = await found(founder.browser);
    await setMembership(service, organization, admin, 'admin');
    await setMembership(service, organization, member, 'user');
    const { answer } = await meet(service, {
      before,
      change: through(() => deleteOrganization(founder.browser, organization)),
      act: (instance) => act(instance.browser(by.browser.cookies)),
    });
    expect([403, 404]).toContain(answer.status);
  }
});

test('an organization is founded by nobody who is an admin no longer in the middle of it', async () => {
  const slug = newUsername('org');
  for (const [loss, code] of [
    [(by: Person) => setRole(service, by, 'user'), 'forbidden'],
    [(by: Person) => endSessions(service, by), 'not_authenticated'],
  ] as const) {
    const person = await signUpAs(service, 'admin');
    const { answer } = await meet(service, {
      before: /insert into latchkey\.organizations/,
      change: () => loss(person),
      act: (instance) =>
        instance.browser(person.browser.cookies).post(organizationsPath, { name: 'Acme', slug }),
    });
    expectProblem(answer, code);
    expect(await service.database.sql`select from latchkey.organizations where slug = ${slug}`).toHaveLength(
      0,
    );
  }
});

test('a new name and, at once, a new slug are both kept', async () => {
  const slug = newUsername('org');
  const { answer } = await meet(service, {
    before: /update latchkey\.organizations\s+set/,
    change: through(() => patchOrganization(founder.browser, organization, { slug })),
    act: (instance) =>
      patchOrganization(instance.browser(admin.browser.cookies), organization, { name: 'Renamed' }),
  });
  expect(answer.body.organization).toMatchObject({ name: 'Renamed', slug });
  expect((await getOrganization(admin.browser, organization)).body.organization).toMatchObject({
    name: 'Renamed',
    slug,
  });
});

describe('somebody who is being added and, in the middle of it,', () => {
  const addMeeting = (change: () => Promise<{ count: number }>) =>
    meet(service, {
      before: /insert into latchkey\.memberships/,
      change,
      act: (instance) => postMember(instance.browser(chief.browser.cookies), organization, stranger),
    });

  test('is added by another is a member once', async () => {
    const { answer } = await addMeeting(
      through(() => postMember(chief.browser, organization, stranger, 'admin')),
    );
    expectProblem(answer, 'already_a_member');
    expect(await membersOf(admin.browser, organization)).toMatchObject({ [stranger.username]: 'admin' });
  });

  test.each<[what: string, change: () => Promise<Answer>, code: 'account_disabled' | 'not_found']>([
    ['is disabled', () => disable(chief.browser, stranger), 'account_disabled'],
    ['is deleted', () => deleteUser(chief.browser, stranger), 'not_found'],
  ])('%s is no member', async (_, change, code) => {
    stranger = await signUp(service);
    const { answer } = await addMeeting(through(change));
    expectProblem(answer, code);
    expect(await membersOf(admin.browser, organization)).not.toHaveProperty(stranger.username);
    const rows = await service.database.sql`
      select from latchkey.memberships where user_id = ${userIdOf(stranger)}`;
    expect(rows).toHaveLength(0);
    stranger = await signUp(service);
  });
});

test('somebody is added to an organization that is deleted at once, or not: no fault of ours, thirty times over', async () => {
  for (let round = 0; round < 30; round += 1) {
    const own = await found(founder.browser);
    const adding = () => postMember(chief.browser, own, stranger);
    const deleting = () => deleteOrganization(founder.browser, own);
    const answers = await together(round % 2 ? [adding, deleting] : [deleting, adding]);
    const [added, deleted] = statuses(round % 2 ? answers : answers.reverse());
    expect([201, 404]).toContain(added);
    expect(deleted).toBe(204);
  }
});
