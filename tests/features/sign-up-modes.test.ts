import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logIn, newUsername, type Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { admit, found, inviteTo, signUpAs } from './support/authority.ts';
import {
  finishSignUp,
  inviteUser,
  prepareSignUp,
  signUpWith,
  startPath,
  userInvitationsPath,
} from './support/sign-ups.ts';

// Three services on one database, one for each mode.
let open: TestService;
let byInvitation: ServiceOn;
let closed: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  open = await startTestService();
  const { url } = open.database;
  byInvitation = await startServiceOn(url, { signUp: { mode: 'invitation' } });
  closed = await startServiceOn(url, { env: { SIGN_UP: 'closed' } });
  superadmin = await signUpAs(open, 'superadmin');
});
beforeEach(async () => {
  await open.database.sql`update latchkey.sessions set authenticated_at = latchkey.clock()`;
});
afterAll(async () => {
  await Promise.all([closed.close(), byInvitation.close()]);
  await open.close();
});

const lastEvent = async () => (await open.auditRows()).at(-1);
const countUsers = async () => {
  const [row] = await open.database.sql`select count(*)::int as users from latchkey.users`;
  return row?.users;
};
const availabilityPath = '/auth/username/availability';

test.each([
  ['open', () => open],
  ['invitation', () => byInvitation],
  ['closed', () => closed],
])('`GET /sign-up` and `auth.config` return the mode %s', async (mode, service) => {
  const answer = await service().browser().get('/auth/sign-up');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ mode });
  expect(service().auth.config.signUpMode).toBe(mode);
});

describe('in the mode `invitation`', () => {
  test('a sign-up without an invitation is refused and recorded', async () => {
    const username = newUsername();
    expectProblem(await byInvitation.browser().post(startPath, { username }), 'invitation_required');
    expect(await lastEvent()).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      target_name: username,
      details: { reason: 'invitation_required' },
    });
  });

  test('the refusal does not reveal whether a username exists', async () => {
    const answers = await Promise.all(
      [superadmin.username, newUsername(), 'admin', 'no good'].map((username) =>
        byInvitation.browser().post(startPath, { username }),
      ),
    );
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    const available = await Promise.all(
      [superadmin.username, newUsername()].map((username) =>
        byInvitation.browser().get(`${availabilityPath}?username=${username}`),
      ),
    );
    for (const answer of available) expectProblem(answer, 'invitation_required');
  });

  test('a sign-up that started in the mode `open` cannot finish without an invitation', async () => {
    const prepared = await prepareSignUp(open);
    const before = await countUsers();
    const browser = byInvitation.browser(prepared.browser.cookies);
    expectProblem(await finishSignUp({ ...prepared, browser }), 'invitation_required');
    expect(await countUsers()).toBe(before);
  });

  test('a user signs up with a user invitation and gets the role user', async () => {
    const { id, token, url } = await inviteUser(superadmin.browser);
    expect(url).toBe(`http://localhost:3000/invitation#token=${token}`);
    const person = await signUpWith(byInvitation, { invitation: token });
    const { user } = person.signedUp.body;
    expect(user.role).toBe('user');
    expect((await person.browser.get('/auth/session')).body.user.username).toBe(person.username);
    const [stored] = await open.database.sql`
      select accepted_by, accepted_at is not null as accepted from latchkey.invitations where id = ${id}`;
    expect(stored).toEqual({ accepted_by: user.id, accepted: true });
    const rows = (await open.auditRows()).filter(({ actor_id }) => actor_id === user.id);
    expect(rows.map(({ event, target_id, details }) => ({ event, target_id, details }))).toEqual(
      expect.arrayContaining([
        {
          event: 'account.signup',
          target_id: user.id,
          details: expect.objectContaining({ invitationId: id, role: 'user' }),
        },
        { event: 'invitation.accept', target_id: id, details: { role: 'user' } },
      ]),
    );
    expect(rows).toHaveLength(2);
  });

  test('a user signs up with an admin invitation, gets the role admin and a session of an admin', async () => {
    const { token } = await open.auth.asOperator('ops').invitations.create();
    const person = await signUpWith(byInvitation, { invitation: token });
    expect(person.signedUp.body.user.role).toBe('admin');
    const [session] = await open.database.sql`
      select extract(epoch from ends_at - created_at)::int as seconds from latchkey.sessions
      where user_id = ${person.signedUp.body.user.id}`;
    expect(session?.seconds).toBe(86_400);
    expect((await person.browser.get(userInvitationsPath)).status).toBe(200);
  });

  test('the invited user can check whether a username is available', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const check = (username: string, invitation?: string) =>
      byInvitation.browser().post(availabilityPath, { username, invitation });
    expect((await check(superadmin.username, token)).body).toMatchObject({
      available: false,
      reason: 'taken',
    });
    expect((await check(newUsername(), token)).body).toMatchObject({ available: true });
    expectProblem(await check(newUsername()), 'invitation_required');
    const wrong = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    expectProblem(await check(newUsername(), wrong), 'invitation_not_found');
    const bound = await inviteUser(superadmin.browser, { username: newUsername() });
    expectProblem(await check(newUsername(), bound.token), 'invitation_for_another_user');
  });

  test('a user who has an account signs in and joins an organization as in the mode `open`', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(byInvitation, { invitation: token });
    const admin = await signUpAs(open, 'admin');
    const organization = await found(admin.browser);
    await admit(admin.browser, organization, person);
    const browser = byInvitation.browser();
    expect((await logIn(browser, person.authenticator)).status).toBe(200);
    const { body } = await browser.get('/auth/organizations');
    expect(body.organizations.map(({ id }: { id: string }) => id)).toEqual([organization.id]);
  });

  test('the link of an organization invitation does not allow a sign-up', async () => {
    const admin = await signUpAs(open, 'admin');
    const { token } = (await inviteTo(admin.browser, await found(admin.browser))).body;
    expectProblem(
      await byInvitation.browser().post(startPath, { username: newUsername(), invitation: token }),
      'invitation_not_found',
    );
  });
});

