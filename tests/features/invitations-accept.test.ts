import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { logIn, newUsername, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { accept, changeRole, found, invitationsPath, invite, signUpAs } from './support/authority.ts';
import { currentSession, expectSessionCookie, isFresh, tokenOf } from './support/current-session.ts';
import { inviteWhole, listed, preview, roleOf } from './support/invitations.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

describe('a visitor with an invitation link', () => {
  test.each([
    ['an invitation without a username', null],
    ['an invitation for a username', newUsername()],
  ])('needs no session to preview %s, and no audit event is written', async (_, username) => {
    const { invitation, token } = await inviteWhole(
      superadmin.browser,
      username === null ? {} : { username },
    );
    const before = await service.auditRows();
    const browser = service.browser();
    const answer = await preview(browser, token);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    const { createdBy, expiresAt } = invitation;
    expect(answer.body).toEqual({ invitation: { role: 'admin', username, createdBy, expiresAt } });
    expect([answer.headers.getSetCookie(), browser.cookies.size]).toEqual([[], 0]);
    expect(await service.auditRows()).toEqual(before);
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });

  test('can preview the invitation repeatedly, and a user can still accept it', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    for (let look = 0; look < 3; look += 1) {
      expect((await preview(service.browser(), token)).body.invitation.expiresAt).toBe(invitation.expiresAt);
    }
    expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
  });

  test('sees no creator if an operator created the invitation', async () => {
    const { token } = await service.auth.asOperator('ops').invitations.create();
    expect((await preview(service.browser(), token)).body.invitation.createdBy).toBeNull();
  });
});

describe('accepting an invitation', () => {
  test('makes the signed-in user an admin, and shows the result to the user and the creator', async () => {
    const person = await signUp(service);
    const { invitation, token } = await inviteWhole(superadmin.browser);
    await service.turnClock({ minutes: 1 });
    const answer = await accept(person.browser, token);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    const accepted = {
      ...invitation,
      status: 'accepted',
      acceptedBy: { id: userIdOf(person), username: person.username },
      acceptedAt: await timeOf(service),
    };
    expect(answer.body).toEqual({
      user: { ...person.signedUp.body.user, role: 'admin' },
      invitation: accepted,
    });
    expect(await listed(superadmin.browser, invitation)).toEqual(accepted);
    expect(await roleOf(person.browser)).toBe('admin');
    expect((await found(person.browser)).id).toBeTruthy();
  });

  test('replaces the session token, and the old token no longer works', async () => {
    const person = await signUp(service);
    const before = await currentSession(person.browser);
    const old = person.browser.copy();
    const answer = await accept(person.browser, await invite(superadmin.browser));
    const token = expectSessionCookie(person.browser, answer, '86400');
    expect(token).not.toBe(tokenOf(old));
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    const anHourLater = new Date(Date.parse(before.lastSeenAt) + 3_600_000).toISOString();
    expect(await currentSession(person.browser)).toEqual({ ...before, expiresAt: anHourLater });
    expect(JSON.stringify(answer.body)).not.toContain(token);
  });

  test('does not need fresh authentication, and does not make the session fresh', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 11 });
    await stepUp(superadmin.browser, superadmin.authenticator);
    expect((await accept(person.browser, await invite(superadmin.browser))).status).toBe(200);
    expect(await isFresh(person.browser)).toBe(false);
    expectProblem(
      await person.browser.post('/auth/organizations', { name: 'Acme' }),
      'reauthentication_required',
    );
  });

  test('takes effect on the next request, in every session and on every instance', async () => {
    const person = await signUp(service);
    const second = service.browser();
    await logIn(second, person.authenticator);
    const instance = await startSecondInstance(service);
    const elsewhere = instance.browser(second.cookies);
    expect(await roleOf(elsewhere)).toBe('user');
    await accept(person.browser, await invite(superadmin.browser));
    expect([await roleOf(second), await roleOf(elsewhere)]).toEqual(['admin', 'admin']);
    expect((await elsewhere.get('/auth/admin/users')).status).toBe(200);
    await instance.close();
  });

  test('works for a visitor who signs up after the preview', async () => {
    const username = newUsername();
    const token = await invite(superadmin.browser, { username });
    const browser = service.browser();
    expect((await preview(browser, token)).body.invitation.username).toBe(username);
    expectProblem(await accept(browser, token), 'not_authenticated');
    await signUp(service, { username, browser });
    expect((await accept(browser, token)).body.user).toMatchObject({ username, role: 'admin' });
  });

  test('works for the invited username, even in capitals and with spaces around it', async () => {
    const username = newUsername();
    const token = await invite(superadmin.browser, { username: ` ${username.toUpperCase()}` });
    const person = await signUp(service, { username: `${username.toUpperCase()} ` });
    expect((await accept(person.browser, token)).status).toBe(200);
  });

  test('is rejected for every user except the invited user, and the invitation stays pending', async () => {
    const [invited, other] = [await signUp(service), await signUp(service)];
    const { invitation, token } = await inviteWhole(superadmin.browser, { username: invited.username });
    for (const person of [other, await signUpAs(service, 'admin'), superadmin]) {
      const answer = await accept(person.browser, token);
      expectProblem(answer, 'invitation_for_another_user');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await roleOf(other.browser)).toBe('user');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
    expect((await accept(invited.browser, token)).status).toBe(200);
  });

  test.each(['admin', 'superadmin'] as const)('is rejected for a user with the role %s', async (role) => {
    const person = await signUpAs(service, role);
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const answer = await accept(person.browser, token);
    expectProblem(answer, 'role_already_held');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await roleOf(person.browser)).toBe(role);
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
    expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
  });

  test('is rejected for a user who became an admin, and works after they get the role `user` again', async () => {
    const person = await signUp(service);
    const token = await invite(superadmin.browser, { username: person.username });
    await changeRole(superadmin.browser, person, 'admin');
    expectProblem(await accept(person.browser, token), 'role_already_held');
    await changeRole(superadmin.browser, person, 'user');
    expect((await accept(person.browser, token)).status).toBe(200);
  });

  test('works only once, even if the user loses the admin role later', async () => {
    const person = await signUp(service);
    const token = await invite(superadmin.browser, { username: person.username });
    await accept(person.browser, token);
    await setRole(service, person, 'user');
    expectProblem(await accept(person.browser, token), 'invitation_unusable');
    expect(await roleOf(person.browser)).toBe('user');
  });

  test('rejects a body with other properties, or with a token that is not a valid string', async () => {
    const person = await signUp(service);
    const token = await invite(superadmin.browser);
    for (const [path, value] of [
      ['role', 'superadmin'],
      ['userId', userIdOf(superadmin)],
      ['username', superadmin.username],
      ['organizationId', userIdOf(superadmin)],
      ['version', 0],
      ['id', userIdOf(superadmin)],
    ] as const) {
      const errors = [{ path, message: 'this property is unknown' }];
      const body = { token, [path]: value };
      for (const action of ['accept', 'preview']) {
        const answer = await person.browser.post(`${invitationsPath}/${action}`, body);
        expectProblem(answer, 'invalid_request', { errors });
      }
    }
    for (const body of [{}, { token: null }, { token: 5 }, { token: [token] }, [], { token: 'a\0b' }]) {
      for (const action of ['accept', 'preview']) {
        const answer = await person.browser.post(`${invitationsPath}/${action}`, body);
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      }
    }
    expect(await roleOf(person.browser)).toBe('user');
  });
});
