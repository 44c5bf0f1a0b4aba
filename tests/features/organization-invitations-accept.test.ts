import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { found, inviteTo, leaveOrganization, postMember, signUpAs } from './support/authority.ts';
import {
  acceptLink,
  acceptReceived,
  declineReceived,
  invitationsOf,
  link,
  offer,
  previewLink,
  receivedBy,
  receivedPath,
} from './support/organization-invitations.ts';
import { getOrganization, membersOf, removeMember } from './support/organizations.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let person: Person;
let organization: { id: string; name: string; slug: string };
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = (await found(founder.browser)) as typeof organization;
  person = await signUp(service);
});

const unknownId = '00000000-0000-7000-8000-000000000000';
const accepted = async (by: Person) => ({
  status: 'accepted',
  acceptedBy: { id: userIdOf(by), username: by.username },
  acceptedAt: await timeOf(service),
});

describe('accepting an invitation', () => {
  test.each(['user', 'admin'] as const)('makes the user a member with the role %s', async (role) => {
    const invitation = await offer(founder.browser, organization, person, { role });
    const session = person.browser.cookies.get('latchkey');
    const answer = await acceptReceived(person.browser, invitation);
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        organization: { ...organization, myRole: role },
        invitation: { ...invitation, ...(await accepted(person)) },
      },
    ]);
    expect(person.browser.cookies.get('latchkey')).toBe(session);
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [person.username]: role });
    expect((await getOrganization(person.browser, organization)).body.organization.myRole).toBe(role);
    expect(await receivedBy(person.browser)).toEqual([]);
    expect(await invitationsOf(founder.browser, organization)).toEqual([answer.body.invitation]);
  });

  test('does not need fresh authentication', async () => {
    const invitation = await offer(founder.browser, organization, person);
    await service.turnClock({ minutes: 11 });
    expect((await acceptReceived(person.browser, invitation)).status).toBe(200);
    await service.turnClock({ minutes: -11 });
  });

  test('needs a full session', async () => {
    const invitation = await offer(founder.browser, organization, person);
    expectProblem(await acceptReceived(service.browser(), invitation), 'not_authenticated');
    const { browser } = await startRecovering(service, person);
    expectProblem(await acceptReceived(browser, invitation), 'recovery_session');
    expectProblem(await browser.get(receivedPath), 'recovery_session');
  });

  test('works only for the invited user; the id of an invitation link is not found', async () => {
    const invitation = await offer(founder.browser, organization, person);
    const { invitation: open } = await link(founder.browser, organization);
    for (const { browser } of [await signUp(service), founder, superadmin]) {
      expectProblem(await acceptReceived(browser, invitation), 'invitation_not_found');
      expectProblem(await declineReceived(browser, invitation), 'invitation_not_found');
    }
    for (const id of [open.id, unknownId, 'nonsense']) {
      expectProblem(await acceptReceived(person.browser, { id }), 'invitation_not_found');
      expectProblem(await declineReceived(person.browser, { id }), 'invitation_not_found');
    }
    expect(await membersOf(founder.browser, organization)).toEqual({ [founder.username]: 'admin' });
  });

  test('succeeds only once', async () => {
    const invitation = await offer(founder.browser, organization, person);
    await acceptReceived(person.browser, invitation);
    expectProblem(await acceptReceived(person.browser, invitation), 'invitation_unusable');
    expectProblem(await declineReceived(person.browser, invitation), 'invitation_already_accepted');
  });

  test('is rejected if the user has already become a member, and the invitation stays pending', async () => {
    const invitation = await offer(founder.browser, organization, person, { role: 'admin' });
    await postMember(superadmin.browser, organization, person);
    expectProblem(await acceptReceived(person.browser, invitation), 'already_a_member');
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [person.username]: 'user' });
    expect((await invitationsOf(founder.browser, organization))[0]?.status).toBe('pending');
  });
});

describe('accepting an invitation link', () => {
  test('adds a user who has just signed up', async () => {
    const { invitation, token } = await link(founder.browser, organization, { role: 'admin' });
    const browser = service.browser();
    expect((await previewLink(browser, token)).status).toBe(200);
    const holder = await signUp(service, { browser });
    const answer = await acceptLink(browser, token);
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        organization: { ...organization, myRole: 'admin' },
        invitation: { ...invitation, ...(await accepted(holder)) },
      },
    ]);
    expect(await membersOf(founder.browser, organization)).toMatchObject({ [holder.username]: 'admin' });
  });

  test('succeeds only once, and is then rejected for every user', async () => {
    const { token } = await link(founder.browser, organization);
    expect((await acceptLink(person.browser, token)).status).toBe(200);
    const other = await signUp(service);
    for (const { browser } of [person, other]) {
      expectProblem(await acceptLink(browser, token), 'invitation_unusable');
    }
    expectProblem(await previewLink(other.browser, token), 'invitation_unusable');
    expect(await membersOf(founder.browser, organization)).not.toHaveProperty(other.username);
  });

  test('is rejected for a member, and the link still works for another user', async () => {
    const { token } = await link(founder.browser, organization);
    expectProblem(await acceptLink(founder.browser, token), 'already_a_member');
    expect((await acceptLink(person.browser, token)).status).toBe(200);
  });

  test.each<[what: string, forge: (token: string, id: string) => string]>([
    ['empty', () => ''],
    ['unknown', () => 'x'.repeat(43)],
    ['truncated', (token) => token.slice(0, 21)],
    ['one character too long', (token) => `${token}A`],
    ['in capitals', (token) => token.toUpperCase()],
    ['preceded by a space', (token) => ` ${token}`],
    ['the id of the invitation', (_, id) => id],
    ['the stored hash of the token', (token) => createHash('sha256').update(token).digest('base64url')],
    ['10,000 characters long', () => 'x'.repeat(10_000)],
  ])('is rejected if the token is %s', async (_, forge) => {
    const { invitation, token } = await link(founder.browser, organization);
    const forged = forge(token, invitation.id);
    expectProblem(await acceptLink(person.browser, forged), 'invitation_not_found');
    expectProblem(await previewLink(person.browser, forged), 'invitation_not_found');
    expect((await invitationsOf(founder.browser, organization))[0]).toEqual(invitation);
  });

  test('rejects the token of an admin invitation, and accepting an admin invitation rejects the token of a link', async () => {
    const { token } = await service.auth.asOperator('ops').invitations.create();
    expectProblem(await acceptLink(person.browser, token), 'invitation_not_found');
    const { token: own } = await link(founder.browser, organization);
    expectProblem(
      await person.browser.post('/auth/admin/invitations/accept', { token: own }),
      'invitation_not_found',
    );
  });
});

