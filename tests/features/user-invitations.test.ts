import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { times } from '../support/many-requests.ts';
import { newUsername, type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, changeRole, deleteUser, disable, invitationsPath } from './support/authority.ts';
import { auditRowsOfInvitation, inviteWhole, preview } from './support/invitations.ts';
import {
  finishSignUp,
  inviteUser,
  prepareSignUp,
  signUpWith,
  startPath,
  userInvitationsPath,
} from './support/sign-ups.ts';

let service: TestService;
let superadmin: Person;
let admin: Person;
beforeAll(async () => {
  service = await startTestService({ signUp: { mode: 'invitation' } });
  const firstBy = async (role: 'admin' | 'user') =>
    (await service.auth.asOperator('ops').invitations.create({ role })).token;
  superadmin = await signUpWith(service, { invitation: await firstBy('user') });
  await service.auth.asOperator('ops').users.changeRole(superadmin.username, 'superadmin');
  admin = await signUpWith(service, { invitation: await firstBy('admin') });
});
afterAll(() => service.close());

const start = (invitation: string, username = newUsername()) =>
  service.browser().post(startPath, { username, invitation });
const newAdmin = async () =>
  signUpWith(service, { invitation: (await inviteWhole(superadmin.browser)).token });
const newUser = async () => signUpWith(service, { invitation: (await inviteUser(superadmin.browser)).token });
const lastEvent = async () => (await service.auditRows()).at(-1);

describe('creating user invitations', () => {
  test.each([
    ['admins', () => admin],
    ['superadmins', () => superadmin],
  ])('is allowed for %s, and is recorded', async (_, person) => {
    const { id } = await inviteUser(person().browser, { expiresInHours: 5 });
    expect(await auditRowsOfInvitation(service, { id })).toMatchObject([
      {
        event: 'invitation.create',
        outcome: 'success',
        actor_id: userIdOf(person()),
        details: { role: 'user', expiresInHours: 5 },
      },
    ]);
  });

  test('is refused for users, and the refusal is recorded', async () => {
    const { browser } = await newUser();
    expectProblem(await browser.post(userInvitationsPath, {}), 'forbidden');
    expect(await lastEvent()).toMatchObject({ event: 'invitation.create', outcome: 'failure' });
    expectProblem(await browser.get(userInvitationsPath), 'forbidden');
  });

  test('does not let an admin create an admin invitation', async () => {
    expectProblem(await admin.browser.post(invitationsPath, { role: 'admin' }), 'forbidden');
    const answer = await admin.browser.post(userInvitationsPath, { role: 'admin' });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'role', message: 'this property is unknown' }],
    });
  });

  test('is refused for a username that a user has', async () => {
    const answer = await admin.browser.post(userInvitationsPath, { username: superadmin.username });
    expectProblem(answer, 'role_already_held');
    for (const username of ['admin', 'no good'])
      expect((await admin.browser.post(userInvitationsPath, { username })).body.code).toBe(
        'username_unacceptable',
      );
  });

  test('is limited to 100 pending invitations, also with concurrent requests, and does not count admin invitations', async () => {
    const person = await newAdmin();
    await service.database.sql`
      insert into latchkey.invitations (id, token_hash, role, created_by, created_at, expires_at)
      select gen_random_uuid(), 'limit-' || n, case when n > 98 then 'admin' else 'user' end,
        ${userIdOf(person)}, now(), now() + interval '1 hour'
      from generate_series(1, 148) as n`;
    const answers = await Promise.all(times(8, null).map(() => person.browser.post(userInvitationsPath, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...times(6, 409)]);
    for (const { status, body } of answers)
      if (status === 409) expect(body.code).toBe('too_many_invitations');
  });
});

