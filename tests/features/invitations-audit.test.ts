import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import type { TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { auditRowsOf, noImpersonator, wholeAuditRowsOf } from './support/audit-log.ts';
import { accept, invitationsPath, invite, postInvitation, signUpAs } from './support/authority.ts';
import { auditRowsOfInvitation, inviteWhole, preview, revoke } from './support/invitations.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const by = (person: Person) => ({
  actor_type: 'user',
  actor_id: userIdOf(person),
  actor_name: person.username,
  organization_id: null,
  ip: '127.0.0.1',
  user_agent: 'node',
  count: null,
});
const invitationTarget = (id: string | null, name: string | null = null) => ({
  target_type: 'invitation',
  target_id: id,
  target_name: name,
});
const noTarget = { target_type: null, target_id: null, target_name: null };

/** Expects that the request wrote exactly one audit row, with these values. */
async function expectRow(answer: Answer, row: object): Promise<void> {
  expect(await wholeAuditRowsOf(service, answer)).toEqual([
    {
      id: expect.any(String),
      at: expect.any(Date),
      request_id: answer.headers.get('x-request-id'),
      ...noImpersonator,
      ...row,
    },
  ]);
}

describe('one audit event is written', () => {
  test('for a new invitation, with its role and lifetime', async () => {
    const username = newUsername();
    const answer = await postInvitation(superadmin.browser, { username, expiresInHours: 5 });
    await expectRow(answer, {
      event: 'invitation.create',
      outcome: 'success',
      ...by(superadmin),
      ...invitationTarget(answer.body.invitation.id, username),
      details: { role: 'admin', expiresInHours: 5 },
    });
  });

  test('for an acceptance, with the user as the actor', async () => {
    const person = await signUp(service);
    const { invitation, token } = await inviteWhole(superadmin.browser, { username: person.username });
    await expectRow(await accept(person.browser, token), {
      event: 'invitation.accept',
      outcome: 'success',
      ...by(person),
      ...invitationTarget(invitation.id, person.username),
      details: { role: 'admin' },
    });
  });

  test('for a revocation, even if the invitation is revoked twice', async () => {
    const { invitation } = await inviteWhole(superadmin.browser);
    await expectRow(await revoke(superadmin.browser, invitation), {
      event: 'invitation.revoke',
      outcome: 'success',
      ...by(superadmin),
      ...invitationTarget(invitation.id),
      details: {},
    });
    expect(await auditRowsOf(service, await revoke(superadmin.browser, invitation))).toEqual([]);
  });

  test('for each action of an operator, with the operator’s name', async () => {
    const { invitations } = service.auth.asOperator('front desk');
    const { invitation } = await invitations.create();
    await invitations.revoke(invitation.id);
    const operator = { actor_type: 'operator', actor_id: null, actor_name: 'front desk', ip: null };
    expect(await auditRowsOfInvitation(service, invitation)).toMatchObject([
      { event: 'invitation.create', outcome: 'success', ...operator },
      { event: 'invitation.revoke', outcome: 'success', ...operator },
    ]);
  });
});

describe('one audit event is written for a rejected attempt', () => {
  test('to invite a user who is an admin or disabled', async () => {
    const [admin, disabled] = [await signUpAs(service, 'admin'), await signUp(service)];
    await setStatus(service, disabled, 'disabled');
    for (const [person, reason] of [
      [admin, 'role_already_held'],
      [disabled, 'account_disabled'],
    ] as const) {
      await expectRow(await postInvitation(superadmin.browser, { username: person.username }), {
        event: 'invitation.create',
        outcome: 'failure',
        ...by(superadmin),
        target_type: 'user',
        target_id: userIdOf(person),
        target_name: person.username,
        details: { reason },
      });
    }
  });

  test.each(['user', 'admin'] as const)('of any kind by a user with the role %s', async (role) => {
    const person = await signUpAs(service, role);
    const { invitation } = await inviteWhole(superadmin.browser);
    const rejected = { outcome: 'failure', ...by(person), details: { reason: 'role_too_low' } };
    await expectRow(await postInvitation(person.browser), {
      event: 'invitation.create',
      ...rejected,
      ...noTarget,
    });
    await expectRow(await person.browser.get(invitationsPath), {
      event: 'invitation.list',
      ...rejected,
      ...noTarget,
    });
    await expectRow(await revoke(person.browser, invitation), {
      event: 'invitation.revoke',
      ...rejected,
      ...invitationTarget(invitation.id),
    });
    await expectRow(await revoke(person.browser, { id: 'nonsense' }), {
      event: 'invitation.revoke',
      ...rejected,
      ...invitationTarget(null),
    });
  });

  test('to accept an invitation, with the reason', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const bound = await inviteWhole(superadmin.browser, { username: other.username });
    const dead = await inviteWhole(superadmin.browser);
    await revoke(superadmin.browser, dead.invitation);
    const open = await inviteWhole(superadmin.browser);
    const rejected = { event: 'invitation.accept', outcome: 'failure' };
    await expectRow(await accept(person.browser, bound.token), {
      ...rejected,
      ...by(person),
      ...invitationTarget(bound.invitation.id, other.username),
      details: { reason: 'invitation_for_another_user' },
    });
    await expectRow(await accept(person.browser, dead.token), {
      ...rejected,
      ...by(person),
      ...invitationTarget(dead.invitation.id),
      details: { reason: 'invitation_unusable' },
    });
    await expectRow(await accept(superadmin.browser, open.token), {
      ...rejected,
      ...by(superadmin),
      ...invitationTarget(open.invitation.id),
      details: { reason: 'role_already_held' },
    });
    await expectRow(await accept(person.browser, 'unknown'), {
      ...rejected,
      ...by(person),
      ...noTarget,
      details: { reason: 'token_unknown' },
    });
  });

  test('to revoke an accepted invitation', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    await accept((await signUp(service)).browser, token);
    await expectRow(await revoke(superadmin.browser, invitation), {
      event: 'invitation.revoke',
      outcome: 'failure',
      ...by(superadmin),
      ...invitationTarget(invitation.id),
      details: { reason: 'invitation_already_accepted' },
    });
  });
});

test('listing and previewing write no audit event, and no audit event contains a token', async () => {
  const person = await signUp(service);
  const tokens = [
    await invite(superadmin.browser),
    await invite(superadmin.browser, { username: person.username }),
  ];
  for (const token of tokens) {
    expect(await auditRowsOf(service, await preview(service.browser(), token))).toEqual([]);
    await accept(person.browser, token);
    await accept(service.browser(), token);
  }
  expect(await auditRowsOf(service, await superadmin.browser.get(invitationsPath))).toEqual([]);
  const session = person.browser.cookies.get('latchkey');
  const text = JSON.stringify([await service.auditRows(), service.logged]);
  for (const secret of [...tokens, `${session}`]) expect(text).not.toContain(secret);
});

test('nothing changes if the audit event cannot be written', async () => {
  const person = await signUp(service);
  const { invitation, token } = await inviteWhole(superadmin.browser);
  await service.database
    .sql`alter table latchkey.audit_events add constraint full_up check (false) not valid`;
  const answers = [
    await postInvitation(superadmin.browser),
    await accept(person.browser, token),
    await revoke(superadmin.browser, invitation),
  ];
  await service.database.sql`alter table latchkey.audit_events drop constraint full_up`;
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  const made = await service.database.sql`select from latchkey.invitations where id > ${invitation.id}`;
  expect(made).toHaveLength(0);
  expect((await accept(person.browser, token)).status).toBe(200);
});