describe('previewing an invitation link', () => {
  test('shows only the organization’s name, the role, the creator and the expiry time, and needs no session', async () => {
    const { token, invitation } = await link(founder.browser, organization, { role: 'admin' });
    const answer = await previewLink(service.browser(), token);
    expectUncached(answer);
    const { role, createdBy, expiresAt } = invitation;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        invitation: {
          organization: { name: organization.name },
          canSignUp: false,
          role,
          createdBy,
          expiresAt,
        },
      },
    ]);
  });
});

describe('declining an invitation', () => {
  test('makes it unusable, and declining it again changes nothing', async () => {
    const invitation = await offer(founder.browser, organization, person);
    for (let round = 0; round < 2; round += 1) {
      const answer = await declineReceived(person.browser, invitation);
      expect([answer.status, answer.body]).toEqual([204, null]);
    }
    expectProblem(await acceptReceived(person.browser, invitation), 'invitation_unusable');
    expect(await receivedBy(person.browser)).toEqual([]);
    expect(await invitationsOf(founder.browser, organization)).toEqual([
      { ...invitation, status: 'declined' },
    ]);
    const rows = await service.database.sql`
      select from latchkey.audit_events
      where target_id = ${invitation.id} and event = 'organization_invitation.decline' and outcome = 'success'`;
    expect(rows).toHaveLength(1);
  });
});

describe('the list of received invitations', () => {
  test('contains the user’s own pending invitations, newest first, in pages', async () => {
    const made = [];
    for (let count = 0; count < 3; count += 1) {
      made.unshift(await offer(founder.browser, await found(founder.browser), person));
    }
    await offer(founder.browser, organization, await signUp(service));
    await link(founder.browser, organization);
    await declineReceived(person.browser, await offer(founder.browser, organization, person));
    expect(await receivedBy(person.browser)).toEqual(made);
    const { body: first } = await person.browser.get(`${receivedPath}?limit=2`);
    const { body: last } = await person.browser.get(`${receivedPath}?limit=2&cursor=${first.nextCursor}`);
    expect([first.invitations, last.invitations]).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(last.nextCursor).toBeNull();
  });

  test.each(['limit=0', 'cursor=nonsense', 'status=pending'])('rejects the query ?%s', async (query) => {
    const { status, body } = await person.browser.get(`${receivedPath}?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('one audit event is written', () => {
  test('for each acceptance, decline and rejected acceptance, with the role or the reason', async () => {
    const { invitation, token } = await link(founder.browser, organization);
    const declined = await offer(founder.browser, organization, await signUp(service));
    const own = await offer(founder.browser, organization, person, { role: 'admin' });
    for (const [answer, event, target, role] of [
      [await declineReceived(person.browser, own), 'decline', own, 'admin'],
      [await acceptLink(person.browser, token), 'accept', invitation, 'user'],
    ] as const) {
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event: `organization_invitation.${event}`,
          outcome: 'success',
          actor_id: userIdOf(person),
          target_type: 'invitation',
          target_id: target.id,
          target_name: target.username,
          organization_id: organization.id,
          details: { role },
        },
      ]);
    }
    const refused = await acceptReceived(person.browser, own);
    expect(await wholeAuditRowsOf(service, refused)).toMatchObject([
      {
        outcome: 'failure',
        target_id: own.id,
        organization_id: organization.id,
        details: { reason: 'invitation_unusable' },
      },
    ]);
    const foreign = await acceptReceived(person.browser, declined);
    expect(await wholeAuditRowsOf(service, foreign)).toMatchObject([
      { outcome: 'failure', target_id: declined.id, details: { reason: 'invitation_unknown' } },
    ]);
    const unknown = await acceptLink(person.browser, 'x'.repeat(43));
    expect(await wholeAuditRowsOf(service, unknown)).toMatchObject([
      { outcome: 'failure', target_id: null, details: { reason: 'token_unknown' } },
    ]);
  });
});

test('a member who is removed or leaves cannot join again with an earlier invitation', async () => {
  const endings = [
    () => removeMember(founder.browser, organization, person),
    () => leaveOrganization(person.browser, organization),
  ];
  for (const end of endings) {
    const { token } = await link(founder.browser, organization);
    const named = await offer(founder.browser, organization, person);
    expect((await acceptLink(person.browser, token)).status).toBe(200);
    expect((await end()).status).toBe(204);
    expectProblem(await acceptReceived(person.browser, named), 'invitation_unusable');
    expect((await inviteTo(founder.browser, organization, { username: person.username })).status).toBe(201);
    const [again] = await receivedBy(person.browser);
    await declineReceived(person.browser, again ?? named);
  }
});