describe('a user invitation', () => {
  test('shows its role, its username and its creator to the holder of the link', async () => {
    const username = newUsername();
    const { token } = await inviteUser(admin.browser, { username });
    expect((await preview(service.browser(), token)).body.invitation).toEqual({
      role: 'user',
      username,
      createdBy: { id: userIdOf(admin), username: admin.username },
      expiresAt: expect.any(String),
    });
  });

  test('with a username is only for a sign-up with this username', async () => {
    const username = newUsername();
    const { token } = await inviteUser(admin.browser, { username });
    expectProblem(await start(token), 'invitation_for_another_user');
    expect((await lastEvent())?.details).toEqual({ reason: 'invitation_for_another_user' });
    const person = await signUpWith(service, { username: ` ${username.toUpperCase()} `, invitation: token });
    expect(person.signedUp.body.user.username).toBe(username);
  });

  test('that is revoked, used or expired is unusable', async () => {
    const revoked = await inviteUser(admin.browser);
    const begun = await prepareSignUp(service, { invitation: revoked.token });
    expect((await admin.browser.delete(`${userInvitationsPath}/${revoked.id}`)).status).toBe(204);
    expectProblem(await start(revoked.token), 'invitation_unusable');
    expectProblem(await finishSignUp(begun), 'invitation_unusable');

    const used = await inviteUser(admin.browser);
    await signUpWith(service, { invitation: used.token });
    expectProblem(await start(used.token), 'invitation_unusable');
    expectProblem(
      await admin.browser.delete(`${userInvitationsPath}/${used.id}`),
      'invitation_already_accepted',
    );

    const expired = await inviteUser(admin.browser, { expiresInHours: 1 });
    await service.database.sql`
      update latchkey.invitations set expires_at = latchkey.clock() where id = ${expired.id}`;
    expectProblem(await start(expired.token), 'invitation_unusable');
  });

  test.each<[string, (creator: Person) => Promise<unknown>]>([
    ['becomes a user', (creator) => changeRole(superadmin.browser, creator, 'user')],
    ['is disabled', (creator) => disable(superadmin.browser, creator)],
    ['is deleted', (creator) => deleteUser(superadmin.browser, creator)],
    [
      'loses the role through SQL',
      (creator) =>
        service.database.sql`update latchkey.users set role = 'user' where id = ${userIdOf(creator)}`,
    ],
  ])('becomes unusable if its creator %s, even for a sign-up that has started', async (_, demote) => {
    const creator = await newAdmin();
    const { token } = await inviteUser(creator.browser);
    const begun = await prepareSignUp(service, { invitation: token });
    await demote(creator);
    expectProblem(await start(token), 'invitation_unusable');
    expectProblem(await finishSignUp(begun), 'invitation_unusable');
    expect(await lastEvent()).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      details: { reason: 'invitation_unusable' },
    });
  });

  test('cannot be accepted by a user who has an account, and stays pending', async () => {
    const { token } = await inviteUser(admin.browser);
    const person = await newUser();
    expectProblem(await accept(person.browser, token), 'role_already_held');
    await signUpWith(service, { invitation: token });
  });

  test('stays pending if the sign-up fails because the username is taken', async () => {
    const { token } = await inviteUser(admin.browser);
    const begun = await prepareSignUp(service, { invitation: token });
    const other = await inviteUser(admin.browser);
    await signUpWith(service, { username: begun.username, invitation: other.token });
    expectProblem(await finishSignUp(begun), 'username_taken');
    await signUpWith(service, { invitation: token });
  });
});

describe('listing and revoking user invitations', () => {
  test('an admin sees only their own user invitations, and a superadmin sees all invitations', async () => {
    const other = await newAdmin();
    const own = await inviteUser(other.browser);
    const foreign = await inviteUser(admin.browser);
    const idsOf = async (person: Person, path: string) =>
      (await person.browser.get(path)).body.invitations.map(({ id }: { id: string }) => id);
    expect(await idsOf(other, userInvitationsPath)).toEqual([own.id]);
    const all = await idsOf(superadmin, `${invitationsPath}?limit=200&role=user`);
    expect(all).toEqual(expect.arrayContaining([own.id, foreign.id]));
    expect(await idsOf(superadmin, `${invitationsPath}?limit=200&role=admin`)).not.toContain(own.id);
  });

  test('an admin cannot revoke the invitation of another user, and the attempt is recorded', async () => {
    const other = await newAdmin();
    const foreign = await inviteUser(admin.browser);
    const ofAdmin = await inviteWhole(superadmin.browser);
    for (const id of [foreign.id, ofAdmin.invitation.id]) {
      expectProblem(await other.browser.delete(`${userInvitationsPath}/${id}`), 'not_found');
      expect(await lastEvent()).toMatchObject({
        event: 'invitation.revoke',
        outcome: 'failure',
        target_id: id,
        target_name: null,
        details: { reason: 'not_own_user_invitation' },
      });
      expectProblem(await other.browser.delete(`${invitationsPath}/${id}`), 'forbidden');
    }
    await signUpWith(service, { invitation: foreign.token });
  });

  test('a superadmin revokes the user invitation of an admin', async () => {
    const { id, token } = await inviteUser(admin.browser);
    expect((await superadmin.browser.delete(`${invitationsPath}/${id}`)).status).toBe(204);
    expectProblem(await start(token), 'invitation_unusable');
  });
});

test('an operator creates and lists user invitations, and only with a role that an invitation can grant', async () => {
  const { invitations } = service.auth.asOperator('ops');
  const { invitation, token } = await invitations.create({ role: 'user', expiresInHours: 1 });
  expect(invitation).toMatchObject({ role: 'user', createdBy: null });
  const listed = await invitations.list({ role: 'user', limit: 200 });
  expect(listed.invitations.map(({ id }) => id)).toContain(invitation.id);
  await signUpWith(service, { invitation: token });
  for (const role of ['superadmin', 'owner', null])
    await expect(invitations.create({ role: role as never })).rejects.toThrow(
      new TypeError(`role: expected "user" or "admin", not ${role}`),
    );
});
