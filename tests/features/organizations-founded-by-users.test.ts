import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortedStatuses, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  found,
  inviteTo,
  leaveOrganization,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { deleteOrganization, membersOf } from './support/organizations.ts';

// Users can create up to two organizations.
let service: TestService;
let bySuperadmins: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ organizations: { createdBy: 'user', perUser: 2 } });
  const env = { ORGANIZATION_CREATORS: 'superadmin' };
  bySuperadmins = await startServiceOn(service.database.url, { env });
});
afterAll(async () => {
  await bySuperadmins.close();
  await service.close();
});

const create = ({ browser }: Pick<Person, 'browser'>) =>
  browser.post(organizationsPath, { name: 'Acme', slug: newUsername('org') });
const tooManyCreated = {
  reason: 'too_many_created',
  detail: 'You can create at most 2 organizations.',
};
const created = async ({ signedUp }: Person) =>
  (
    await service.database.sql`
      select from latchkey.organizations where created_by = ${signedUp.body.user.id}`
  ).length;

describe('with `createdBy: user`', () => {
  test('a user creates an organization, becomes its organization admin and invites users', async () => {
    const user = await signUp(service);
    const organization = await found(user.browser);
    expect(await membersOf(user.browser, organization)).toEqual({ [user.username]: 'admin' });
    expect((await inviteTo(user.browser, organization)).status).toBe(201);
    const member = await signUpMember(service, user.browser, organization);
    expect((await membersOf(user.browser, organization))[member.username]).toBe('user');
  });

  test('creating an organization still needs fresh authentication', async () => {
    const user = await signUp(service);
    await service.database.sql`
      update latchkey.sessions set authenticated_at = authenticated_at - interval '1 hour'
      where user_id = ${user.signedUp.body.user.id}`;
    expectProblem(await create(user), 'reauthentication_required');
  });

  test('the OpenAPI document says that all users can create organizations', async () => {
    const { body } = await service.browser().get('/auth/openapi.json');
    expect(body.paths['/auth/organizations'].post.description).toContain('For all users.');
  });
});

describe('with `perUser: 2`', () => {
  test('the third organization is refused and recorded, until one is deleted', async () => {
    for (const person of [await signUp(service), await signUpAs(service, 'superadmin')]) {
      const first = await found(person.browser);
      await found(person.browser);
      const answer = await create(person);
      expectProblem(answer, 'too_many_organizations', tooManyCreated);
      expect(await auditRowsOf(service, answer)).toMatchObject([
        { event: 'organization.create', outcome: 'failure', details: { reason: 'too_many_created' } },
      ]);
      expect((await deleteOrganization(person.browser, first)).status).toBe(204);
      expect((await create(person)).status).toBe(201);
      expect(await created(person)).toBe(2);
    }
  });

  test('organizations that the user has left count, and organizations of other creators do not', async () => {
    const [user, other] = [await signUp(service), await signUp(service)];
    const organization = await found(user.browser);
    await signUpMember(service, user.browser, organization, 'admin').then(() =>
      leaveOrganization(user.browser, organization),
    );
    const foreign = await found(other.browser);
    await inviteTo(other.browser, foreign, { username: user.username, role: 'admin' });
    await found(user.browser);
    expectProblem(await create(user), 'too_many_organizations', tooManyCreated);
  });

  test('concurrent requests cannot exceed the limit (5 rounds)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await signUp(service);
      const answers = await together(Array.from({ length: 10 }, () => () => create(user)));
      expect(sortedStatuses(answers).filter((status) => status === 201)).toHaveLength(2);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await created(user)).toBe(2);
    }
  });
});

test('with ORGANIZATION_CREATORS=superadmin, only superadmins create organizations', async () => {
  const people = [
    await signUp(service),
    await signUpAs(service, 'admin'),
    await signUpAs(service, 'superadmin'),
  ];
  const answers = [];
  for (const { browser } of people)
    answers.push(await create({ browser: bySuperadmins.browser(browser.cookies) }));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 201]);
});
