import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { accept, invitationsPath, invite, signUpAs } from './support/authority.ts';
import { inviteWhole, listed, preview, revoke } from './support/invitations.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
let chief: Person;
beforeAll(async () => {
  service = await startFrozenService();
  chief = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const statusOf = async (invitation: { id: string }) => (await listed(chief.browser, invitation))?.status;

describe('revoking an invitation', () => {
  test('answers with nothing, and twice alike', async () => {
    const { invitation } = await inviteWhole(chief.browser);
    for (let time = 0; time < 2; time += 1) {
      const answer = await revoke(chief.browser, invitation);
      expectUncached(answer);
      expect([answer.status, answer.body]).toEqual([204, null]);
    }
    expect(await listed(chief.browser, invitation)).toEqual({ ...invitation, status: 'revoked' });
  });

  test('is for every superadmin, of whoever has made it', async () => {
    const [byChief, byOperator] = [
      (await inviteWhole(chief.browser)).invitation,
      (await service.auth.asOperator('ops').invitations.create()).invitation,
    ];
    const { browser } = await signUpAs(service, 'superadmin');
    for (const invitation of [byChief, byOperator]) {
      expect((await revoke(browser, invitation)).status).toBe(204);
      expect(await statusOf(invitation)).toBe('revoked');
    }
  });

  test('is for an operator too', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    const { invitations } = service.auth.asOperator('ops');
    await invitations.revoke(invitation.id);
    await invitations.revoke(invitation.id);
    expectProblem(await preview(service.browser(), token), 'invitation_unusable');
    await expect(invitations.revoke(chief.username)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves the others as they are', async () => {
    const [one, other] = [await inviteWhole(chief.browser), await inviteWhole(chief.browser)];
    await revoke(chief.browser, one.invitation);
    expect(await listed(chief.browser, other.invitation)).toEqual(other.invitation);
    expect((await accept((await signUp(service)).browser, other.token)).status).toBe(200);
  });

  test('is possible when its time is over', async () => {
    const { invitation } = await inviteWhole(chief.browser, { expiresInHours: 1 });
    await service.turnClock({ minutes: 60 });
    await stepUp(chief.browser, chief.authenticator);
    expect(await statusOf(invitation)).toBe('expired');
    expect((await revoke(chief.browser, invitation)).status).toBe(204);
    expect(await statusOf(invitation)).toBe('revoked');
  });

  test('is too late when somebody has accepted', async () => {
    const person = await signUp(service);
    const { invitation, token } = await inviteWhole(chief.browser);
    await accept(person.browser, token);
    const before = await listed(chief.browser, invitation);
    expectProblem(await revoke(chief.browser, invitation), 'invitation_already_accepted');
    await expect(service.auth.asOperator('ops').invitations.revoke(invitation.id)).rejects.toMatchObject({
      code: 'invitation_already_accepted',
    });
    expect(await listed(chief.browser, invitation)).toEqual(before);
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
  });

  test.each([
    ['unknown', '00000000-0000-7000-8000-000000000000'],
    ['none', 'nonsense'],
    ['encoded', '%00'],
    ['of 10,000 letters', 'x'.repeat(10_000)],
  ])('is not found of an id that is %s', async (_, id) => {
    expectProblem(await revoke(chief.browser, { id }), 'not_found');
  });

  test('is not found of what is the id of something else, or its token', async () => {
    for (const id of [userIdOf(chief), await invite(chief.browser)]) {
      expectProblem(await revoke(chief.browser, { id }), 'not_found');
    }
  });

  test.each(['user', 'admin'] as const)('is refused to somebody in the role %s', async (role) => {
    const { browser } = await signUpAs(service, role);
    const { invitation } = await inviteWhole(chief.browser);
    for (const id of [invitation.id, '00000000-0000-7000-8000-000000000000', 'nonsense']) {
      expectProblem(await revoke(browser, { id }), 'forbidden');
    }
    expect(await statusOf(invitation)).toBe('pending');
  });

  test('is refused without a session, a full one, and a fresh one', async () => {
    const { invitation } = await inviteWhole(chief.browser);
    expectProblem(await revoke(service.browser(), invitation), 'not_authenticated');
    const recovering = await startRecovering(service, await signUpAs(service, 'superadmin'));
    expectProblem(await revoke(recovering.browser, invitation), 'recovery_session');
    const { browser, authenticator } = await signUpAs(service, 'superadmin');
    await service.turnClock({ minutes: 11 });
    expectProblem(await revoke(browser, invitation), 'reauthentication_required');
    expect(await statusOf(invitation)).toBe('pending');
    await stepUp(browser, authenticator);
    expect((await revoke(browser, invitation)).status).toBe(204);
    await stepUp(chief.browser, chief.authenticator);
  });

  test('takes nothing from a body', async () => {
    const { invitation } = await inviteWhole(chief.browser);
    const body = JSON.stringify({ status: 'accepted' });
    const answer = await chief.browser.request('DELETE', `${invitationsPath}/${invitation.id}`, body, {
      'Content-Type': 'application/json',
    });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'status', message: 'this member is not known' }],
    });
    expect(await statusOf(invitation)).toBe('pending');
  });
});
