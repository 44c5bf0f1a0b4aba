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
let chief: Person;
beforeAll(async () => {
  service = await startFrozenService();
  chief = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

describe('whoever holds the link of an invitation', () => {
  test.each([
    ['open', null],
    ['for somebody', newUsername()],
  ])('sees what one that is %s offers, without a session and without a trace', async (_, username) => {
    const { invitation, token } = await inviteWhole(chief.browser, username === null ? {} : { username });
    const before = await service.auditRows();
    const browser = service.browser();
    const answer = await preview(browser, token);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    const { createdBy, expiresAt } = invitation;
    expect(answer.body).toEqual({ invitation: { role: 'admin', username, createdBy, expiresAt } });
    expect([answer.headers.getSetCookie(), browser.cookies.size]).toEqual([[], 0]);
    expect(await service.auditRows()).toEqual(before);
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });

  test('sees it as often as they look, and can still accept', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    for (let look = 0; look < 3; look += 1) {
      expect((await preview(service.browser(), token)).body.invitation.expiresAt).toBe(invitation.expiresAt);
    }
    expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
  });

  test('sees of one by an operator that nobody by name has made it', async () => {
    const { token } = await service.auth.asOperator('ops').invitations.create();
    expect((await preview(service.browser(), token)).body.invitation.createdBy).toBeNull();
  });
});

describe('accepting', () => {
  test('makes an admin of whoever is signed in, and tells both what has become of them', async () => {
    const person = await signUp(service);
    const { invitation, token } = await inviteWhole(chief.browser);
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
    expect(await listed(chief.browser, invitation)).toEqual(accepted);
    expect(await roleOf(person.browser)).toBe('admin');
    expect((await found(person.browser)).id).toBeTruthy();
  });

  test('gives the session a new token, and the old one is dead', async () => {
    const person = await signUp(service);
    const before = await currentSession(person.browser);
    const old = person.browser.copy();
    const answer = await accept(person.browser, await invite(chief.browser));
    const token = expectSessionCookie(person.browser, answer);
    expect(token).not.toBe(tokenOf(old));
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    expect(await currentSession(person.browser)).toEqual(before);
    expect(JSON.stringify(answer.body)).not.toContain(token);
  });

  test('needs no fresh authentication and gives none', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 11 });
    await stepUp(chief.browser, chief.authenticator);
    expect((await accept(person.browser, await invite(chief.browser))).status).toBe(200);
    expect(await isFresh(person.browser)).toBe(false);
    expectProblem(
      await person.browser.post('/auth/organizations', { name: 'Acme' }),
      'reauthentication_required',
    );
  });

  test('holds from the next request on, in every session and every process', async () => {
    const person = await signUp(service);
    const second = service.browser();
    await logIn(second, person.authenticator);
    const neighbour = await startSecondInstance(service);
    const elsewhere = neighbour.browser(second.cookies);
    expect(await roleOf(elsewhere)).toBe('user');
    await accept(person.browser, await invite(chief.browser));
    expect([await roleOf(second), await roleOf(elsewhere)]).toEqual(['admin', 'admin']);
    expect((await elsewhere.get('/auth/admin/users')).status).toBe(200);
    await neighbour.close();
  });

  test('comes after signing up, with the link alone to begin with', async () => {
    const username = newUsername();
    const token = await invite(chief.browser, { username });
    const browser = service.browser();
    expect((await preview(browser, token)).body.invitation.username).toBe(username);
    expectProblem(await accept(browser, token), 'not_authenticated');
    await signUp(service, { username, browser });
    expect((await accept(browser, token)).body.user).toMatchObject({ username, role: 'admin' });
  });

  test('is for the one whom the invitation names, however they write themselves', async () => {
    const username = newUsername();
    const token = await invite(chief.browser, { username: ` ${username.toUpperCase()}` });
    const person = await signUp(service, { username: `${username.toUpperCase()} ` });
    expect((await accept(person.browser, token)).status).toBe(200);
  });

  test('is not for anybody else, who leaves the invitation as it was', async () => {
    const [invited, other] = [await signUp(service), await signUp(service)];
    const { invitation, token } = await inviteWhole(chief.browser, { username: invited.username });
    for (const person of [other, await signUpAs(service, 'admin'), chief]) {
      const answer = await accept(person.browser, token);
      expectProblem(answer, 'invitation_for_another_user');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await roleOf(other.browser)).toBe('user');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
    expect((await accept(invited.browser, token)).status).toBe(200);
  });

  test.each(['admin', 'superadmin'] as const)('is not for somebody in the role %s', async (role) => {
    const person = await signUpAs(service, role);
    const { invitation, token } = await inviteWhole(chief.browser);
    const answer = await accept(person.browser, token);
    expectProblem(answer, 'role_already_held');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await roleOf(person.browser)).toBe(role);
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
    expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
  });

  test('is for somebody who has become an admin by other means not needed, and later again possible', async () => {
    const person = await signUp(service);
    const token = await invite(chief.browser, { username: person.username });
    await changeRole(chief.browser, person, 'admin');
    expectProblem(await accept(person.browser, token), 'role_already_held');
    await changeRole(chief.browser, person, 'user');
    expect((await accept(person.browser, token)).status).toBe(200);
  });

  test('does not make anything of an admin who is a user again: the link serves once', async () => {
    const person = await signUp(service);
    const token = await invite(chief.browser, { username: person.username });
    await accept(person.browser, token);
    await setRole(service, person, 'user');
    expectProblem(await accept(person.browser, token), 'invitation_unusable');
    expect(await roleOf(person.browser)).toBe('user');
  });

  test('takes a token, and nothing else, from the body', async () => {
    const person = await signUp(service);
    const token = await invite(chief.browser);
    for (const [path, value] of [
      ['role', 'superadmin'],
      ['userId', userIdOf(chief)],
      ['username', chief.username],
      ['organizationId', userIdOf(chief)],
      ['version', 0],
      ['id', userIdOf(chief)],
    ] as const) {
      const errors = [{ path, message: 'this member is not known' }];
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
