import { createAuthService, defineConfig, type Principal, requirePermission } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { OpenApiDocument } from '../../src/api/openapi/document.ts';
import type { Answer } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  admit,
  found,
  inviteTo,
  leaveOrganization,
  organizationsPath,
  postMember,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import {
  acceptReceived,
  invitationsOf,
  invitationsPathOf,
  link,
  offer,
  previewLink,
  revokeIn,
} from './support/organization-invitations.ts';
import {
  changeMember,
  getOrganization,
  membersOf,
  patchOrganization,
  removeMember,
  setMembership,
} from './support/organizations.ts';
import { addPassword, enterByPassword } from './support/passwords.ts';

const options = {
  bcryptCost: 4,
  capabilities: { user: { 'document:read': 'joined' } },
  organizationRoles: {
    editor: ['document:write'],
    recruiter: ['organization:members:invite'],
    lead: [
      'document:write',
      'organization:members:invite',
      'organization:members:promote',
      'organization:members:remove',
    ],
  },
} as const;

let service: TestService;
let admin: Person;
let organization: { id: string; slug: string };
let lead: Person;
let recruiter: Person;
let editor: Person;
let member: Person;
beforeAll(async () => {
  service = await startTestService(options as object);
  admin = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = await found(admin.browser);
  const join = (role?: string) => signUpMember(service, admin.browser, organization, role);
  [lead, recruiter, editor, member] = [
    await join('lead'),
    await join('recruiter'),
    await join('editor'),
    await join(),
  ];
});

const expectAboveOwn = async (answer: Answer) => {
  expectProblem(answer, 'forbidden');
  expect(await auditRowsOf(service, answer)).toMatchObject([
    { outcome: 'failure', details: { reason: 'role_above_own' } },
  ]);
};

const roleOf = async ({ username }: Person) => (await membersOf(admin.browser, organization))[username];

describe('a member with a custom role', () => {
  test('sees it as `myRole`, in the list of members, in invitations and in the audit log', async () => {
    expect((await getOrganization(editor.browser, organization)).body.organization.myRole).toBe('editor');
    expect((await editor.browser.get(organizationsPath)).body.organizations).toMatchObject([
      { id: organization.id, myRole: 'editor' },
    ]);
    expect(await roleOf(editor)).toBe('editor');
    const change = await changeMember(admin.browser, organization, editor, 'recruiter');
    expect(change.body.member.role).toBe('recruiter');
    expect(await auditRowsOf(service, change)).toMatchObject([
      { details: { from: 'editor', to: 'recruiter' } },
    ]);
  });

  test('can do only what the role lists, and not what only organization admins can do', async () => {
    expect((await inviteTo(recruiter.browser, organization)).status).toBe(201);
    expect((await invitationsOf(recruiter.browser, organization)).length).toBeGreaterThan(0);
    for (const answer of [
      await patchOrganization(recruiter.browser, organization, { name: 'X' }),
      await recruiter.browser.delete(`${organizationsPath}/${organization.id}`),
      await changeMember(recruiter.browser, organization, member, 'user'),
      await removeMember(recruiter.browser, organization, member),
      await inviteTo(editor.browser, organization),
      await postMember(lead.browser, organization, await signUp(service)),
    ])
      expectProblem(answer, 'forbidden');
  });

  test('has the rights only in this organization', async () => {
    const other = await found(admin.browser);
    await admit(admin.browser, other, recruiter);
    expectProblem(await inviteTo(recruiter.browser, other), 'forbidden');
    expectProblem(await inviteTo(recruiter.browser, await found(admin.browser)), 'not_found');
  });

  test('needs a privileged session for a listed built-in capability', async () => {
    await addPassword(recruiter.browser);
    const { browser } = await enterByPassword(service, recruiter);
    expectProblem(await browser.get(invitationsPathOf(organization)), 'passkey_required');
    expect((await getOrganization(browser, organization)).status).toBe(200);
  });

  test('can leave the organization', async () => {
    expect((await leaveOrganization(lead.browser, organization)).status).toBe(204);
  });
});

