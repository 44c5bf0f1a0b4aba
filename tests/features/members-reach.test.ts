import { createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  changeRole,
  found,
  leaveOrganization,
  organizationsPath,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { inviteWhole } from './support/invitations.ts';
import { membersOf, organizationPath, setMembership } from './support/organizations.ts';

let service: TestService;
let superadmin: Person;
/** An organization admin of `own`. Their account has the role `user`. */
let organizationAdmin: Person;
let own: { id: string };
let other: { id: string };
let otherAdmin: Person;
let otherMember: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  own = await found(superadmin.browser);
  organizationAdmin = await signUpMember(service, superadmin.browser, own, 'admin');
  otherAdmin = await signUpAs(service, 'admin');
  other = await found(otherAdmin.browser);
  otherMember = await signUpMember(service, otherAdmin.browser, other);
});
afterAll(() => service.close());

/** The method and path of every endpoint, read from the router. */
const endpoints = () =>
  createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => [method, `${path}`] as const),
    );

/** Valid bodies for the tested endpoints that need a body. */
const bodies: Record<string, object> = {
  'PATCH /auth/organizations/:id': { name: 'Mine' },
  'POST /auth/organizations/:id/members': { username: 'somebody' },
  'POST /auth/organizations/:id/invitations': { username: 'somebody' },
  'PATCH /auth/organizations/:id/members/:userId': { role: 'admin' },
  'POST /auth/organizations': { name: 'Mine' },
  'PUT /auth/admin/users/:id/role': { role: 'superadmin' },
};

const send = (browser: TestAgent, method: string, path: string, target: string) => {
  const body = bodies[`${method} ${path}`];
  return method === 'GET' || method === 'DELETE' || !body
    ? browser.request(method, target)
    : browser.request(method, target, JSON.stringify(body), { 'Content-Type': 'application/json' });
};

const stateOf = async (organization: { id: string }) => [
  (await superadmin.browser.get(organizationPath(organization))).body,
  await membersOf(superadmin.browser, organization),
];

test('an organization admin gets 404 from every endpoint of another organization', async () => {
  const about = endpoints().filter(([, path]) => path.startsWith('/auth/organizations/'));
  expect(about.length).toBeGreaterThanOrEqual(7);
  const before = await stateOf(other);
  for (const [method, path] of about) {
    for (const person of [otherMember, otherAdmin, organizationAdmin]) {
      const target = path.replace(':id', other.id).replace(':userId', userIdOf(person));
      expectProblem(await send(organizationAdmin.browser, method, path, target), 'not_found');
    }
  }
  expect(await stateOf(other)).toEqual(before);
});

test('an organization admin who is a member of another organization can only read that other organization, list its members and leave it', async () => {
  await setMembership(service, other, organizationAdmin, 'user');
  const before = await stateOf(other);
  for (const [method, path] of endpoints().filter(([, one]) => one.startsWith('/auth/organizations/'))) {
    if (path.endsWith('/membership')) continue;
    const target = path.replace(':id', other.id).replace(':userId', userIdOf(otherMember));
    const answer = await send(organizationAdmin.browser, method, path, target);
    if (method === 'GET' && !path.endsWith('/invitations')) expect(answer.status).toBe(200);
    else expectProblem(answer, 'forbidden');
  }
  expect(await stateOf(other)).toEqual(before);
  expect((await leaveOrganization(organizationAdmin.browser, other)).status).toBe(204);
});

test('an organization admin with the role `user` is rejected by every endpoint for admins and superadmins', async () => {
  const member = await signUpMember(service, superadmin.browser, own);
  const { invitation } = await inviteWhole(superadmin.browser);
  const forAdmins = endpoints().filter(
    ([method, path]) =>
      (path.startsWith('/auth/admin/') && !/(accept|preview)$/.test(path)) ||
      (method === 'POST' && path === organizationsPath),
  );
  expect(forAdmins.length).toBeGreaterThanOrEqual(14);
  for (const [method, path] of forAdmins) {
    for (const id of [userIdOf(member), userIdOf(organizationAdmin), userIdOf(otherMember), invitation.id]) {
      expectProblem(
        await send(organizationAdmin.browser, method, path, path.replace(':id', id)),
        'forbidden',
      );
    }
  }
  expect((await organizationAdmin.browser.get('/auth/session')).body.user.role).toBe('user');
  expect((await member.browser.get('/auth/session')).body.user.role).toBe('user');
});

test('an admin who is a member but not an organization admin cannot manage the other members', async () => {
  const admin = await signUpAs(service, 'admin');
  const member = await signUpMember(service, superadmin.browser, own);
  await setMembership(service, own, admin, 'user');
  const path = `${usersPath}/${userIdOf(member)}`;
  expectProblem(await admin.browser.get(path), 'not_found');
  expectProblem(await admin.browser.post(`${path}/recovery`), 'not_found');
  expectProblem(await admin.browser.delete(`${path}/sessions`), 'not_found');
  await setMembership(service, own, admin, 'admin');
  expect((await admin.browser.get(path)).status).toBe(200);
  expectProblem(await admin.browser.get(`${usersPath}/${userIdOf(otherMember)}`), 'not_found');
});

test('the account role `admin` gives no access to an organization, and organization admins do not need this role', async () => {
  const person = await signUp(service);
  await changeRole(superadmin.browser, person, 'admin');
  const founded = await found(person.browser);
  expectProblem(await person.browser.get(organizationPath(own)), 'not_found');
  await changeRole(superadmin.browser, person, 'user');
  const { status } = await person.browser.patch(organizationPath(founded), { name: 'Still mine' });
  expect(status).toBe(200);
  expectProblem(await person.browser.post(organizationsPath, { name: 'Another' }), 'forbidden');
});
