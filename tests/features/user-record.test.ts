import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import {
  found,
  leaveSuperadmins,
  postMember,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { signUpWithPassword } from './support/passwords.ts';
import { createLink, generateCodes } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ impersonation: true });
  superadmin = await signUpAs(service, 'superadmin', 'the-superadmin');
});
afterAll(() => service.close());

const record = ({ browser }: Person, person: Person) =>
  browser.get(`${usersPath}/${userIdOf(person)}?include=details`);

async function obstacles(viewer: Person, person: Person): Promise<Record<string, string | null>> {
  const { actions } = (await record(viewer, person)).body;
  return Object.fromEntries(actions.map(({ name, obstacle }: Record<string, string>) => [name, obstacle]));
}

test('a superadmin reads how a user signs in, and the organizations of the user', async () => {
  const person = await signUpWithPassword(service);
  await generateCodes(person.browser);
  const organization = await found(superadmin.browser, { name: 'Harbor' });
  expect((await postMember(superadmin.browser, organization, person)).status).toBe(201);
  await createLink(service, person);
  const { status, body } = await record(superadmin, person);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user: { username: person.username },
    details: {
      hasPassword: true,
      recoveryCodesRemaining: 10,
      lastSignIn: { method: 'passkey' },
      passkeys: [{ id: person.signedUp.body.passkey.id, label: expect.any(String) }],
      sessions: [{ kind: 'full', method: 'passkey' }],
      organizations: [{ name: 'Harbor', role: 'user' }],
      recoveryLink: { createdBy: null },
    },
  });
  expect(JSON.stringify(body)).not.toMatch(/token|hash|credentialId|publicKey|userHandle/i);
});

test('without `include`, only the user is returned, and another value is refused', async () => {
  const path = `${usersPath}/${userIdOf(superadmin)}`;
  expect(Object.keys((await superadmin.browser.get(path)).body)).toEqual(['user']);
  expectProblem(await superadmin.browser.get(`${path}?include=secrets`), 'invalid_request', {
    errors: [{ path: 'include', message: expect.any(String) }],
  });
});

test('a superadmin learns which actions are possible, and why the others are not', async () => {
  const person = await signUp(service);
  expect(await obstacles(superadmin, person)).toEqual({
    'user.update': null,
    'user.rename': 'switched_off',
    'user.end_sessions': null,
    'recovery_link.create': null,
    'impersonation.start': null,
    'user.change_role': null,
    'user.disable': null,
    'user.enable': 'account_active',
    'user.delete': null,
  });
  await setStatus(service, person, 'disabled');
  expect(await obstacles(superadmin, person)).toMatchObject({
    'recovery_link.create': 'account_disabled',
    'impersonation.start': 'account_disabled',
    'user.disable': 'account_disabled',
    'user.enable': null,
  });
  await leaveSuperadmins(service, [superadmin]);
  expect(await obstacles(superadmin, superadmin)).toMatchObject({
    'user.update': 'oneself',
    'impersonation.start': 'oneself',
    'user.change_role': 'last_superadmin',
    'user.disable': 'last_superadmin',
    'user.delete': 'last_superadmin',
  });
});

test('an admin sees the details only of users for whom the admin can create recovery links', async () => {
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  const member = await signUpMember(service, admin.browser, organization);
  const helpable = await record(admin, member);
  expect(helpable.body.details).toMatchObject({ organizations: [{ id: organization.id }] });
  expect(await obstacles(admin, member)).toMatchObject({
    'recovery_link.create': null,
    'impersonation.start': 'role_too_low',
    'user.change_role': 'role_too_low',
    'user.disable': 'role_too_low',
    'user.delete': 'role_too_low',
  });
  const elsewhere = await found(superadmin.browser);
  await postMember(superadmin.browser, elsewhere, member);
  expect((await record(admin, member)).body).toMatchObject({ user: { id: userIdOf(member) }, details: null });
  expect(await obstacles(admin, member)).toMatchObject({
    'recovery_link.create': 'not_of_their_organizations',
  });
  const stranger = await signUp(service);
  expectProblem(await record(admin, stranger), 'not_found');
  expect((await record(admin, admin)).body.details).toBeNull();
});

test('an admin sees no addresses, browsers and uses of a user whom the admin can help', async () => {
  const admin = await signUpAs(service, 'admin');
  const member = await signUpMember(service, admin.browser, await found(admin.browser));
  await logIn(member.browser, member.authenticator);
  await createLink(service, member);
  const all = (await record(superadmin, member)).body.details;
  expect(all).toMatchObject({
    lastSignIn: { method: 'passkey', userAgent: 'node' },
    passkeys: [{ lastUsedAt: expect.any(String), lastUsedIp: '127.0.0.1', lastUsedUserAgent: 'node' }],
    sessions: [{ ip: '127.0.0.1' }],
  });
  const { details } = (await record(admin, member)).body;
  const [passkey] = all.passkeys;
  expect(details).toEqual({
    ...all,
    lastSignIn: null,
    passkeys: [{ ...passkey, lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }],
    sessions: null,
  });
  expect(details).toMatchObject({ hasPassword: false, recoveryLink: { createdBy: null } });
});
