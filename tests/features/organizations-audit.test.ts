import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import type { TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { noImpersonator, wholeAuditRowsOf } from './support/audit-log.ts';
import {
  found,
  leaveOrganization,
  organizationsPath,
  postMember,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import {
  changeMember,
  deleteOrganization,
  getOrganization,
  membersOf,
  organizationPath,
  patchOrganization,
  removeMember,
} from './support/organizations.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let member: Person;
let organization: { id: string; slug: string; name: string };
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = (await found(founder.browser)) as typeof organization;
  member = await signUpMember(service, founder.browser, organization);
});

const actorFields = (person: Person) => ({
  actor_type: 'user',
  actor_id: userIdOf(person),
  actor_name: person.username,
  ip: '127.0.0.1',
  user_agent: 'node',
  count: null,
});
const organizationTarget = (name = organization.name) => ({
  target_type: 'organization',
  target_id: organization.id,
  target_name: name,
});
const userTarget = (person: Person) => ({
  target_type: 'user',
  target_id: userIdOf(person),
  target_name: person.username,
});

/** Expects that the request wrote one audit row. `organization_id` is the organization's id, unless `row` sets it. */
async function expectRow(answer: Answer, row: object): Promise<void> {
  expect(await wholeAuditRowsOf(service, answer)).toEqual([
    {
      id: expect.any(String),
      at: expect.any(Date),
      request_id: answer.headers.get('x-request-id'),
      organization_id: organization.id,
      ...noImpersonator,
      ...row,
    },
  ]);
}

describe('one audit event with the organization’s id is written', () => {
  const success = { outcome: 'success', details: {} };

  test('for the creation, each update and the deletion of an organization', async () => {
    const slug = newUsername('org');
    const founding = await founder.browser.post(organizationsPath, { name: 'Acme', slug });
    organization = founding.body.organization;
    const by = actorFields(founder);
    await expectRow(founding, {
      event: 'organization.create',
      ...success,
      ...by,
      ...organizationTarget(),
      details: { slug },
    });
    await expectRow(await patchOrganization(founder.browser, organization, { name: 'Acme & Co' }), {
      event: 'organization.update',
      ...success,
      ...by,
      ...organizationTarget('Acme & Co'),
    });
    const other = newUsername('org');
    await expectRow(await patchOrganization(founder.browser, organization, { slug: other }), {
      event: 'organization.update',
      ...success,
      ...by,
      ...organizationTarget('Acme & Co'),
      details: { slug: other },
    });
    await expectRow(await deleteOrganization(superadmin.browser, organization), {
      event: 'organization.delete',
      ...success,
      ...actorFields(superadmin),
      ...organizationTarget('Acme & Co'),
    });
  });

  test('for adding, promoting, demoting and removing a member', async () => {
    const person = await signUp(service);
    const row = { ...success, ...actorFields(founder), ...userTarget(person) };
    await expectRow(await postMember(superadmin.browser, organization, person), {
      ...row,
      ...actorFields(superadmin),
      event: 'member.add',
      details: { role: 'user' },
    });
    await expectRow(await changeMember(founder.browser, organization, person, 'admin'), {
      ...row,
      event: 'member.change_role',
      details: { from: 'user', to: 'admin' },
    });
    await expectRow(await changeMember(founder.browser, organization, person, 'user'), {
      ...row,
      event: 'member.change_role',
      details: { from: 'admin', to: 'user' },
    });
    await expectRow(await removeMember(founder.browser, organization, person), {
      ...row,
      event: 'member.remove',
    });
  });

  test('for a member who leaves', async () => {
    await expectRow(await leaveOrganization(member.browser, organization), {
      event: 'member.leave',
      ...success,
      ...actorFields(member),
      ...userTarget(member),
    });
  });
});

