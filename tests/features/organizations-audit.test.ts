import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import type { TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { found, organizationsPath, postMember, signUpAs, signUpMember } from './support/authority.ts';
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
let chief: Person;
let founder: Person;
let member: Person;
let organization: { id: string; slug: string; name: string };
beforeAll(async () => {
  service = await startFrozenService();
  chief = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = (await found(founder.browser)) as typeof organization;
  member = await signUpMember(service, founder.browser, organization);
});

const byWhom = (person: Person) => ({
  actor_type: 'user',
  actor_id: userIdOf(person),
  actor_name: person.username,
  ip: '127.0.0.1',
  user_agent: 'node',
});
const onOrganization = (name = organization.name) => ({
  target_type: 'organization',
  target_id: organization.id,
  target_name: name,
});
const onPerson = (person: Person) => ({
  target_type: 'user',
  target_id: userIdOf(person),
  target_name: person.username,
});

/** Expects one row of a request, in the organization unless said otherwise. */
async function expectRow(answer: Answer, row: object): Promise<void> {
  expect(await wholeAuditRowsOf(service, answer)).toEqual([
    {
      id: expect.any(String),
      at: expect.any(Date),
      request_id: answer.headers.get('x-request-id'),
      organization_id: organization.id,
      ...row,
    },
  ]);
}

describe('the audit log has one row in the organization', () => {
  const success = { outcome: 'success', details: {} };

  test('of its founding, its change and its deletion', async () => {
    const slug = newUsername('org');
    const founding = await founder.browser.post(organizationsPath, { name: 'Acme', slug });
    organization = founding.body.organization;
    const by = byWhom(founder);
    await expectRow(founding, {
      event: 'organization.create',
      ...success,
      ...by,
      ...onOrganization(),
      details: { slug },
    });
    await expectRow(await patchOrganization(founder.browser, organization, { name: 'Acme & Co' }), {
      event: 'organization.update',
      ...success,
      ...by,
      ...onOrganization('Acme & Co'),
    });
    const other = newUsername('org');
    await expectRow(await patchOrganization(founder.browser, organization, { slug: other }), {
      event: 'organization.update',
      ...success,
      ...by,
      ...onOrganization('Acme & Co'),
      details: { slug: other },
    });
    await expectRow(await deleteOrganization(chief.browser, organization), {
      event: 'organization.delete',
      ...success,
      ...byWhom(chief),
      ...onOrganization('Acme & Co'),
    });
  });

  test('of somebody’s being added, promoted, demoted and removed', async () => {
    const person = await signUp(service);
    const row = { ...success, ...byWhom(founder), ...onPerson(person) };
    await expectRow(await postMember(chief.browser, organization, person), {
      ...row,
      ...byWhom(chief),
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

  test('of leaving', async () => {
    await expectRow(await removeMember(member.browser, organization, member), {
      event: 'member.leave',
      ...success,
      ...byWhom(member),
      ...onPerson(member),
    });
  });
});

describe('the audit log has one row of a refusal', () => {
  const failure = (reason: string) => ({ outcome: 'failure', details: { reason } });

  test('to found one, in no organization', async () => {
    await expectRow(await member.browser.post(organizationsPath, { name: 'Acme' }), {
      event: 'organization.create',
      ...failure('role_too_low'),
      ...byWhom(member),
      target_type: null,
      target_id: null,
      target_name: null,
      organization_id: null,
    });
  });

  test('of a slug that is taken', async () => {
    const { slug } = await found(founder.browser);
    await expectRow(await patchOrganization(founder.browser, organization, { slug }), {
      event: 'organization.update',
      ...failure('slug_taken'),
      ...byWhom(founder),
      ...onOrganization(),
    });
    const answer = await founder.browser.post(organizationsPath, { name: 'Acme', slug });
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      { event: 'organization.create', ...failure('slug_taken'), ...byWhom(founder), target_name: 'Acme' },
    ]);
  });

  test.each([
    ['a member', 'not_an_organization_admin', () => member],
    ['a stranger', 'not_a_member', () => signUp(service)],
    ['an admin of elsewhere', 'not_a_member', () => signUpAs(service, 'admin')],
  ])('of each change that %s tries', async (_, reason, somebody) => {
    const person = await somebody();
    const { browser } = person;
    const row = { ...failure(reason), ...byWhom(person), ...onOrganization() };
    const events: [event: string, answer: Answer][] = [
      ['organization.update', await patchOrganization(browser, organization, { name: 'Mine' })],
      ['organization.delete', await deleteOrganization(browser, organization)],
      ['member.add', await postMember(browser, organization, person, 'admin')],
      ['member.change_role', await changeMember(browser, organization, person, 'admin')],
      ['member.remove', await removeMember(browser, organization, founder)],
    ];
    for (const [event, answer] of events) await expectRow(answer, { event, ...row });
    if (reason === 'not_a_member') {
      const leaving = await removeMember(browser, organization, person);
      await expectRow(leaving, { event: 'member.leave', ...row });
    }
  });

  test('to add a user by an admin of the organization, who can only invite', async () => {
    await expectRow(await postMember(founder.browser, organization, await signUp(service)), {
      event: 'member.add',
      ...failure('role_too_low'),
      ...byWhom(founder),
      ...onOrganization(),
    });
  });

  test('to add somebody unknown, disabled, or there already', async () => {
    const disabled = await signUp(service);
    await setStatus(service, disabled, 'disabled');
    const nobody = newUsername();
    const unknown = { target_type: 'user', target_id: null, target_name: nobody };
    for (const [username, reason, target] of [
      [nobody.toUpperCase(), 'username_unknown', unknown],
      ['not a name!', 'username_unknown', { ...unknown, target_name: null }],
      [disabled.username, 'account_disabled', onPerson(disabled)],
      [member.username, 'already_a_member', onPerson(member)],
    ] as const) {
      await expectRow(await postMember(chief.browser, organization, { username }), {
        event: 'member.add',
        ...failure(reason),
        ...byWhom(chief),
        ...target,
      });
    }
  });

  test('to lose the last admin, whichever way', async () => {
    const row = { ...failure('last_organization_admin'), ...onPerson(founder) };
    for (const [event, answer, by] of [
      ['member.change_role', await changeMember(founder.browser, organization, founder, 'user'), founder],
      ['member.leave', await removeMember(founder.browser, organization, founder), founder],
      ['member.change_role', await changeMember(chief.browser, organization, founder, 'user'), chief],
      ['member.remove', await removeMember(chief.browser, organization, founder), chief],
    ] as const) {
      await expectRow(answer, { event, ...row, ...byWhom(by) });
    }
  });
});

test('what changes nothing, and whoever looks, is in no row', async () => {
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

test('what cannot be written down does not happen', async () => {
  const person = await signUp(service);
  const before = [organization, await membersOf(chief.browser, organization)];
  await service.database
    .sql`alter table latchkey.audit_events add constraint full_up check (false) not valid`;
  const answers = [
    await founder.browser.post(organizationsPath, { name: 'Acme', slug: 'never-founded' }),
    await patchOrganization(founder.browser, organization, { name: 'Other' }),
    await postMember(chief.browser, organization, person),
    await changeMember(founder.browser, organization, member, 'admin'),
    await removeMember(founder.browser, organization, member),
    await removeMember(member.browser, organization, member),
    await deleteOrganization(founder.browser, organization),
  ];
  await service.database.sql`alter table latchkey.audit_events drop constraint full_up`;
  for (const { status } of answers) expect(status).toBe(500);
  const { body } = await getOrganization(founder.browser, organization);
  expect([body.organization, await membersOf(chief.browser, organization)]).toEqual(before);
  const never = await service.database.sql`
    select from latchkey.organizations where slug = 'never-founded'`;
  expect(never).toHaveLength(0);
});
