import { type ErrorCode, type SignUpOptions, sql } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { together } from '../support/many-requests.ts';
import { newUsername, type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { changeRole, deleteUser, disable, found, signUpAs, signUpMember } from './support/authority.ts';
import {
  acceptLink,
  fateOf,
  inEitherOrder,
  link,
  previewLink,
  revokeIn,
} from './support/organization-invitations.ts';
import { changeMember, deleteOrganization, membersOf, removeMember } from './support/organizations.ts';
import { finishSignUp, prepareSignUp, signUpWith, startPath } from './support/sign-ups.ts';

// Services on one database. The table has no foreign key, so only the statement prevents rows without an account.
const asked: object[] = [];
const signUpOptions: SignUpOptions = {
  mode: 'invitation',
  organizationInvitations: true,
  before: (request) => void asked.push(request),
  after: ({ user, invitation }) =>
    sql`insert into public.joined (user_id, organization) values (${user.id}, ${invitation?.organization?.slug ?? null})`,
};
let open: TestService;
let service: ServiceOn;
let closed: ServiceOn;
let superadmin: Person;
let founder: Person;
let creator: Person;
let organization: { id: string; slug: string };
beforeAll(async () => {
  open = await startTestService();
  await open.database.sql`create table public.joined (user_id uuid primary key, organization text)`;
  service = await startServiceOn(open.database.url, { signUp: signUpOptions });
  closed = await startServiceOn(open.database.url, { signUp: { ...signUpOptions, mode: 'closed' } });
  superadmin = await signUpAs(open, 'superadmin');
  founder = await signUpAs(open, 'admin');
});
beforeEach(async () => {
  organization = await found(founder.browser);
  creator = await signUpMember(open, founder.browser, organization, 'admin');
});
afterAll(async () => {
  await Promise.all([service.close(), closed.close()]);
  await open.close();
});

const newLink = (input: object = {}) => link(creator.browser, organization, input);
const start = (on: Pick<ServiceOn, 'browser'>, invitation: string) =>
  on.browser().post(startPath, { username: newUsername(), invitation });
const codeOf = ({ status, body }: Answer): string => (status === 201 ? 'signed up' : body.code);
const countUsers = async () => {
  const [row] = await open.database.sql`select count(*)::int as users from latchkey.users`;
  return row?.users;
};

describe('with `signUp.organizationInvitations`', () => {
  test('a user signs up with a link, gets the role user, and is a member at once', async () => {
    const { invitation, token } = await newLink({ role: 'admin' });
    const person = await signUpWith(service, { invitation: token });
    expect(person.signedUp.body.user.role).toBe('user');
    expect((await membersOf(founder.browser, organization))[person.username]).toBe('admin');
    expect(await fateOf(open, invitation)).toMatchObject({ acceptedBy: userIdOf(person), acceptances: 1 });
    const rows = await open.database.sql`
      select event, target_id, organization_id, details from latchkey.audit_events
      where actor_id = ${userIdOf(person)}`;
    expect(rows).toEqual(
      expect.arrayContaining([
        {
          event: 'account.signup',
          target_id: userIdOf(person),
          organization_id: null,
          details: expect.objectContaining({ invitationId: invitation.id, role: 'user' }),
        },
        {
          event: 'organization_invitation.accept',
          target_id: invitation.id,
          organization_id: organization.id,
          details: { role: 'admin' },
        },
      ]),
    );
    expect(rows).toHaveLength(2);
  });

  test('`signUp.before` and `signUp.after` get the organization', async () => {
    const { invitation, token } = await newLink();
    asked.length = 0;
    const person = await signUpWith(service, { invitation: token });
    const { id, slug } = organization;
    const expected = {
      id: invitation.id,
      role: 'user',
      username: null,
      createdBy: { id: userIdOf(creator), username: creator.username },
      organization: { id, slug, name: expect.any(String), role: 'user' },
    };
    expect(asked).toEqual([
      expect.objectContaining({ invitation: expected }),
      expect.objectContaining({ invitation: expected }),
    ]);
    const [row] = await open.database.sql`
      select organization from public.joined where user_id = ${userIdOf(person)}`;
    expect(row?.organization).toBe(slug);
  });

  test('the preview of a link says whether users can sign up with it', async () => {
    const { token } = await newLink();
    const can = async (on: ServiceOn | TestService) =>
      (await previewLink(on.browser(), token)).body.invitation.canSignUp;
    expect([await can(service), await can(open), await can(closed)]).toEqual([true, false, false]);
    expect(service.auth.config.signUpOrganizationInvitations).toBe(true);
  });

  test('the link of an operator and the link of a superadmin allow a sign-up', async () => {
    const byOperator = await open.auth.asOperator('ops').organizations.invite(organization.slug);
    const bySuperadmin = await link(superadmin.browser, organization);
    for (const { token } of [byOperator, bySuperadmin]) await signUpWith(service, { invitation: `${token}` });
    expect(Object.keys(await membersOf(founder.browser, organization))).toHaveLength(4);
  });

  test('the mode `open` accepts a link, too, and the sign-up uses it up', async () => {
    const instance = await startServiceOn(open.database.url, { signUp: { organizationInvitations: true } });
    const { token } = await newLink();
    await signUpWith(instance, { invitation: token });
    expectProblem(await start(instance, token), 'invitation_unusable');
    await instance.close();
  });

  test('the mode `closed` refuses a link', async () => {
    const { token } = await newLink();
    expectProblem(await start(closed, token), 'sign_up_closed');
    const prepared = await prepareSignUp(service, { invitation: token });
    const browser = closed.browser(prepared.browser.cookies);
    expectProblem(await finishSignUp({ ...prepared, browser }), 'sign_up_closed');
  });

  test('a visitor with a link can check whether a username is available', async () => {
    const { token } = await newLink();
    const check = (invitation: string) =>
      service.browser().post('/auth/username/availability', { username: newUsername(), invitation });
    expect((await check(token)).body).toMatchObject({ available: true });
    expectProblem(await check('unknown'), 'invitation_not_found');
  });
});

test('without `signUp.organizationInvitations`, a link neither starts nor finishes a sign-up', async () => {
  const { token } = await newLink();
  const instance = await startServiceOn(open.database.url, { signUp: { mode: 'invitation' } });
  for (const on of [instance, open]) expectProblem(await start(on, token), 'invitation_not_found');
  const prepared = await prepareSignUp(service, { invitation: token });
  const browser = instance.browser(prepared.browser.cookies);
  expectProblem(await finishSignUp({ ...prepared, browser }), 'invitation_not_found');
  await instance.close();
});

/** Changes after which a link does not work, and the code of the refusal. */
const ends: [how: string, end: (link: { id: string; token: string }) => Promise<unknown>, code: ErrorCode][] =
  [
    ['is revoked', ({ id }) => revokeIn(creator.browser, organization, { id }), 'invitation_unusable'],
    [
      'is accepted by a user who has an account',
      async ({ token }) => acceptLink((await signUpAs(open, 'user')).browser, token),
      'invitation_unusable',
    ],
    [
      'is used for a sign-up',
      ({ token }) => signUpWith(service, { invitation: token }),
      'invitation_unusable',
    ],
    [
      'expires',
      ({ id }) => open.database.sql`
      update latchkey.organization_invitations set expires_at = latchkey.clock() where id = ${id}`,
      'invitation_unusable',
    ],
    ['has a disabled creator', () => disable(superadmin.browser, creator), 'invitation_unusable'],
    ['has a deleted creator', () => deleteUser(superadmin.browser, creator), 'invitation_unusable'],
    [
      'has a creator who can no longer invite',
      () => changeMember(founder.browser, organization, creator, 'user'),
      'invitation_unusable',
    ],
    [
      'has a creator who is no longer a member',
      () => removeMember(founder.browser, organization, creator),
      'invitation_unusable',
    ],
    [
      'belongs to a deleted organization',
      () => deleteOrganization(founder.browser, organization),
      'invitation_not_found',
    ],
  ];

describe('if a link', () => {
  test.each(ends)('%s, a sign-up neither starts nor finishes', async (_, end, code) => {
    const { invitation, token } = await newLink();
    const prepared = await prepareSignUp(service, { invitation: token });
    await end({ id: invitation.id, token });
    const before = await countUsers();
    expectProblem(await start(service, token), code);
    expectProblem(await finishSignUp(prepared), code);
    expect(await countUsers()).toBe(before);
    expect((await open.auditRows()).at(-1)).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      target_name: prepared.username,
      details: { reason: code },
    });
  });

  test.each(ends)('%s while a sign-up finishes, the sign-up stores nothing', async (_, end, code) => {
    const { invitation, token } = await newLink();
    const prepared = await prepareSignUp(service, { invitation: token });
    const username = prepared.username;
    const { answer, changed } = await meet(open, {
      options: { signUp: signUpOptions },
      before: /set accepted_by/,
      change: async () => {
        await end({ id: invitation.id, token });
        return { count: 1 };
      },
      act: (instance) => finishSignUp({ ...prepared, browser: instance.browser(prepared.browser.cookies) }),
    });
    expect(changed).toBe(1);
    expectProblem(answer, code);
    const rows = await open.database.sql`select from latchkey.users where username = ${username}`;
    expect(rows).toHaveLength(0);
    const orphans = await open.database.sql`
        select from public.joined where not exists (select 1 from latchkey.users where id = joined.user_id)`;
    expect(orphans).toHaveLength(0);
  });

  test('has a creator whose membership is deleted with SQL, a sign-up that finishes stores nothing', async () => {
    const { token } = await newLink();
    const prepared = await prepareSignUp(service, { invitation: token });
    const { answer } = await meet(open, {
      options: { signUp: signUpOptions },
      before: /set accepted_by/,
      change: () => open.database.sql`
        delete from latchkey.memberships
        where organization_id = ${organization.id} and user_id = ${userIdOf(creator)}`,
      act: (instance) => finishSignUp({ ...prepared, browser: instance.browser(prepared.browser.cookies) }),
    });
    expectProblem(answer, 'invitation_unusable');
  });
});

