import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { endSessions, setRole, setStatus } from './support/accounts.ts';
import {
  changeRole,
  deleteAccount,
  deleteUser,
  disable,
  enable,
  found,
  inviteTo,
  leaveOrganization,
  postMember,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import {
  acceptLink,
  acceptReceived,
  declineReceived,
  fateOf,
  invitationsOf,
  link,
  offer,
  previewLink,
  revokeIn,
} from './support/organization-invitations.ts';
import {
  changeMember,
  deleteMembership,
  deleteOrganization,
  membersOf,
  removeMember,
  setMembership,
} from './support/organizations.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let creator: Person;
let person: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(founder.browser);
  creator = await signUpMember(service, founder.browser, organization, 'admin');
  person = await signUp(service);
});

const asCount = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** Accepts as `person`. Calls `change` after the service reads the invitation and before it writes. */
async function acceptDuring(
  accept: (browser: Person['browser']) => Promise<Answer>,
  change: () => Promise<{ count: number }>,
  before = /set accepted_by/,
): Promise<Answer> {
  const { answer, changed } = await meet(service, {
    before,
    change,
    act: (instance) => accept(instance.browser(person.browser.cookies)),
  });
  expect(changed).toBeGreaterThan(0);
  return answer;
}

const expectNoMember = async () => {
  const rows = await service.database.sql`
    select from latchkey.memberships
    where organization_id = ${organization.id} and user_id = ${userIdOf(person)}`;
  expect(rows).toHaveLength(0);
};

/** Changes after which the creator's invitations are revoked. */
const losses: [how: string, loss: () => Promise<{ count: number }>][] = [
  ['is demoted', () => asCount(() => changeMember(founder.browser, organization, creator, 'user'))()],
  ['is removed', () => asCount(() => removeMember(founder.browser, organization, creator))()],
  ['leaves', () => asCount(() => leaveOrganization(creator.browser, organization))()],
  ['is disabled', () => asCount(() => disable(superadmin.browser, creator))()],
  ['is deleted', () => asCount(() => deleteUser(superadmin.browser, creator))()],
  ['deletes their own account', () => asCount(() => deleteAccount(creator.browser))()],
  ['gets another role', () => asCount(() => changeRole(superadmin.browser, creator, 'admin'))()],
];

describe('if the creator of an invitation', () => {
  test.each(losses)('%s, the invitation is revoked, even if it is a link', async (_, loss) => {
    const named = await offer(creator.browser, organization, person);
    const { invitation, token } = await link(creator.browser, organization);
    const kept = await offer(founder.browser, organization, await signUp(service));
    expect(await loss()).toEqual({ count: 1 });
    expectProblem(await acceptReceived(person.browser, named), 'invitation_unusable');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    expectProblem(await previewLink(person.browser, token), 'invitation_unusable');
    const statusOf = new Map(
      (await invitationsOf(founder.browser, organization)).map(({ id, status }) => [id, status]),
    );
    expect([named, invitation, kept].map(({ id }) => statusOf.get(id))).toEqual([
      'revoked',
      'revoked',
      'pending',
    ]);
    await expectNoMember();
  });

  test.each(losses)(
    '%s between the read and the write of an acceptance, the invitation cannot be accepted',
    async (_, loss) => {
      const named = await offer(creator.browser, organization, person);
      const answer = await acceptDuring((browser) => acceptReceived(browser, named), loss);
      expectProblem(answer, 'invitation_unusable');
      await expectNoMember();
    },
  );

  test.each<[how: string, loss: () => PromiseLike<{ count: number }>]>([
    ['is no longer an organization admin', () => setMembership(service, organization, creator, 'user')],
    ['is no longer a member', () => deleteMembership(service, organization, creator)],
    ['is disabled', () => setStatus(service, creator, 'disabled')],
  ])('%s, the invitation cannot be accepted, even if it was not revoked', async (_, loss) => {
    const { token } = await link(creator.browser, organization);
    const overtaken = await acceptDuring(
      (browser) => acceptLink(browser, token),
      async () => ({ count: (await loss()).count }),
    );
    expectProblem(overtaken, 'invitation_unusable');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    expectProblem(await previewLink(person.browser, token), 'invitation_unusable');
    await expectNoMember();
  });

  test('is no longer a superadmin and is not an organization admin, the invitation cannot be accepted', async () => {
    const otherSuperadmin = await signUpAs(service, 'superadmin');
    const { token } = await link(otherSuperadmin.browser, organization);
    await setRole(service, otherSuperadmin, 'admin');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    const { token: other } = await link(creator.browser, organization);
    await changeMember(founder.browser, organization, creator, 'admin');
    expect((await acceptLink(person.browser, other)).status).toBe(200);
  });

  test('is disabled, the invitation stays revoked after the creator is enabled again', async () => {
    const { token } = await link(creator.browser, organization);
    await disable(superadmin.browser, creator);
    await enable(superadmin.browser, creator);
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
  });

  test('is demoted just before the insert, the invitation is not created', async () => {
    const { answer } = await meet(service, {
      before: /insert into latchkey\.organization_invitations/,
      change: asCount(() => changeMember(founder.browser, organization, creator, 'user')),
      act: (instance) => inviteTo(instance.browser(creator.browser.cookies), organization),
    });
    expectProblem(answer, 'forbidden');
    expect((await invitationsOf(founder.browser, organization)).map(({ status }) => status)).toEqual([
      'accepted',
    ]);
  });
});

