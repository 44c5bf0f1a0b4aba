import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  organizationInvitationEndpoints,
  receivedInvitationEndpoints,
} from '../../src/api/organization-invitations.ts';
import { memberEndpoints, organizationEndpoints } from '../../src/api/organizations.ts';
import type { Answer } from '../support/agent.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  accept,
  auditPath,
  found,
  help,
  invitationsPath,
  invite,
  organizationsPath,
  postInvitation,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { inviteUser, signUpWith, userInvitationsPath } from './support/sign-ups.ts';

// Services on one database.
let service: TestService;
let withoutOrganizations: ServiceOn;
let withoutAdminInvitations: ServiceOn;
let withoutInvitations: ServiceOn;
let superadmin: Person;
let admin: Person;
let member: Person;
let organization: { id: string; slug: string };
beforeAll(async () => {
  service = await startTestService();
  const { url } = service.database;
  withoutOrganizations = await startServiceOn(url, {
    organizations: false,
    capabilities: { user: { 'report:read': 'joined' } },
  } as object);
  withoutAdminInvitations = await startServiceOn(url, { env: { ADMIN_INVITATIONS: 'off' } });
  withoutInvitations = await startServiceOn(url, {
    env: { ORGANIZATIONS: 'off' },
    adminInvitations: false,
    signUp: { mode: 'closed' },
  });
  superadmin = await signUpAs(service, 'superadmin');
  admin = await signUpAs(service, 'admin');
  organization = await found(admin.browser);
  member = await signUpMember(service, admin.browser, organization);
});
beforeEach(async () => {
  await service.database.sql`update latchkey.sessions set authenticated_at = latchkey.clock()`;
});
afterAll(async () => {
  const others = [withoutOrganizations, withoutAdminInvitations, withoutInvitations];
  await Promise.all(others.map((other) => other.close()));
  await service.close();
});

const at = (other: ServiceOn, { browser }: Person) => other.browser(browser.cookies);
const pathsOf = async (other: Pick<ServiceOn, 'browser'>) =>
  Object.keys((await other.browser().get('/auth/openapi.json')).body.paths);

/** The body of the response to an unknown path. */
const unknownPath = async (other: ServiceOn) => (await at(other, superadmin).get('/auth/nothing')).body;

async function expectUnknownPath(other: ServiceOn, answer: Answer): Promise<void> {
  expectProblem(answer, 'not_found');
  expect(answer.body).toEqual(await unknownPath(other));
}