describe('one audit event with the reason is written', () => {
  const failure = (reason: string) => ({ outcome: 'failure', details: { reason } });

  test('for a rejected creation, without an organization id', async () => {
    await expectRow(await member.browser.post(organizationsPath, { name: 'Acme' }), {
      event: 'organization.create',
      ...failure('role_too_low'),
      ...actorFields(member),
      target_type: null,
      target_id: null,
      target_name: null,
      organization_id: null,
    });
  });

  test('for a slug that is already taken', async () => {
    const { slug } = await found(founder.browser);
    await expectRow(await patchOrganization(founder.browser, organization, { slug }), {
      event: 'organization.update',
      ...failure('slug_taken'),
      ...actorFields(founder),
      ...organizationTarget(),
    });
    const answer = await founder.browser.post(organizationsPath, { name: 'Acme', slug });
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'organization.create',
        ...failure('slug_taken'),
        ...actorFields(founder),
        target_name: 'Acme',
      },
    ]);
  });

  test.each([
    ['a member', 'not_an_organization_admin', () => member],
    ['a user who is not a member', 'not_a_member', () => signUp(service)],
    ['an admin who is not a member', 'not_a_member', () => signUpAs(service, 'admin')],
  ])('for each rejected change by %s', async (_, reason, caller) => {
    const person = await caller();
    const { browser } = person;
    const row = { ...failure(reason), ...actorFields(person), ...organizationTarget() };
    const events: [event: string, answer: Answer][] = [
      ['organization.update', await patchOrganization(browser, organization, { name: 'Mine' })],
      ['organization.delete', await deleteOrganization(browser, organization)],
      ['member.add', await postMember(browser, organization, person, 'admin')],
      ['member.change_role', await changeMember(browser, organization, person, 'admin')],
      ['member.remove', await removeMember(browser, organization, founder)],
    ];
    for (const [event, answer] of events) await expectRow(answer, { event, ...row });
    if (reason === 'not_a_member') {
      const leaving = await leaveOrganization(browser, organization);
      await expectRow(leaving, { event: 'member.leave', ...row });
    }
  });

  test('for an organization admin who tries to add a user without an invitation', async () => {
    await expectRow(await postMember(founder.browser, organization, await signUp(service)), {
      event: 'member.add',
      ...failure('role_too_low'),
      ...actorFields(founder),
      ...organizationTarget(),
    });
  });

  test('for adding an unknown user, a disabled user or a member', async () => {
    const disabled = await signUp(service);
    await setStatus(service, disabled, 'disabled');
    const unknownUsername = newUsername();
    const unknown = { target_type: 'user', target_id: null, target_name: unknownUsername };
    for (const [username, reason, target] of [
      [unknownUsername.toUpperCase(), 'username_unknown', unknown],
      ['not a name!', 'username_unknown', { ...unknown, target_name: null }],
      [disabled.username, 'account_disabled', userTarget(disabled)],
      [member.username, 'already_a_member', userTarget(member)],
    ] as const) {
      await expectRow(await postMember(superadmin.browser, organization, { username }), {
        event: 'member.add',
        ...failure(reason),
        ...actorFields(superadmin),
        ...target,
      });
    }
  });

  test('for each attempt to demote or remove the last admin', async () => {
    const row = { ...failure('last_organization_admin'), ...userTarget(founder) };
    for (const [event, answer, by] of [
      ['member.change_role', await changeMember(founder.browser, organization, founder, 'user'), founder],
      ['member.leave', await leaveOrganization(founder.browser, organization), founder],
      [
        'member.change_role',
        await changeMember(superadmin.browser, organization, founder, 'user'),
        superadmin,
      ],
      ['member.remove', await removeMember(superadmin.browser, organization, founder), superadmin],
    ] as const) {
      await expectRow(answer, { event, ...row, ...actorFields(by) });
    }
  });
});

test('requests that only read, and updates that change nothing, write no audit event', async () => {
  const stranger = await signUp(service);
  const path = organizationPath(organization);
  const answers = [
    await patchOrganization(founder.browser, organization, {}),
    await patchOrganization(founder.browser, organization, { name: organization.name }),
    await changeMember(founder.browser, organization, member, 'user'),
    await getOrganization(member.browser, organization),
    await getOrganization(stranger.browser, organization),
    await founder.browser.get(`${path}/members`),
    await stranger.browser.get(`${path}/members`),
    await founder.browser.get(organizationsPath),
  ];
  for (const answer of answers) expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
});

test('nothing changes if the audit event cannot be written', async () => {
  const person = await signUp(service);
  const before = [organization, await membersOf(superadmin.browser, organization)];
  await service.database
    .sql`alter table latchkey.audit_events add constraint full_up check (false) not valid`;
  const answers = [
    await founder.browser.post(organizationsPath, { name: 'Acme', slug: 'never-founded' }),
    await patchOrganization(founder.browser, organization, { name: 'Other' }),
    await postMember(superadmin.browser, organization, person),
    await changeMember(founder.browser, organization, member, 'admin'),
    await removeMember(founder.browser, organization, member),
    await leaveOrganization(member.browser, organization),
    await deleteOrganization(founder.browser, organization),
  ];
  await service.database.sql`alter table latchkey.audit_events drop constraint full_up`;
  for (const { status } of answers) expect(status).toBe(500);
  const { body } = await getOrganization(founder.browser, organization);
  expect([body.organization, await membersOf(superadmin.browser, organization)]).toEqual(before);
  const never = await service.database.sql`
    select from latchkey.organizations where slug = 'never-founded'`;
  expect(never).toHaveLength(0);
});