test('one link creates one account in ten concurrent sign-ups on two instances', async () => {
  const second = await startSecondInstance(open, { signUp: signUpOptions });
  for (let round = 0; round < 5; round += 1) {
    const { invitation, token } = await newLink();
    const prepared = await Promise.all(
      Array.from({ length: 10 }, () => prepareSignUp(service, { invitation: token })),
    );
    const answers = await together(
      prepared.map(
        (one, n) => () =>
          finishSignUp(n % 2 ? one : { ...one, browser: second.browser(one.browser.cookies) }),
      ),
    );
    expect(answers.map(codeOf).sort()).toEqual([...Array(9).fill('invitation_unusable'), 'signed up']);
    expect((await fateOf(open, invitation)).acceptances).toBe(1);
    expect(Object.keys(await membersOf(founder.browser, organization))).toHaveLength(3 + round);
  }
  await second.close();
});

test('if a sign-up and an acceptance use a link concurrently, exactly one succeeds', async () => {
  const member = await signUpAs(open, 'user');
  for (let round = 0; round < 10; round += 1) {
    const place = await found(founder.browser);
    const { invitation, token } = await link(founder.browser, place);
    const prepared = await prepareSignUp(service, { invitation: token });
    const [signedUp, accepted] = await inEitherOrder(
      round,
      () => finishSignUp(prepared),
      () => acceptLink(member.browser, token),
    );
    expect([
      [201, 410],
      [410, 200],
    ]).toContainEqual([signedUp, accepted]);
    expect((await fateOf(open, invitation)).acceptances).toBe(1);
  }
});

