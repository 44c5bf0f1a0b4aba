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
let superadmin: Person;
let founder: Person;
let admin: Person;
let member: Person;
let stranger: Person;
let organization: { id: string; slug: string };
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  stranger = await signUp(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(founder.browser);
  admin = await signUpMember(service, founder.browser, organization, 'admin');
  member = await signUpMember(service, founder.browser, organization);
});

const asCount = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** What an organization admin can do, and the statement that does it. */
const changes: [what: string, before: RegExp, act: (browser: TestAgent) => Promise<Answer>][] = [
  [
    'renaming the organization',
    /update latchkey\.organizations\s+set/,
    (by) => patchOrganization(by, organization, { name: 'X' }),
  ],
  [
    'deleting the organization',
    /delete from latchkey\.organizations/,
    (by) => deleteOrganization(by, organization),
  ],
  [
    'inviting a user',
    /insert into latchkey\.organization_invitations/,
    (by) => inviteTo(by, organization, { username: stranger.username }),
  ],
  [
    'promoting a member',
    /update latchkey\.memberships/,
    (by) => changeMember(by, organization, member, 'admin'),
  ],
  ['removing a member', /delete from latchkey\.memberships/, (by) => removeMember(by, organization, member)],
];

/** Changes after which the organization admin must be rejected. */
const losses: [how: string, loss: (by: Person) => Promise<{ count: number }>, code: string][] = [
  ['is demoted', (by) => setMembership(service, organization, by, 'user'), 'forbidden'],
  ['is removed', (by) => deleteMembership(service, organization, by), 'forbidden'],
  ['loses their session', (by) => endSessions(service, by), 'not_authenticated'],
  ['is disabled', (by) => asCount(() => disable(superadmin.browser, by))(), 'not_authenticated'],
];

describe.each(changes)('%s is rejected if the caller', (_, before, act) => {
  const expectRejected = async (by: Person, loss: () => Promise<{ count: number }>, code: string) => {
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
    const reason = code === 'forbidden' ? 'role_too_low' : 'session_ended';
    expect(await auditRowsOf(service, answer)).toMatchObject([{ outcome: 'failure', details: { reason } }]);
  };

  test.each(losses)('is an organization admin and %s before the statement runs', (_, loss, code) =>
    expectRejected(admin, () => loss(admin), code),
  );

  test('is a superadmin without a membership and is demoted before the statement runs', async () => {
    const demoted = await signUpAs(service, 'superadmin');
    await expectRejected(demoted, () => setRole(service, demoted, 'admin'), 'forbidden');
  });
});

test.each(changes)('%s is rejected if the organization is concurrently deleted', async (_, before, act) => {
  for (const by of [admin, superadmin]) {
    organization = await found(founder.browser);
    await setMembership(service, organization, admin, 'admin');
    await setMembership(service, organization, member, 'user');
    const { answer } = await meet(service, {
      before,
      change: asCount(() => deleteOrganization(founder.browser, organization)),
      act: (instance) => act(instance.browser(by.browser.cookies)),
    });
    expect([403, 404]).toContain(answer.status);
  }
});

test('creating an organization is rejected if the admin is demoted or signed out before the statement runs', async () => {
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

test('concurrent updates of the name and the slug are both kept', async () => {
  const slug = newUsername('org');
  const { answer } = await meet(service, {
    before: /update latchkey\.organizations\s+set/,
    change: asCount(() => patchOrganization(founder.browser, organization, { slug })),
    act: (instance) =>
      patchOrganization(instance.browser(admin.browser.cookies), organization, { name: 'Renamed' }),
  });
  expect(answer.body.organization).toMatchObject({ name: 'Renamed', slug });
  expect((await getOrganization(admin.browser, organization)).body.organization).toMatchObject({
    name: 'Renamed',
    slug,
  });
});

describe('adding a user to an organization', () => {
  const addMeeting = (change: () => Promise<{ count: number }>) =>
    meet(service, {
      before: /insert into latchkey\.memberships/,
      change,
      act: (instance) => postMember(instance.browser(superadmin.browser.cookies), organization, stranger),
    });

  test('creates only one membership if another request adds the user concurrently', async () => {
    const { answer } = await addMeeting(
      asCount(() => postMember(superadmin.browser, organization, stranger, 'admin')),
    );
    expectProblem(answer, 'already_a_member');
    expect(await membersOf(admin.browser, organization)).toMatchObject({ [stranger.username]: 'admin' });
  });

  test.each<[what: string, change: () => Promise<Answer>, code: 'account_disabled' | 'not_found']>([
    ['disabling', () => disable(superadmin.browser, stranger), 'account_disabled'],
    ['deleting', () => deleteUser(superadmin.browser, stranger), 'not_found'],
  ])('is rejected while another request is %s the user', async (_, change, code) => {
    stranger = await signUp(service);
    const { answer } = await addMeeting(asCount(change));
    expectProblem(answer, code);
    expect(await membersOf(admin.browser, organization)).not.toHaveProperty(stranger.username);
    const rows = await service.database.sql`
      select from latchkey.memberships where user_id = ${userIdOf(stranger)}`;
    expect(rows).toHaveLength(0);
    stranger = await signUp(service);
  });
});

test('adding a user concurrently with deleting the organization returns 201 or 404 (20 rounds)', async () => {
  for (let round = 0; round < 20; round += 1) {
    const own = await found(founder.browser);
    const adding = () => postMember(superadmin.browser, own, stranger);
    const deleting = () => deleteOrganization(founder.browser, own);
    const answers = await together(round % 2 ? [adding, deleting] : [deleting, adding]);
    const [added, deleted] = statuses(round % 2 ? answers : answers.reverse());
    expect([201, 404]).toContain(added);
    expect(deleted).toBe(204);
  }
});
