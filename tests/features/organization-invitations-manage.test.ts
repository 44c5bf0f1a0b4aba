import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { deleteUser, found, signUpAs, signUpMember } from './support/authority.ts';
import {
  acceptLink,
  acceptReceived,
  declineReceived,
  invitationsOf,
  invitationsPathOf,
  link,
  offer,
  previewLink,
  revokeIn,
} from './support/organization-invitations.ts';
import { deleteOrganization } from './support/organizations.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let person: Person;
let organization: { id: string; slug: string };
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());
// Some tests move the clock, so sessions are no longer fresh. Each test signs up new users.
beforeEach(async () => {
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
  person = await signUp(service);
});

const unknownId = '00000000-0000-7000-8000-000000000000';
const statusesIn = async () =>
  (await invitationsOf(founder.browser, organization)).map(({ status }) => status);

/** Creates one invitation of each status, oldest first. */
async function createOneOfEachStatus() {
  const expired = await offer(founder.browser, organization, await signUp(service), { expiresInHours: 1 });
  await service.turnClock({ minutes: 60 });
  await logIn(founder.browser, founder.authenticator);
  const { invitation: accepted, token } = await link(founder.browser, organization);
  await acceptLink((await signUp(service)).browser, token);
  const declining = await signUp(service);
  const declined = await offer(founder.browser, organization, declining);
  await declineReceived(declining.browser, declined);
  const { invitation: revoked } = await link(founder.browser, organization);
  await revokeIn(founder.browser, organization, revoked);
  const { invitation: pending } = await link(founder.browser, organization);
  return { expired, accepted, declined, revoked, pending };
}