describe('roles with more capabilities than the member’s role', () => {
  test('cannot be given with an invitation', async () => {
    for (const role of ['admin', 'lead', 'editor']) {
      const stranger = await signUp(service);
      await expectAboveOwn(await inviteTo(recruiter.browser, organization, { role }));
      await expectAboveOwn(
        await inviteTo(recruiter.browser, organization, { role, username: stranger.username }),
      );
    }
    for (const role of ['user', 'recruiter'])
      expect((await inviteTo(recruiter.browser, organization, { role })).status).toBe(201);
    await expectAboveOwn(await inviteTo(lead.browser, organization, { role: 'admin' }));
    expect((await inviteTo(lead.browser, organization, { role: 'editor' })).status).toBe(201);
  });

  test('cannot be revoked with an invitation', async () => {
    const { invitation } = await link(admin.browser, organization, { role: 'admin' });
    await expectAboveOwn(await revokeIn(lead.browser, organization, invitation));
    const { invitation: lower } = await link(admin.browser, organization, { role: 'editor' });
    await expectAboveOwn(await revokeIn(recruiter.browser, organization, lower));
    expect((await revokeIn(lead.browser, organization, lower)).status).toBe(204);
  });

  test('cannot be given to a member, taken from a member, or removed with a member', async () => {
    const orgAdmin = await signUpMember(service, admin.browser, organization, 'admin');
    await expectAboveOwn(await changeMember(lead.browser, organization, member, 'admin'));
    await expectAboveOwn(await changeMember(lead.browser, organization, lead, 'admin'));
    await expectAboveOwn(await changeMember(lead.browser, organization, orgAdmin, 'user'));
    await expectAboveOwn(await removeMember(lead.browser, organization, orgAdmin));
    expect([await roleOf(member), await roleOf(lead), await roleOf(orgAdmin)]).toEqual([
      'user',
      'lead',
      'admin',
    ]);
    expect((await changeMember(lead.browser, organization, member, 'editor')).status).toBe(200);
    expect((await changeMember(lead.browser, organization, editor, 'user')).status).toBe(200);
    expect((await removeMember(lead.browser, organization, recruiter)).status).toBe(204);
  });

  test('can be given and taken by organization admins, superadmins and operators', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    expect((await changeMember(admin.browser, organization, lead, 'user')).status).toBe(200);
    expect((await changeMember(superadmin.browser, organization, lead, 'admin')).status).toBe(200);
    const added = await signUp(service);
    expect((await postMember(superadmin.browser, organization, added, 'lead')).status).toBe(201);
    const operator = service.auth.asOperator('ops').organizations;
    const further = await signUp(service);
    const given = { username: further.username, role: 'editor' };
    expect((await operator.addMember(organization.slug, given)).role).toBe('editor');
    await expect(operator.addMember(organization.slug, { ...given, role: 'chef' })).rejects.toThrow(
      'role: expected one of user, admin, editor, recruiter, lead, not chef',
    );
  });
});

describe('a member who loses the role before the statement runs', () => {
  const downgrade = (person: Person, role: string) => () =>
    setMembership(service, organization, person, role);
  const expectUnentitled = async (
    before: RegExp,
    change: () => ReturnType<typeof setMembership>,
    person: Person,
    act: (browser: Person['browser']) => Promise<Answer>,
  ) => {
    const { answer, changed } = await meet(service, {
      before,
      change,
      options: options as object,
      act: (instance) => act(instance.browser(person.browser.cookies)),
    });
    expect(changed).toBeGreaterThan(0);
    expectProblem(answer, 'forbidden');
  };
  const inserting = /insert into latchkey\.organization_invitations/;

  test('cannot invite, if the new role does not have the capability', () =>
    expectUnentitled(inserting, downgrade(recruiter, 'editor'), recruiter, (browser) =>
      inviteTo(browser, organization),
    ));

  test('cannot invite, if the new role can invite, but has fewer capabilities than the invited role', () =>
    expectUnentitled(inserting, downgrade(lead, 'recruiter'), lead, (browser) =>
      inviteTo(browser, organization, { role: 'editor' }),
    ));

  test('cannot change the role of a member', async () => {
    await expectUnentitled(/update latchkey\.memberships/, downgrade(lead, 'editor'), lead, (browser) =>
      changeMember(browser, organization, member, 'editor'),
    );
    expect(await roleOf(member)).toBe('user');
  });

  test('cannot remove a member', async () => {
    await expectUnentitled(/delete from latchkey\.memberships/, downgrade(lead, 'user'), lead, (browser) =>
      removeMember(browser, organization, member),
    );
    expect(await roleOf(member)).toBe('user');
  });

  test('can still invite, if the new role is sufficient', async () => {
    const { answer, changed } = await meet(service, {
      before: inserting,
      change: downgrade(recruiter, 'lead'),
      options: options as object,
      act: (instance) => inviteTo(instance.browser(recruiter.browser.cookies), organization),
    });
    expect([changed, answer.status]).toEqual([1, 201]);
  });
});

describe('an invitation of a member with a custom role', () => {
  test('makes the user a member with the invited role', async () => {
    const stranger = await signUp(service);
    const invitation = await offer(lead.browser, organization, stranger, { role: 'editor' });
    const { body } = await acceptReceived(stranger.browser, invitation);
    expect(body.organization.myRole).toBe('editor');
  });

  test('is unusable after the creator has lost the capability, or a capability of the invited role', async () => {
    for (const role of ['editor', 'recruiter']) {
      const stranger = await signUp(service);
      await setMembership(service, organization, lead, 'lead');
      const invitation = await offer(lead.browser, organization, stranger, { role: 'editor' });
      const { token } = await link(lead.browser, organization, { role: 'editor' });
      await setMembership(service, organization, lead, role);
      expectProblem(await acceptReceived(stranger.browser, invitation), 'invitation_unusable');
      expectProblem(await previewLink(service.browser(), token), 'invitation_unusable');
    }
  });

  test('cannot be accepted, if the creator loses a capability before the statement runs', async () => {
    const stranger = await signUp(service);
    const invitation = await offer(lead.browser, organization, stranger, { role: 'editor' });
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.memberships/,
      change: () => setMembership(service, organization, lead, 'recruiter'),
      options: options as object,
      act: (instance) => acceptReceived(instance.browser(stranger.browser.cookies), invitation),
    });
    expect(changed).toBeGreaterThan(0);
    expectProblem(answer, 'invitation_unusable');
    expect(await roleOf(stranger)).toBeUndefined();
  });

  test('is revoked by a change of the creator’s role through the API', async () => {
    const stranger = await signUp(service);
    const invitation = await offer(lead.browser, organization, stranger);
    await changeMember(admin.browser, organization, lead, 'editor');
    expectProblem(await acceptReceived(stranger.browser, invitation), 'invitation_unusable');
  });
});

