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
let chief: Person;
let founder: Person;
let maker: Person;
let person: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  chief = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(founder.browser);
  maker = await signUpMember(service, founder.browser, organization, 'admin');
  person = await signUp(service);
});

const through = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** Lets the person accept while something happens between the read and the write. */
async function acceptMeeting(
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

/** How the maker loses the authority to invite, and what tells of it. */
const losses: [how: string, loss: () => Promise<{ count: number }>][] = [
  ['is demoted', () => through(() => changeMember(founder.browser, organization, maker, 'user'))()],
  ['is removed', () => through(() => removeMember(founder.browser, organization, maker))()],
  ['leaves', () => through(() => removeMember(maker.browser, organization, maker))()],
  ['is disabled', () => through(() => disable(chief.browser, maker))()],
  ['is deleted', () => through(() => deleteUser(chief.browser, maker))()],
  ['deletes the own account', () => through(() => deleteAccount(maker.browser))()],
  ['gets another role', () => through(() => changeRole(chief.browser, maker, 'admin'))()],
];

describe('an invitation whose maker', () => {
  test.each(losses)('%s is revoked, and so is a link', async (_, loss) => {
    const named = await offer(maker.browser, organization, person);
    const { invitation, token } = await link(maker.browser, organization);
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

  test.each(losses)('%s between the read and the write of an acceptance is not accepted', async (_, loss) => {
    const named = await offer(maker.browser, organization, person);
    const answer = await acceptMeeting((browser) => acceptReceived(browser, named), loss);
    expectProblem(answer, 'invitation_unusable');
    await expectNoMember();
  });

  test.each<[how: string, loss: () => PromiseLike<{ count: number }>]>([
    ['is a user of the organization', () => setMembership(service, organization, maker, 'user')],
    ['is no member', () => deleteMembership(service, organization, maker)],
    ['is disabled', () => setStatus(service, maker, 'disabled')],
  ])('%s without its being revoked is not accepted, before or during the write', async (_, loss) => {
    const { token } = await link(maker.browser, organization);
    const met = await acceptMeeting(
      (browser) => acceptLink(browser, token),
      async () => ({ count: (await loss()).count }),
    );
    expectProblem(met, 'invitation_unusable');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    expectProblem(await previewLink(person.browser, token), 'invitation_unusable');
    await expectNoMember();
  });

  test('is a superadmin no longer is not accepted, and stays accepted where the maker is only promoted', async () => {
    const ruler = await signUpAs(service, 'superadmin');
    const { token } = await link(ruler.browser, organization);
    await setRole(service, ruler, 'admin');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    const { token: other } = await link(maker.browser, organization);
    await changeMember(founder.browser, organization, maker, 'admin');
    expect((await acceptLink(person.browser, other)).status).toBe(200);
  });

  test('is disabled stays revoked once the maker is enabled', async () => {
    const { token } = await link(maker.browser, organization);
    await disable(chief.browser, maker);
    await enable(chief.browser, maker);
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
  });

  test('is demoted while it is being made is never pending', async () => {
    const { answer } = await meet(service, {
      before: /insert into latchkey\.organization_invitations/,
      change: through(() => changeMember(founder.browser, organization, maker, 'user')),
      act: (instance) => inviteTo(instance.browser(maker.browser.cookies), organization),
    });
    expectProblem(answer, 'forbidden');
    expect((await invitationsOf(founder.browser, organization)).map(({ status }) => status)).toEqual([
      'accepted',
    ]);
  });
});

describe('an acceptance that is met, between its read and its write, by', () => {
  test.each<[what: string, change: (id: string) => () => Promise<{ count: number }>, code: string]>([
    [
      'the revoking of the invitation',
      (id) => through(() => revokeIn(founder.browser, organization, { id })),
      'invitation_unusable',
    ],
    [
      'the decline of the invitation',
      (id) => through(() => declineReceived(person.browser, { id })),
      'invitation_unusable',
    ],
    [
      'the deletion of the organization',
      () => through(() => deleteOrganization(founder.browser, organization)),
      'invitation_not_found',
    ],
    [
      'a superadmin’s adding of the user',
      () => through(() => postMember(chief.browser, organization, person, 'admin')),
      'already_a_member',
    ],
    ['the disabling of the user', () => through(() => disable(chief.browser, person)), 'not_authenticated'],
    ['the deletion of the user', () => through(() => deleteUser(chief.browser, person)), 'not_authenticated'],
    [
      'the end of the session',
      () => async () => ({ count: (await endSessions(service, person)).count }),
      'not_authenticated',
    ],
  ])('%s answers what is true by then', async (what, change, code) => {
    const named = await offer(maker.browser, organization, person);
    const answer = await acceptMeeting((browser) => acceptReceived(browser, named), change(named.id));
    expectProblem(answer, code as 'not_found');
    expect((await fateOf(service, named)).acceptances).toBe(0);
    if (!what.includes('adding')) await expectNoMember();
  });

  test('a change of the user’s role succeeds', async () => {
    const named = await offer(maker.browser, organization, person);
    const answer = await acceptMeeting(
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

  test('the acceptance of another invitation to the organization makes one membership', async () => {
    const named = await offer(maker.browser, organization, person, { role: 'admin' });
    const { token } = await link(founder.browser, organization);
    const answer = await acceptMeeting(
      (browser) => acceptReceived(browser, named),
      through(() => acceptLink(person.browser, token)),
    );
    expectProblem(answer, 'already_a_member');
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [person.username]: 'user' });
    expect(await fateOf(service, named)).toMatchObject({ acceptedBy: null, revoked: false });
  });
});

test('a decline that is met by an acceptance, or by the revoking, answers so', async () => {
  for (const [change, code] of [
    [(id: string) => acceptReceived(person.browser, { id }), 'invitation_already_accepted'],
    [(id: string) => revokeIn(founder.browser, organization, { id }), 'invitation_unusable'],
  ] as const) {
    person = await signUp(service);
    const named = await offer(maker.browser, organization, person);
    const { answer } = await meet(service, {
      before: /set declined_at/,
      change: through(() => change(named.id)),
      act: (instance) => declineReceived(instance.browser(person.browser.cookies), named),
    });
    expectProblem(answer, code);
    expect(await fateOf(service, named)).toMatchObject({ declined: false, declines: 0 });
  }
});

test('an invitation of a user who is disabled or deleted while it is made is refused', async () => {
  for (const [change, code] of [
    [disable, 'account_disabled'],
    [deleteUser, 'not_found'],
  ] as const) {
    person = await signUp(service);
    const { username } = person;
    const { answer } = await meet(service, {
      before: /insert into latchkey\.organization_invitations/,
      change: through(() => change(chief.browser, person)),
      act: (instance) => inviteTo(instance.browser(maker.browser.cookies), organization, { username }),
    });
    expectProblem(answer, code);
  }
});
