import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import type { Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  endSessionsOf,
  found,
  help,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { changeMember, patchOrganization } from './support/organizations.ts';

// A service with narrowed capabilities, on the database of a service without options.
let service: TestService;
let narrowed: ServiceOn;
let superadmin: Person;
let otherSuperadmin: Person;
let admin: Person;
let orgAdmin: Person;
let member: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  narrowed = await startServiceOn(service.database.url, {
    capabilities: {
      user: { 'organization:members:promote': false, 'organization:members:read': 'managed' },
      admin: { 'organization:create': false, 'user:recover': false },
      superadmin: { 'user:end_sessions': 'managed', 'organization:update': 'managed', 'role:assign': false },
    },
  } as object);
  superadmin = await signUpAs(service, 'superadmin');
  otherSuperadmin = await signUpAs(service, 'superadmin');
  admin = await signUpAs(service, 'admin');
  organization = await found(admin.browser);
  orgAdmin = await signUpMember(service, admin.browser, organization, 'admin');
  member = await signUpMember(service, admin.browser, organization);
});
afterAll(async () => {
  await narrowed.close();
  await service.close();
});

type Browser = Person['browser'];

describe.each<[what: string, act: (by: Browser) => Promise<Answer>, statuses: number[]]>([
  [
    'creating an organization',
    (by) => by.post(organizationsPath, { name: `A ${Math.random()}` }),
    [403, 403, 403, 201],
  ],
  ['creating a recovery link', (by) => help(by, member), [403, 403, 403, 201]],
  ['ending sessions', (by) => endSessionsOf(by, otherSuperadmin), [403, 403, 404, 404]],
  [
    'changing the role of a member',
    (by) => changeMember(by, organization, member, 'user'),
    [403, 403, 200, 200],
  ],
  [
    'renaming the organization',
    (by) => patchOrganization(by, organization, { name: 'New' }),
    [403, 200, 200, 404],
  ],
  [
    'listing the members',
    (by) => by.get(`${organizationsPath}/${organization.id}/members`),
    [403, 200, 200, 200],
  ],
  [
    'changing the role of a user',
    (by) => by.put(`/auth/admin/users/${member.signedUp.body.user.id}/role`, { role: 'admin' }),
    [403, 403, 403, 403],
  ],
])('%s', (_, act, statuses) => {
  test('returns the status that the narrowed capabilities give a member, an organization admin, an admin and a superadmin', async () => {
    const answers: Answer[] = [];
    for (const { browser } of [member, orgAdmin, admin, superadmin])
      answers.push(await act(narrowed.browser(browser.cookies)));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });
});

test('the list of organizations contains those that the user can read', async () => {
  const managers = await startServiceOn(service.database.url, {
    capabilities: { user: { 'organization:read': 'managed' } },
  } as object);
  const listed = async ({ browser }: Person) =>
    (await managers.browser(browser.cookies).get(organizationsPath)).body.organizations.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listed(member)).toEqual([]);
  expect(await listed(orgAdmin)).toEqual([organization.id]);
  expect(await listed(superadmin)).toContain(organization.id);
  await managers.close();
});

test('a recovery link of an admin is unusable, once admins can no longer create links', async () => {
  const user = await signUpMember(service, admin.browser, organization);
  const link = await help(admin.browser, user);
  expect(link.status).toBe(201);
  const { token } = link.body;
  const used = await narrowed.browser().post('/auth/recovery/assisted/use', { token });
  expect(used.status).toBeGreaterThanOrEqual(400);
  expect((await service.browser().post('/auth/recovery/assisted/use', { token })).status).toBeLessThan(300);
});

test('a refusal because of a narrowed capability is recorded', async () => {
  const answer = await narrowed.browser(admin.browser.cookies).post(organizationsPath, { name: 'Acme' });
  expectProblem(answer, 'forbidden');
  expect(await auditRowsOf(service, answer)).toMatchObject([
    { event: 'organization.create', outcome: 'failure', details: { reason: 'role_too_low' } },
  ]);
});

test('the OpenAPI document describes the narrowed capabilities', async () => {
  const { paths } = (await narrowed.browser().get('/auth/openapi.json')).body;
  expect(paths['/auth/organizations'].post.description).toContain('For superadmins.');
  expect(paths['/auth/admin/users/{id}/recovery'].post.description).toContain('For superadmins.');
  expect(paths['/auth/admin/users/{id}/role'].put.description).toContain('For no user.');
  expect(paths['/auth/organizations/{id}'].patch.description).toContain('For organization admins.');
});