describe('a role that the service does not configure', () => {
  test.each(['chef', 'constructor', '', 'Editor', 'superadmin', 'a'.repeat(5000)])(
    'cannot be given (here: %s)',
    async (role) => {
      const message = 'expected "user", "admin", "editor", "recruiter" or "lead"';
      for (const answer of [
        await inviteTo(admin.browser, organization, { role }),
        await changeMember(admin.browser, organization, member, role),
        await postMember(
          (await signUpAs(service, 'superadmin')).browser,
          organization,
          await signUp(service),
          role || ' ',
        ),
      ]) {
        expectProblem(answer, 'invalid_request', { errors: [{ path: 'role', message }] });
      }
    },
  );

  test('is shown by its name, and grants what the role user grants', async () => {
    const stranger = await signUp(service);
    const invitation = await offer(lead.browser, organization, stranger, { role: 'lead' });
    const later = await startSecondInstance(service, {
      organizationRoles: { editor: ['document:write'] },
    } as object);
    try {
      const formerLead = later.browser(lead.browser.cookies);
      expect((await getOrganization(formerLead, organization)).body.organization.myRole).toBe('lead');
      expect((await membersOf(formerLead, organization))[lead.username]).toBe('lead');
      expectProblem(await inviteTo(formerLead, organization), 'forbidden');
      expectProblem(await changeMember(formerLead, organization, member, 'user'), 'forbidden');
      const invited = later.browser(stranger.browser.cookies);
      expectProblem(await acceptReceived(invited, invitation), 'invitation_unusable');
      const roles = await later.auth.asOperator('ops').organizations.listUnconfiguredRoles();
      expect(roles.map(({ role }) => role)).toEqual(['lead', 'recruiter']);
      const unconfigured = roles.find(({ role }) => role === 'lead');
      const [counted] = await service.database.sql`
        select count(*)::int as members from latchkey.memberships where role = 'lead'`;
      expect(unconfigured?.members).toBe(counted?.members);
      const byAdmin = later.browser(admin.browser.cookies);
      expect((await changeMember(byAdmin, organization, lead, 'user')).status).toBe(200);
    } finally {
      await later.close();
    }
    expect(await service.auth.asOperator('ops').organizations.listUnconfiguredRoles()).toEqual([]);
  });
});

test('the OpenAPI document lists the configured roles of requests', async () => {
  const document = (await service.browser().get('/auth/openapi.json')).body as OpenApiDocument;
  const change = document.paths['/auth/organizations/{id}/members/{userId}']?.patch;
  expect(change?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          properties: { role: { type: 'string', enum: ['user', 'admin', 'editor', 'recruiter', 'lead'] } },
        },
      },
    },
  });
  expect(change?.description).toContain('members with the role lead');
  expect(JSON.stringify(document)).not.toContain('organizationRole"');
});

test('`auth.can` and `auth.organizationRoles` know the custom roles', async () => {
  const { auth } = service;
  expect(auth.organizationRoles).toEqual(options.organizationRoles);
  const principal = await auth.principalOf(editor.signedUp.body.user.id);
  if (!principal) throw new Error('the user does not exist');
  const can = (capability: string) =>
    auth.can(principal, capability as 'user:read', { organizationId: organization.id });
  expect([can('document:write'), can('document:read'), can('organization:members:invite')]).toEqual([
    true,
    true,
    false,
  ]);
});

async function typesOfOwnRoles(principal: Principal): Promise<void> {
  const config = defineConfig({
    capabilities: { user: { 'document:read': 'joined' }, admin: { 'user:recover': false } },
    organizationRoles: { editor: ['document:write', 'organization:members:invite'] },
  });
  for (const auth of [await createAuthService(config), await createAuthService({ ...config })]) {
    auth.can(principal, 'document:read');
    auth.can(principal, 'document:write');
    auth.can(principal, 'organization:members:invite');
    // @ts-expect-error: no role has this capability
    auth.can(principal, 'document:wriet');
    requirePermission(auth, 'document:write', () => null);
    // @ts-expect-error: no role has this capability
    requirePermission(auth, 'document:wriet', () => null);
  }
}

test('TypeScript knows the capabilities in `organizationRoles`', () => {
  expectTypeOf(typesOfOwnRoles).toBeFunction();
});