// The other change is committed between the read and the write of the acceptance.
describe('accepting an invitation concurrently with', () => {
  test.each<[what: string, change: (id: string) => () => Promise<{ count: number }>, code: string]>([
    [
      'the revocation of the invitation',
      (id) => asCount(() => revokeIn(founder.browser, organization, { id })),
      'invitation_unusable',
    ],
    [
      'the decline of the invitation',
      (id) => asCount(() => declineReceived(person.browser, { id })),
      'invitation_unusable',
    ],
    [
      'the deletion of the organization',
      () => asCount(() => deleteOrganization(founder.browser, organization)),
      'invitation_not_found',
    ],
    [
      'a superadmin adding the user',
      () => asCount(() => postMember(superadmin.browser, organization, person, 'admin')),
      'already_a_member',
    ],
    [
      'the disabling of the user',
      () => asCount(() => disable(superadmin.browser, person)),
      'not_authenticated',
    ],
    [
      'the deletion of the user',
      () => asCount(() => deleteUser(superadmin.browser, person)),
      'not_authenticated',
    ],
    [
      'the end of the session',
      () => async () => ({ count: (await endSessions(service, person)).count }),
      'not_authenticated',
    ],
  ])('%s: the acceptance is rejected with the matching error', async (what, change, code) => {
    const named = await offer(creator.browser, organization, person);
    const answer = await acceptDuring((browser) => acceptReceived(browser, named), change(named.id));
    expectProblem(answer, code as 'not_found');
    expect((await fateOf(service, named)).acceptances).toBe(0);
    if (!what.includes('adding')) await expectNoMember();
  });

  test('another change of the user’s account: the acceptance succeeds', async () => {
    const named = await offer(creator.browser, organization, person);
    const answer = await acceptDuring(
      (browser) => acceptReceived(browser, named),
      async () => ({
        count: (
          await service.database.sql`
        update latchkey.users set version = version + 1 where id = ${userIdOf(person)} and version < 5`
        ).count,
      }),
    );
    expect(answer.status).toBe(200);
  });

  test('the acceptance of another invitation to the organization: only one membership is created', async () => {
    const named = await offer(creator.browser, organization, person, { role: 'admin' });
    const { token } = await link(founder.browser, organization);
    const answer = await acceptDuring(
      (browser) => acceptReceived(browser, named),
      asCount(() => acceptLink(person.browser, token)),
    );
    expectProblem(answer, 'already_a_member');
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [person.username]: 'user' });
    expect(await fateOf(service, named)).toMatchObject({ acceptedBy: null, revoked: false });
  });
});

test('a decline during an acceptance or a revocation of the same invitation is rejected with the matching error', async () => {
  for (const [change, code] of [
    [(id: string) => acceptReceived(person.browser, { id }), 'invitation_already_accepted'],
    [(id: string) => revokeIn(founder.browser, organization, { id }), 'invitation_unusable'],
  ] as const) {
    person = await signUp(service);
    const named = await offer(creator.browser, organization, person);
    const { answer } = await meet(service, {
      before: /set declined_at/,
      change: asCount(() => change(named.id)),
      act: (instance) => declineReceived(instance.browser(person.browser.cookies), named),
    });
    expectProblem(answer, code);
    expect(await fateOf(service, named)).toMatchObject({ declined: false, declines: 0 });
  }
});

test('inviting a user who is concurrently disabled or deleted is rejected', async () => {
  for (const [change, code] of [
    [disable, 'account_disabled'],
    [deleteUser, 'not_found'],
  ] as const) {
    person = await signUp(service);
    const { username } = person;
    const { answer } = await meet(service, {
      before: /insert into latchkey\.organization_invitations/,
      change: asCount(() => change(superadmin.browser, person)),
      act: (instance) => inviteTo(instance.browser(creator.browser.cookies), organization, { username }),
    });
    expectProblem(answer, code);
  }
});