describe('the list of an organization’s invitations', () => {
  test('shows the newest invitation first, can be filtered by status, and is split into pages', async () => {
    const made = await createOneOfEachStatus();
    await link(founder.browser, await found(founder.browser));
    const names = Object.keys(made).reverse();
    expect(await statusesIn()).toEqual(names);
    for (const [status, { id }] of Object.entries(made)) {
      const answer = await founder.browser.get(`${invitationsPathOf(organization)}?status=${status}`);
      expectUncached(answer);
      expect(answer.body).toEqual({
        invitations: [expect.objectContaining({ id, status })],
        nextCursor: null,
      });
    }
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await founder.browser.get(`${invitationsPathOf(organization)}${query}`);
      pages.push(body.invitations.map(({ status }: { status: string }) => status));
      cursor = body.nextCursor;
    }
    expect(pages).toEqual([names.slice(0, 2), names.slice(2, 4), names.slice(4)]);
  });

  test('is visible only to organization admins and superadmins', async () => {
    const admin = await signUpMember(service, founder.browser, organization, 'admin');
    for (const { browser } of [admin, founder, superadmin]) {
      expect((await browser.get(invitationsPathOf(organization))).status).toBe(200);
    }
    const member = await signUpMember(service, founder.browser, organization);
    expectProblem(await member.browser.get(invitationsPathOf(organization)), 'forbidden');
    expectProblem(await person.browser.get(invitationsPathOf(organization)), 'not_found');
    expectProblem(await person.browser.get(`${invitationsPathOf(organization)}?nonsense=1`), 'not_found');
  });

  test('does not name a deleted creator or accepting user, but keeps the invited username', async () => {
    const creator = await signUpMember(service, founder.browser, organization, 'admin');
    const invited = await offer(creator.browser, organization, person);
    const { token } = await link(founder.browser, organization);
    const joining = await signUp(service);
    await acceptLink(joining.browser, token);
    for (const gone of [creator, person, joining]) await deleteUser(superadmin.browser, gone);
    const [byLink, byName] = await invitationsOf(founder.browser, organization);
    expect(byLink).toMatchObject({ status: 'accepted', acceptedBy: null, acceptedAt: expect.any(String) });
    expect(byName).toEqual({ ...invited, status: 'revoked', createdBy: null });
  });

  test.each(['limit=0', 'cursor=nonsense', 'status=open', 'role=admin'])(
    'rejects the query ?%s',
    async (query) => {
      const { status, body } = await founder.browser.get(`${invitationsPathOf(organization)}?${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('revoking an invitation to an organization', () => {
  test('makes it unusable, whether it names a user or is a link', async () => {
    const named = await offer(founder.browser, organization, person);
    const { invitation, token } = await link(founder.browser, organization);
    for (const one of [named, invitation]) {
      const answer = await revokeIn(founder.browser, organization, one);
      expect([answer.status, answer.body]).toEqual([204, null]);
    }
    expectProblem(await acceptReceived(person.browser, named), 'invitation_unusable');
    expectProblem(await declineReceived(person.browser, named), 'invitation_unusable');
    expectProblem(await acceptLink(person.browser, token), 'invitation_unusable');
    expectProblem(await previewLink(person.browser, token), 'invitation_unusable');
    expect(await statusesIn()).toEqual(['revoked', 'revoked']);
  });

  test('changes nothing after a revocation, decline or expiry, and is rejected after an acceptance', async () => {
    const { expired, declined, revoked, accepted } = await createOneOfEachStatus();
    const before = await statusesIn();
    for (const one of [expired, declined, revoked]) {
      const answer = await revokeIn(founder.browser, organization, one);
      expect(answer.status).toBe(204);
      expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
    }
    expectProblem(await revokeIn(founder.browser, organization, accepted), 'invitation_already_accepted');
    expect(await statusesIn()).toEqual(before);
  });

  test('is allowed only for admins of that organization and for superadmins, with fresh authentication', async () => {
    const { invitation } = await link(founder.browser, organization);
    const member = await signUpMember(service, founder.browser, organization);
    const elsewhere = await signUpAs(service, 'admin');
    const other = await found(elsewhere.browser);
    expectProblem(await revokeIn(member.browser, organization, invitation), 'forbidden');
    expectProblem(await revokeIn(elsewhere.browser, organization, invitation), 'not_found');
    expectProblem(await revokeIn(elsewhere.browser, other, invitation), 'not_found');
    for (const id of [unknownId, 'nonsense']) {
      expectProblem(await revokeIn(founder.browser, organization, { id }), 'not_found');
    }
    await service.turnClock({ minutes: 11 });
    expectProblem(await revokeIn(founder.browser, organization, invitation), 'reauthentication_required');
    await service.turnClock({ minutes: -11 });
    expect(await statusesIn()).toContain('pending');
    expect((await revokeIn(superadmin.browser, organization, invitation)).status).toBe(204);
  });

  test('writes an audit event with the role and the invited username', async () => {
    const named = await offer(founder.browser, organization, person, { role: 'admin' });
    expect(
      await wholeAuditRowsOf(service, await revokeIn(founder.browser, organization, named)),
    ).toMatchObject([
      {
        event: 'organization_invitation.revoke',
        outcome: 'success',
        actor_id: userIdOf(founder),
        target_type: 'invitation',
        target_id: named.id,
        target_name: person.username,
        organization_id: organization.id,
        details: { role: 'admin' },
      },
    ]);
  });
});

describe('an invitation to an organization expires', () => {
  test('exactly `expiresInHours` hours after its creation', async () => {
    const [early, late] = [person, await signUp(service)];
    const spared = await offer(founder.browser, organization, early, { expiresInHours: 1 });
    const named = await offer(founder.browser, organization, late, { expiresInHours: 1 });
    const { token } = await link(founder.browser, organization, { expiresInHours: 1 });
    await service.turnClock({ seconds: 3599.999 });
    expect((await previewLink(service.browser(), token)).status).toBe(200);
    expect((await acceptReceived(early.browser, spared)).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expectProblem(await acceptReceived(late.browser, named), 'invitation_unusable');
    expectProblem(await declineReceived(late.browser, named), 'invitation_unusable');
    expectProblem(await acceptLink(late.browser, token), 'invitation_unusable');
    expectProblem(await previewLink(service.browser(), token), 'invitation_unusable');
    expect((await late.browser.get('/auth/invitations')).body.invitations).toEqual([]);
    await logIn(founder.browser, founder.authenticator);
    expect(await statusesIn()).toEqual(['expired', 'expired', 'accepted']);
  });
});

test('deleting an organization deletes its invitations', async () => {
  const named = await offer(founder.browser, organization, person);
  const { token } = await link(founder.browser, organization);
  await deleteOrganization(founder.browser, organization);
  expectProblem(await acceptReceived(person.browser, named), 'invitation_not_found');
  expectProblem(await declineReceived(person.browser, named), 'invitation_not_found');
  expectProblem(await acceptLink(person.browser, token), 'invitation_not_found');
  expectProblem(await previewLink(person.browser, token), 'invitation_not_found');
});

describe('an operator', () => {
  const { username: _, ...input } = { username: '', role: 'admin', expiresInHours: 1 } as const;
  const organizationsOf = () => service.auth.asOperator('ops').organizations;

  test('can list organizations, and create, list and revoke invitations', async () => {
    const { organizations: items } = await organizationsOf().list({ limit: 200 });
    expect(items).toContainEqual({ ...organization, myRole: null });
    const { slug } = organization;
    const made = await organizationsOf().invite(slug, { username: person.username, ...input });
    expect(made).toMatchObject({ token: null, url: null, invitation: { createdBy: null, role: 'admin' } });
    const open = await organizationsOf().invite(slug);
    expect(open.url).toBe(`http://localhost:3000/join#token=${open.token}`);
    const { invitations: listed } = await organizationsOf().listInvitations(slug, { status: 'pending' });
    expect(listed).toEqual([open.invitation, made.invitation]);
    await organizationsOf().revokeInvitation(slug, open.invitation.id);
    expectProblem(await acceptLink(person.browser, `${open.token}`), 'invitation_unusable');
    expect((await acceptReceived(person.browser, made.invitation)).body.organization.myRole).toBe('admin');
    const rows = await service.database.sql`
      select event, details from latchkey.audit_events
      where actor_type = 'operator' and actor_name = 'ops' and organization_id = ${organization.id}
      order by at, id`;
    expect(rows.map(({ event }) => event).sort()).toEqual([
      'organization_invitation.create',
      'organization_invitation.create',
      'organization_invitation.revoke',
    ]);
  });

  test('can add a member directly', async () => {
    const { username } = person;
    expect(await organizationsOf().addMember(organization.slug, { username, role: 'admin' })).toMatchObject({
      user: { id: userIdOf(person), username },
      role: 'admin',
    });
    await expect(organizationsOf().addMember(organization.slug, { username })).rejects.toMatchObject({
      code: 'already_a_member',
    });
  });

  test('gets an error for each rejected request', async () => {
    const { slug } = organization;
    const attempts: [attempt: () => Promise<unknown>, error: object][] = [
      [() => organizationsOf().invite('no-such-slug'), { code: 'not_found' }],
      [() => organizationsOf().listInvitations('no-such-slug'), { code: 'not_found' }],
      [() => organizationsOf().revokeInvitation(slug, unknownId), { code: 'not_found' }],
      [() => organizationsOf().invite(slug, { username: 'no-such-user' }), { code: 'not_found' }],
      [() => organizationsOf().invite(slug, { username: founder.username }), { code: 'already_a_member' }],
      [() => organizationsOf().invite(slug, { expiresInHours: 0 }), { name: 'TypeError' }],
      [() => organizationsOf().invite(slug, { role: 'owner' as 'user' }), { name: 'TypeError' }],
      [
        () => organizationsOf().addMember(slug, { username: person.username, role: 'owner' as 'user' }),
        { name: 'TypeError' },
      ],
      [() => organizationsOf().list({ limit: 0 }), { name: 'TypeError' }],
    ];
    for (const [attempt, error] of attempts) await expect(attempt()).rejects.toMatchObject(error);
  });
});