test('if a sign-up uses a link that is concurrently revoked, exactly one of the two succeeds', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { invitation, token } = await newLink();
    const prepared = await prepareSignUp(service, { invitation: token });
    const [signedUp, revoked] = await inEitherOrder(
      round,
      () => finishSignUp(prepared),
      () => revokeIn(creator.browser, organization, invitation),
    );
    const { acceptances, revocations } = await fateOf(open, invitation);
    expect(signedUp === 201 ? [acceptances, revocations] : [revocations, acceptances]).toEqual([1, 0]);
    expect(revoked === 204).toBe(signedUp !== 201);
  }
});

test('if the creator’s role changes during a sign-up, the sign-up uses the link or the link is revoked', async () => {
  for (let round = 0; round < 10; round += 1) {
    const one = await signUpMember(open, founder.browser, organization, 'admin');
    const { invitation, token } = await link(one.browser, organization);
    const prepared = await prepareSignUp(service, { invitation: token });
    const [signedUp, changed] = await inEitherOrder(
      round,
      () => finishSignUp(prepared),
      () => changeRole(superadmin.browser, one, 'admin'),
    );
    expect(changed).toBe(200);
    const { acceptances, revoked } = await fateOf(open, invitation);
    expect([acceptances, revoked]).toEqual(signedUp === 201 ? [1, false] : [0, true]);
  }
});
