import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUsername, type Person, signUp, signUpStart, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf, wholeAuditRowsOf } from './support/audit-log.ts';
import {
  deleteAccount,
  deleteUser,
  disable,
  enable,
  found,
  help,
  memberPath,
  postInvitation,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { enterByCode, generateCodes, useLink } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

describe('deleting the user’s own account', () => {
  test('returns 204 and clears the cookie', async () => {
    const person = await signUp(service);
    const answer = await deleteAccount(person.browser);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^latchkey=; .*Max-Age=0/)]);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      { event: 'account.delete', actor_id: userIdOf(person), actor_name: person.username },
    ]);
    expectProblem(await deleteAccount(person.browser), 'not_authenticated');
  });

  test('requires a full session and fresh authentication, and accepts no user id', async () => {
    const person = await signUp(service);
    const [code] = await generateCodes(person.browser);
    const recovering = await enterByCode(service, person, code);
    expectProblem(await deleteAccount(recovering), 'recovery_session');
    expectProblem(await deleteAccount(service.browser()), 'not_authenticated');
    const body = JSON.stringify({ userId: userIdOf(superadmin) });
    const json = { 'Content-Type': 'application/json' };
    expect((await person.browser.request('DELETE', '/auth/account', body, json)).status).toBe(400);
    await service.database.sql`
      update latchkey.sessions set authenticated_at = latchkey.clock() - '11 minutes'::interval
      where user_id = ${userIdOf(person)}`;
    expectProblem(await deleteAccount(person.browser), 'reauthentication_required');
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});

describe('deleting another user’s account', () => {
  test.each(['user', 'admin'] as const)(
    'is forbidden for the role %s, and the attempt is recorded',
    async (role) => {
      const actor = await signUpAs(service, role);
      const person = await signUp(service);
      const answer = await deleteUser(actor.browser, person);
      expectProblem(answer, 'forbidden');
      expect(await auditRowsOf(service, answer)).toMatchObject([
        { event: 'user.delete', outcome: 'failure', actor_name: actor.username, target_id: userIdOf(person) },
      ]);
      expect(await isSignedIn(person.browser)).toBe(true);
    },
  );

  test('is allowed for superadmins, even if the account is disabled', async () => {
    const person = await signUp(service);
    await disable(superadmin.browser, person);
    expect((await deleteUser(superadmin.browser, person)).status).toBe(204);
    expectProblem(await superadmin.browser.get(`${usersPath}/${userIdOf(person)}`), 'not_found');
    expectProblem(await enable(superadmin.browser, person), 'not_found');
  });

  test('cancels recovery links and revokes invitations that the user created', async () => {
    const [creator, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    const { token } = (await help(creator.browser, person)).body;
    const { invitation } = (await postInvitation(creator.browser)).body;
    await deleteUser(superadmin.browser, creator);
    expectProblem(await useLink(service.browser(), token), 'authentication_failed');
    const { invitations } = (await superadmin.browser.get('/auth/admin/invitations')).body;
    expect(invitations.find(({ id }: { id: string }) => id === invitation.id)).toMatchObject({
      status: 'revoked',
      createdBy: null,
    });
  });

  test('is allowed if this user is the last admin of an organization, and superadmins can still manage the organization', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    expect((await deleteUser(superadmin.browser, admin)).status).toBe(204);
    expect((await superadmin.browser.patch(memberPath(organization, member), { role: 'admin' })).status).toBe(
      200,
    );
  });
});

test('a sign-up that started earlier does not get the username of a deleted account', async () => {
  const username = newUsername('late');
  const late = service.browser();
  const options = await signUpStart(late, username);
  const person = await signUp(service, { username });
  await deleteAccount(person.browser);
  const credential = await person.authenticator.create(options);
  expectProblem(await late.post('/auth/passkey/register/verify', { credential }), 'username_taken');
});
