import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { accept, invitationsPath, invite, signUpAs } from './support/authority.ts';
import { inviteWhole, listed, preview, revoke } from './support/invitations.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const statusOf = async (invitation: { id: string }) => (await listed(superadmin.browser, invitation))?.status;

describe('revoking an invitation', () => {
  test('returns 204 without a body, even when repeated', async () => {
    const { invitation } = await inviteWhole(superadmin.browser);
    for (let time = 0; time < 2; time += 1) {
      const answer = await revoke(superadmin.browser, invitation);
      expectUncached(answer);
      expect([answer.status, answer.body]).toEqual([204, null]);
    }
    expect(await listed(superadmin.browser, invitation)).toEqual({ ...invitation, status: 'revoked' });
  });

  test('is possible for every superadmin, even if another superadmin or an operator created it', async () => {
    const [bySuperadmin, byOperator] = [
      (await inviteWhole(superadmin.browser)).invitation,
      (await service.auth.asOperator('ops').invitations.create()).invitation,
    ];
    const { browser } = await signUpAs(service, 'superadmin');
    for (const invitation of [bySuperadmin, byOperator]) {
      expect((await revoke(browser, invitation)).status).toBe(204);
      expect(await statusOf(invitation)).toBe('revoked');
    }
  });

  test('is possible for an operator', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const { invitations } = service.auth.asOperator('ops');
    await invitations.revoke(invitation.id);
    await invitations.revoke(invitation.id);
    expectProblem(await preview(service.browser(), token), 'invitation_unusable');
    await expect(invitations.revoke(superadmin.username)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves other invitations unchanged', async () => {
    const [one, other] = [await inviteWhole(superadmin.browser), await inviteWhole(superadmin.browser)];
    await revoke(superadmin.browser, one.invitation);
    expect(await listed(superadmin.browser, other.invitation)).toEqual(other.invitation);
    expect((await accept((await signUp(service)).browser, other.token)).status).toBe(200);
  });

  test('is possible after the invitation expired', async () => {
    const { invitation } = await inviteWhole(superadmin.browser, { expiresInHours: 1 });
    await service.turnClock({ minutes: 60 });
    await logIn(superadmin.browser, superadmin.authenticator);
    expect(await statusOf(invitation)).toBe('expired');
    expect((await revoke(superadmin.browser, invitation)).status).toBe(204);
    expect(await statusOf(invitation)).toBe('revoked');
  });

  test('is rejected after the invitation was accepted', async () => {
    const person = await signUp(service);
    const { invitation, token } = await inviteWhole(superadmin.browser);
    await accept(person.browser, token);
    const before = await listed(superadmin.browser, invitation);
    expectProblem(await revoke(superadmin.browser, invitation), 'invitation_already_accepted');
    await expect(service.auth.asOperator('ops').invitations.revoke(invitation.id)).rejects.toMatchObject({
      code: 'invitation_already_accepted',
    });
    expect(await listed(superadmin.browser, invitation)).toEqual(before);
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
  });

  test.each([
    ['unknown', '00000000-0000-7000-8000-000000000000'],
    ['malformed', 'nonsense'],
    ['an encoded NUL', '%00'],
    ['10,000 letters long', 'x'.repeat(10_000)],
  ])('returns 404 for an id that is %s', async (_, id) => {
    expectProblem(await revoke(superadmin.browser, { id }), 'not_found');
  });

  test('returns 404 for the id of a user, and for the token of an invitation', async () => {
    for (const id of [userIdOf(superadmin), await invite(superadmin.browser)]) {
      expectProblem(await revoke(superadmin.browser, { id }), 'not_found');
    }
  });

  test.each(['user', 'admin'] as const)('is rejected for a user with the role %s', async (role) => {
    const { browser } = await signUpAs(service, role);
    const { invitation } = await inviteWhole(superadmin.browser);
    for (const id of [invitation.id, '00000000-0000-7000-8000-000000000000', 'nonsense']) {
      expectProblem(await revoke(browser, { id }), 'forbidden');
    }
    expect(await statusOf(invitation)).toBe('pending');
  });

  test('requires a full session with fresh authentication', async () => {
    const { invitation } = await inviteWhole(superadmin.browser);
    expectProblem(await revoke(service.browser(), invitation), 'not_authenticated');
    const recovering = await startRecovering(service, await signUpAs(service, 'superadmin'));
    expectProblem(await revoke(recovering.browser, invitation), 'recovery_session');
    const { browser, authenticator } = await signUpAs(service, 'superadmin');
    await service.turnClock({ minutes: 11 });
    expectProblem(await revoke(browser, invitation), 'reauthentication_required');
    expect(await statusOf(invitation)).toBe('pending');
    await stepUp(browser, authenticator);
    expect((await revoke(browser, invitation)).status).toBe(204);
    await stepUp(superadmin.browser, superadmin.authenticator);
  });

  test('rejects properties in the body', async () => {
    const { invitation } = await inviteWhole(superadmin.browser);
    const body = JSON.stringify({ status: 'accepted' });
    const answer = await superadmin.browser.request('DELETE', `${invitationsPath}/${invitation.id}`, body, {
      'Content-Type': 'application/json',
    });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'status', message: 'this property is unknown' }],
    });
    expect(await statusOf(invitation)).toBe('pending');
  });
});