describe('without organizations', () => {
  const routes = Object.values({
    ...organizationEndpoints,
    ...memberEndpoints,
    ...organizationInvitationEndpoints,
    ...receivedInvitationEndpoints,
  }).map(({ on }) => on.split(' ') as [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string]);

  test.each(routes)('%s %s gets the same response as an unknown path', async (method, path) => {
    const ids: Record<string, string> = { userId: userIdOf(member) };
    const url = `/auth${path.replaceAll(/:(\w+)/g, (_, name) => ids[name] ?? organization.id)}`;
    const browser = at(withoutOrganizations, superadmin);
    const send = {
      GET: () => browser.get(url),
      POST: () => browser.post(url, { name: 'Acme' }),
      PATCH: () => browser.patch(url, { role: 'admin' }),
      DELETE: () => browser.delete(url),
    };
    await expectUnknownPath(withoutOrganizations, await send[method]());
  });

  test('the OpenAPI document describes no organizations', async () => {
    const { body } = await withoutOrganizations.browser().get('/auth/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/auth/organizations'))).toEqual([]);
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/auth/invitations'))).toEqual([]);
    expect(Object.keys(body.components.schemas).join()).not.toMatch(/Organization|Member/);
    expect(body.tags.map(({ name }: { name: string }) => name).join()).not.toMatch(/rganization/);
    expect(body.info.description).not.toContain('organization admin');
  });

  test('stored memberships give no rights', async () => {
    const browser = at(withoutOrganizations, admin);
    expectProblem(await browser.get(usersPath), 'forbidden');
    expectProblem(await browser.get(auditPath), 'forbidden');
    expectProblem(await help(browser, member), 'forbidden');
    const { auth } = withoutOrganizations;
    const principal = await auth.principalOf(userIdOf(admin));
    expect(principal?.memberships).toEqual([]);
    const stored = { organizationId: organization.id, role: 'admin' };
    const forged = { ...principal, memberships: [stored] } as NonNullable<typeof principal>;
    expect(auth.can(forged, 'report:read' as 'user:read', { organizationId: organization.id })).toBe(false);
    expect(auth.can(forged, 'organization:update', { organizationId: organization.id })).toBe(false);
    await expect(
      auth.requireAccess(
        { cookie: [...admin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        {
          method: 'GET',
          capability: 'report:read' as 'user:read',
          resource: { organizationId: organization.id },
        },
      ),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('superadmins still manage users', async () => {
    expect((await at(withoutOrganizations, superadmin).get(usersPath)).status).toBe(200);
    expect((await help(at(withoutOrganizations, superadmin), member)).status).toBe(201);
  });

  test('operators cannot act on organizations, and see no memberships', async () => {
    const operator = withoutOrganizations.auth.asOperator('ops');
    for (const act of [
      () => operator.organizations.list(),
      () => operator.organizations.addMember(organization.slug, { username: superadmin.username }),
      () => operator.organizations.invite(organization.slug),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'feature_disabled' });
    expect((await operator.users.get(member.username)).memberships).toEqual([]);
  });

  test('the audit log records every change that an operator attempts, and no attempt to read', async () => {
    const { organizations } = withoutOrganizations.auth.asOperator('refused desk');
    const { slug } = organization;
    const { username } = superadmin;
    for (const act of [
      () => organizations.list(),
      () => organizations.create({ name: 'Engines' }),
      () => organizations.get(slug),
      () => organizations.creatorOf(slug),
      () => organizations.update(slug, { name: 'Engines' }),
      () => organizations.delete(slug),
      () => organizations.listMembers(slug),
      () => organizations.addMember(slug, { username }),
      () => organizations.changeMemberRole(slug, username, 'admin'),
      () => organizations.removeMember(slug, username),
      () => organizations.invite(slug),
      () => organizations.listInvitations(slug),
      () => organizations.revokeInvitation(slug, organization.id),
      () => organizations.listUnconfiguredRoles(),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'feature_disabled' });
    const rows = (await service.auditRows()).filter(({ actor_name }) => actor_name === 'refused desk');
    expect(rows.map(({ event }) => event).sort()).toEqual([
      'member.add',
      'member.change_role',
      'member.remove',
      'organization.create',
      'organization.delete',
      'organization.update',
      'organization_invitation.create',
      'organization_invitation.revoke',
    ]);
    for (const row of rows)
      expect(row).toMatchObject({ outcome: 'failure', details: { reason: 'organizations_off' } });
  });

  test('the stored memberships are kept for a service with organizations', async () => {
    const { body } = await member.browser.get(organizationsPath);
    expect(body.organizations).toMatchObject([{ id: organization.id, myRole: 'user' }]);
  });
});

describe('without admin invitations', () => {
  test('no admin invitation can be created', async () => {
    await expectUnknownPath(
      withoutAdminInvitations,
      await postInvitation(at(withoutAdminInvitations, superadmin)),
    );
    const operator = withoutAdminInvitations.auth.asOperator('ops');
    await expect(operator.invitations.create()).rejects.toMatchObject({ code: 'feature_disabled' });
    await expect(operator.invitations.create({ role: 'admin' })).rejects.toMatchObject({
      code: 'feature_disabled',
    });
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'invitation.create',
      outcome: 'failure',
      details: { reason: 'feature_disabled' },
    });
  });

  test('an earlier admin invitation can be neither seen nor accepted nor used to sign up', async () => {
    const byOperator = await service.auth.asOperator('ops').invitations.create();
    const user = await signUp(service);
    for (const token of [await invite(superadmin.browser), byOperator.token]) {
      const browser = at(withoutAdminInvitations, user);
      await expectUnknownPath(withoutAdminInvitations, await accept(browser, token));
      expectProblem(await browser.post(`${invitationsPath}/preview`, { token }), 'invitation_unusable');
      const start = { username: newUsername(), invitation: token };
      const visitor = withoutAdminInvitations.browser();
      expectProblem(await visitor.post('/auth/passkey/register/start', start), 'invitation_unusable');
    }
  });

  test('the path of the list allows only the methods that the service has', async () => {
    const answer = await at(withoutAdminInvitations, superadmin).put(invitationsPath, {});
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('Allow')).toBe('GET, HEAD');
  });

  test('an earlier admin invitation can be listed and revoked', async () => {
    const { invitation } = (await postInvitation(superadmin.browser)).body;
    const browser = at(withoutAdminInvitations, superadmin);
    const { body } = await browser.get(invitationsPath);
    expect(body.invitations.map(({ id }: { id: string }) => id)).toContain(invitation.id);
    expect((await browser.delete(`${invitationsPath}/${invitation.id}`)).status).toBe(204);
  });

  test('user invitations work', async () => {
    const { token } = await inviteUser(at(withoutAdminInvitations, admin));
    const person = await signUpWith(withoutAdminInvitations, { invitation: token });
    expect(person.signedUp.body.user.role).toBe('user');
  });

  test('the OpenAPI document has only the other endpoints of invitations', async () => {
    const paths = (await pathsOf(withoutAdminInvitations)).filter((path) => path.includes('admin/'));
    expect(paths).toContain('/auth/admin/user-invitations');
    expect(paths).toContain('/auth/admin/invitations/preview');
    expect(paths).not.toContain('/auth/admin/invitations/accept');
    const { body } = await withoutAdminInvitations.browser().get('/auth/openapi.json');
    expect(Object.keys(body.paths['/auth/admin/invitations'])).toEqual(['get']);
  });
});

test('without admin invitations and with closed sign-up, the service has no invitations', async () => {
  expect((await pathsOf(withoutInvitations)).filter((path) => path.includes('invitation'))).toEqual([]);
  const browser = at(withoutInvitations, superadmin);
  for (const answer of [
    await browser.get(invitationsPath),
    await postInvitation(browser),
    await browser.post(`${invitationsPath}/preview`, { token: 'x' }),
    await browser.get(userInvitationsPath),
    await browser.get(organizationsPath),
  ])
    await expectUnknownPath(withoutInvitations, answer);
});

test('`auth.config` says what the service has', () => {
  expect(
    [withoutOrganizations, withoutAdminInvitations, withoutInvitations].map(({ auth }) => auth.config),
  ).toMatchObject([
    { organizations: null, adminInvitations: true },
    { organizations: { createdBy: 'admin', perUser: null }, adminInvitations: false },
    { organizations: null, adminInvitations: false },
  ]);
});