describe('in the mode `closed`', () => {
  test('every sign-up is refused and recorded, even with an invitation', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const admin = await open.auth.asOperator('ops').invitations.create();
    for (const invitation of [undefined, token, admin.token, 'unknown']) {
      const answer = await closed.browser().post(startPath, { username: newUsername(), invitation });
      expectProblem(answer, 'sign_up_closed');
      expect((await lastEvent())?.details).toEqual({ reason: 'sign_up_closed' });
    }
  });

  test('a sign-up that started in another mode cannot finish', async () => {
    const { token } = await inviteUser(superadmin.browser);
    for (const prepared of [await prepareSignUp(open), await prepareSignUp(open, { invitation: token })]) {
      const browser = closed.browser(prepared.browser.cookies);
      expectProblem(await finishSignUp({ ...prepared, browser }), 'sign_up_closed');
    }
  });

  test('usernames cannot be checked, not even with an invitation', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const username = newUsername();
    expectProblem(await closed.browser().get(`${availabilityPath}?username=${username}`), 'sign_up_closed');
    for (const body of [{ username }, { username, invitation: token }])
      expectProblem(await closed.browser().post(availabilityPath, body), 'sign_up_closed');
  });

  test('no user invitation can be created, and the refusal is recorded', async () => {
    const browser = closed.browser(superadmin.browser.cookies);
    expectProblem(await browser.post(userInvitationsPath, {}), 'sign_up_closed');
    expect(await lastEvent()).toMatchObject({
      event: 'invitation.create',
      outcome: 'failure',
      actor_id: superadmin.signedUp.body.user.id,
      details: { reason: 'sign_up_closed' },
    });
    await expect(closed.auth.asOperator('ops').invitations.create({ role: 'user' })).rejects.toMatchObject({
      code: 'sign_up_closed',
    });
  });

  test('users sign in, and accept admin invitations', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(open, { invitation: token });
    const browser = closed.browser();
    expect((await logIn(browser, person.authenticator)).status).toBe(200);
    const admin = await open.auth.asOperator('ops').invitations.create();
    const accepted = await browser.post('/auth/admin/invitations/accept', { token: admin.token });
    expect(accepted.body.user.role).toBe('admin');
  });

  test('an operator creates the first superadmin', async () => {
    const empty = await startTestService({ signUp: { mode: 'closed' } });
    const { user, link } = await empty.auth.asOperator('ops').bootstrap({ username: 'root-user' });
    expect(user.role).toBe('superadmin');
    expect(link).not.toBeNull();
    await empty.close();
  });
});

describe('in the mode `open`', () => {
  test('a sign-up with an invitation uses up the invitation', async () => {
    const { token } = await inviteUser(superadmin.browser);
    await signUpWith(open, { invitation: token });
    expectProblem(
      await open.browser().post(startPath, { username: newUsername(), invitation: token }),
      'invitation_unusable',
    );
  });

  test('a sign-up with an unknown invitation is refused, not treated as a sign-up without an invitation', async () => {
    for (const invitation of ['unknown', '']) {
      const answer = await open.browser().post(startPath, { username: newUsername(), invitation });
      expectProblem(answer, 'invitation_not_found');
    }
  });
});
