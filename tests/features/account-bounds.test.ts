import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { sortedStatuses, times } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import {
  found,
  inviteTo,
  leaveOrganization,
  organizationsPath,
  postInvitation,
  postMember,
  signUpAs,
} from './support/authority.ts';
import { revoke } from './support/invitations.ts';
import {
  acceptLink,
  acceptReceived,
  declineReceived,
  link,
  offer,
  receivedBy,
} from './support/organization-invitations.ts';
import { type Pair, startPair } from './support/paired-changes.ts';

let service: TestService;
let pair: Pair;
let superadmin: Person;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  pair = await startPair(service);
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
});
afterAll(async () => {
  await pair.close();
  await service.close();
});

/** Creates organizations with SQL. Returns their ids. */
async function newOrganizations(count: number): Promise<string[]> {
  const rows = await service.database.sql<{ id: string }[]>`
    insert into latchkey.organizations (id, name, slug, created_at)
    select gen_random_uuid(), 'Filler', 'f-' || gen_random_uuid(), latchkey.clock()
    from generate_series(1, ${count}) returning id`;
  return rows.map(({ id }) => id);
}

/** Makes a user a member of new organizations with SQL, until the user belongs to `count`. */
async function joinUntil(person: Person, count: number): Promise<void> {
  const ids = await newOrganizations(count - (await organizationsOf(person)));
  await service.database.sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select id, ${userIdOf(person)}, 'user', latchkey.clock() from unnest(${ids}::uuid[]) as id`;
}

async function organizationsOf(person: Person): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`
    select count(*)::int from latchkey.memberships where user_id = ${userIdOf(person)}`;
  return Number(row?.count);
}

async function expectRefused(answer: Answer, code: Parameters<typeof expectProblem>[1]): Promise<void> {
  expectProblem(answer, code);
  expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
    { outcome: 'failure', details: { reason: code } },
  ]);
}

describe('a user who belongs to 100 organizations', () => {
  test('cannot accept an invitation, cannot use a link and cannot be added by a superadmin', async () => {
    const person = await signUp(service);
    const invitation = await offer(founder.browser, organization, person);
    const { token } = await link(founder.browser, organization);
    await joinUntil(person, 100);
    await expectRefused(await acceptReceived(person.browser, invitation), 'too_many_organizations');
    await expectRefused(await acceptLink(person.browser, token), 'too_many_organizations');
    const other = await found(founder.browser);
    await expectRefused(await postMember(superadmin.browser, other, person), 'too_many_organizations');
    expect(await organizationsOf(person)).toBe(100);
  });

  test('cannot create an organization', async () => {
    const admin = await signUpAs(service, 'admin');
    await joinUntil(admin, 99);
    await found(admin.browser);
    const answer = await admin.browser.post(organizationsPath, { name: 'One too many' });
    await expectRefused(answer, 'too_many_organizations');
    expect(await organizationsOf(admin)).toBe(100);
  });

  test('can join another organization after leaving one', async () => {
    const person = await signUp(service);
    const { id } = await found(founder.browser);
    expect((await postMember(superadmin.browser, { id }, person)).status).toBe(201);
    await joinUntil(person, 100);
    const invitation = await offer(founder.browser, organization, person);
    expectProblem(await acceptReceived(person.browser, invitation), 'too_many_organizations');
    expect((await leaveOrganization(person.browser, { id })).status).toBe(204);
    expect((await acceptReceived(person.browser, invitation)).status).toBe(200);
  });

  test('learns that they are already a member, if they are', async () => {
    const person = await signUp(service);
    const { token } = await link(founder.browser, organization);
    expect((await postMember(superadmin.browser, organization, person)).status).toBe(201);
    await joinUntil(person, 100);
    expectProblem(await acceptLink(person.browser, token), 'already_a_member');
    expectProblem(await postMember(superadmin.browser, organization, person), 'already_a_member');
  });
});

/** Prepares three ways to become a member. Returns a request for each. */
async function joinInThreeWays(person: Person): Promise<((instance: ServiceOn) => Promise<Answer>)[]> {
  const [one, other, third] = [
    await found(founder.browser),
    await found(founder.browser),
    await found(founder.browser),
  ];
  const invitation = await offer(founder.browser, one, person);
  const { token } = await link(founder.browser, other);
  return [
    (instance) => acceptReceived(instance.browser(person.browser.cookies), invitation),
    (instance) => acceptLink(instance.browser(person.browser.cookies), token),
    (instance) => postMember(instance.browser(superadmin.browser.cookies), third, person),
  ];
}

describe.each([
  ['one process', 1],
  ['two processes', 2],
] as const)('with concurrent requests in %s,', (_, processes) => {
  test('a user with 99 organizations joins only one of three others', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(service);
      const joins = await joinInThreeWays(person);
      await joinUntil(person, 99);
      const answers = await pair.meet(processes, ...joins);
      const codes = answers.filter(({ status }) => status > 299).map(({ body }) => body.code);
      expect(codes).toEqual(['too_many_organizations', 'too_many_organizations']);
      expect(await organizationsOf(person)).toBe(100);
    }
    await service.database.sql`delete from latchkey.organizations`;
    organization = await found(founder.browser);
  });

  test('an admin with 95 organizations creates only five of twenty others', async () => {
    const admin = await signUpAs(service, 'admin');
    await joinUntil(admin, 95);
    const create = (instance: ServiceOn) =>
      instance
        .browser(admin.browser.cookies)
        .post(organizationsPath, { name: 'Race', slug: `race-${crypto.randomUUID()}` });
    const answers = await pair.meet(processes, ...times(20, create));
    expect(sortedStatuses(answers)).toEqual([...times(5, 201), ...times(15, 409)]);
    expect(await organizationsOf(admin)).toBe(100);
  });

  test('a user with 98 pending invitations gets only two of five others', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(service);
      await fillReceived(person, 98);
      const organizations = await Promise.all(times(5, founder).map(({ browser }) => found(browser)));
      const answers = await pair.meet(
        processes,
        ...organizations.map(
          (each) => (instance: ServiceOn) =>
            inviteTo(instance.browser(founder.browser.cookies), each, { username: person.username }),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([201, 201, 409, 409, 409]);
      expect(await receivedBy(person.browser)).toHaveLength(100);
    }
    await service.database.sql`delete from latchkey.organizations`;
    organization = await found(founder.browser);
  });

  test('a superadmin with 95 pending invitations creates only five of twenty others', async () => {
    const creator = await signUpAs(service, 'superadmin');
    await fillCreated(creator, 95);
    const create = (instance: ServiceOn) => postInvitation(instance.browser(creator.browser.cookies));
    const answers = await pair.meet(processes, ...times(20, create));
    expect(sortedStatuses(answers)).toEqual([...times(5, 201), ...times(15, 409)]);
  });
});

/** Gives a user pending invitations of other organizations with SQL. */
async function fillReceived(person: Person, count: number): Promise<void> {
  const ids = await newOrganizations(count);
  await service.database.sql`
    insert into latchkey.organization_invitations (id, organization_id, user_id, role, created_at, expires_at)
    select gen_random_uuid(), id, ${userIdOf(person)}, 'user', latchkey.clock(),
      latchkey.clock() + interval '1 hour'
    from unnest(${ids}::uuid[]) as id`;
}

/** Adds pending admin invitations of a superadmin with SQL. */
const fillCreated = (creator: Person, count: number) => service.database.sql`
  insert into latchkey.invitations (id, token_hash, role, created_by, created_at, expires_at)
  select gen_random_uuid(), gen_random_uuid()::text, 'admin', ${userIdOf(creator)}, latchkey.clock(),
    latchkey.clock() + interval '1 hour'
  from generate_series(1, ${count})`;

describe('a user with 100 pending invitations', () => {
  test('gets another invitation only after declining one', async () => {
    const person = await signUp(service);
    const own = await found(founder.browser);
    const first = await offer(founder.browser, own, person);
    await fillReceived(person, 99);
    const { username } = person;
    await expectRefused(await inviteTo(founder.browser, organization, { username }), 'too_many_invitations');
    expectProblem(await inviteTo(founder.browser, own, { username }), 'already_invited');
    expect((await inviteTo(founder.browser, organization)).status).toBe(201);
    expect((await declineReceived(person.browser, first)).status).toBe(204);
    expect((await inviteTo(founder.browser, organization, { username })).status).toBe(201);
  });

  test('gets another invitation if all of them have expired', async () => {
    const person = await signUp(service);
    await fillReceived(person, 100);
    await service.database.sql`
      update latchkey.organization_invitations set expires_at = latchkey.clock()
      where user_id = ${userIdOf(person)}`;
    const { username } = person;
    expect((await inviteTo(founder.browser, organization, { username })).status).toBe(201);
  });
});

describe('a superadmin with 100 pending invitations', () => {
  test('creates another invitation only after revoking one', async () => {
    const creator = await signUpAs(service, 'superadmin');
    await fillCreated(creator, 99);
    const { invitation } = (await postInvitation(creator.browser)).body;
    const username = (await signUp(service)).username;
    await expectRefused(await postInvitation(creator.browser, { username }), 'too_many_invitations');
    expect((await postInvitation(superadmin.browser)).status).toBe(201);
    expect((await revoke(creator.browser, invitation)).status).toBe(204);
    expect((await postInvitation(creator.browser, { username })).status).toBe(201);
  });
});

test('an operator can create more than 100 pending invitations', async () => {
  const operator = service.auth.asOperator('ops');
  for (const _ of times(101, null)) await operator.invitations.create();
  expect((await operator.invitations.list({ limit: 200 })).invitations.length).toBeGreaterThan(100);
});
