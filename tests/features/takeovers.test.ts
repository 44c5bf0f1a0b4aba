import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { statuses } from '../support/many-requests.ts';
import {
  logIn,
  newAuthenticator,
  type Person,
  preparePasskey,
  signUp,
  stepUp,
  userIdOf,
} from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
import {
  changeRole,
  deleteUser,
  disable,
  enable,
  endSessionsOf,
  found,
  help,
  leaveOrganization,
  memberPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';
import { enterByCode, generateCodes, useCode, useLink } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

/** Signs up an admin with an organization, and a member with the role user. */
async function adminAndMember() {
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  return { admin, organization, member: await signUpMember(service, admin.browser, organization) };
}

/** Lets the admin create a recovery link for the victim and use this link. */
async function enterByLink(admin: Person, victim: Person): Promise<TestAgent> {
  const browser = service.browser();
  const { status } = await useLink(browser, (await help(admin.browser, victim)).body.token);
  expect(status).toBe(200);
  return browser;
}

const roleIn = async (browser: TestAgent) => (await browser.get('/auth/session')).body.user?.role;

describe('an admin who creates a recovery link for a user and uses it', () => {
  test('cannot replace the codes that the user printed', async () => {
    const { admin, member } = await adminAndMember();
    const [printed] = await generateCodes(member.browser);
    const attacker = await enterByLink(admin, member);
    await attacker.post('/auth/recovery/codes/generate');
    expect((await useCode(service.browser(), member, printed)).status).toBe(200);
  });

  test('cannot plant codes that open a superadmin session after the user is promoted', async () => {
    const { admin, member } = await adminAndMember();
    const attacker = await enterByLink(admin, member);
    const planted: string[] = (await attacker.post('/auth/recovery/codes/generate')).body.codes ?? [];
    await changeRole(superadmin.browser, admin, 'user');
    await changeRole(superadmin.browser, member, 'superadmin');
    const later = service.browser();
    await useCode(later, member, planted[0]);
    await (await preparePasskeyIfAllowed(later))();
    expect(await roleIn(later)).toBeUndefined();
  });

  test.each<[string, (admin: Person, member: Person, organization: { id: string }) => Promise<unknown>]>([
    ['the user is promoted', (_, member) => changeRole(superadmin.browser, member, 'superadmin')],
    ['the admin is demoted', (admin) => changeRole(superadmin.browser, admin, 'user')],
    ['the admin is disabled', (admin) => disable(superadmin.browser, admin)],
    [
      'the admin is disabled and enabled again',
      async (admin) => {
        await disable(superadmin.browser, admin);
        await enable(superadmin.browser, admin);
      },
    ],
    ['the admin is deleted', (admin) => deleteUser(superadmin.browser, admin)],
    [
      'the user leaves the organization',
      (_, member, organization) => leaveOrganization(member.browser, organization),
    ],
    [
      'the user becomes an organization admin',
      (_, member, organization) =>
        superadmin.browser.patch(memberPath(organization, member), { role: 'admin' }),
    ],
    ['the user adds a passkey', async (_, member) => (await preparePasskey(member.browser))()],
    ['the user sets a password', (_, member) => addPassword(member.browser)],
    ['the user cancels the link', (_, member) => member.browser.delete('/auth/recovery/assisted')],
  ])('cannot complete the recovery after %s', async (_, change) => {
    const { admin, member, organization } = await adminAndMember();
    const attacker = await enterByLink(admin, member);
    const authenticator = newAuthenticator();
    const finish = await preparePasskey(attacker, authenticator);
    await change(admin, member, organization);
    expect((await finish()).status).toBe(401);
    expect((await logIn(service.browser(), authenticator)).status).toBe(401);
    expect((await logIn(service.browser(), member.authenticator)).status).toBe(200);
  });

  test('is shown to the user, who can cancel the recovery', async () => {
    const { admin, member } = await adminAndMember();
    const attacker = await enterByLink(admin, member);
    const { recoveryLink } = (await member.browser.get('/auth/session')).body;
    expect(recoveryLink).toMatchObject({
      createdBy: { username: admin.username },
      usedAt: expect.any(String),
    });
    await stepUp(member.browser, member.authenticator);
    expect((await member.browser.delete('/auth/recovery/assisted')).status).toBe(204);
    expect(await isSignedIn(attacker)).toBe(false);
    expect((await member.browser.get('/auth/session')).body.recoveryLink).toBeNull();
  });
});

test('a thief with one stolen code cannot complete the recovery after the user is promoted', async () => {
  const user = await signUp(service);
  const thief = await enterByCode(service, user, (await generateCodes(user.browser))[0]);
  const finish = await preparePasskey(thief);
  await changeRole(superadmin.browser, user, 'superadmin');
  expect((await finish()).status).toBe(401);
});

test('a thief with one stolen code cannot create new codes', async () => {
  const user = await signUp(service);
  const [first, second] = await generateCodes(user.browser);
  const thief = await enterByCode(service, user, first);
  await thief.post('/auth/recovery/codes/generate');
  expect((await useCode(service.browser(), user, second)).status).toBe(200);
});

describe('an admin can neither create a recovery link nor end sessions for', () => {
  test.each<[string, (victim: Person) => Promise<unknown>]>([
    [
      'a member who also belongs to another admin’s organization',
      async (victim) => {
        const other = await signUpAs(service, 'admin');
        await joinAs(await found(other.browser), victim, 'user');
      },
    ],
    [
      'a member who is an organization admin of another organization',
      async (victim) => {
        const other = await signUpAs(service, 'admin');
        await joinAs(await found(other.browser), victim, 'admin');
      },
    ],
    ['a member with the role admin', (victim) => changeRole(superadmin.browser, victim, 'admin')],
  ])('%s', async (_, prepare) => {
    const { admin, member } = await adminAndMember();
    await prepare(member);
    expect((await help(admin.browser, member)).status).toBe(403);
    expect((await endSessionsOf(admin.browser, member)).status).toBe(403);
  });

  test('a member whom the admin made an organization admin', async () => {
    const { admin, organization, member } = await adminAndMember();
    await admin.browser.patch(memberPath(organization, member), { role: 'admin' });
    expect((await help(admin.browser, member)).status).toBe(403);
    expect((await endSessionsOf(admin.browser, member)).status).toBe(403);
  });
});

test('a thief with a passkey, the password and the recovery codes of a user has no access after the recovery', async () => {
  const user = await signUp(service);
  await addPassword(user.browser);
  const [code, ...stolenCodes] = await generateCodes(user.browser);
  const thief = service.browser();
  await logIn(thief, user.authenticator);

  const browser = await enterByCode(service, user, code);
  expect((await (await preparePasskey(browser))()).status).toBe(201);

  expect(await isSignedIn(thief)).toBe(false);
  expect((await logIn(service.browser(), user.authenticator)).status).toBe(401);
  expect((await logInByPassword(service.browser(), user)).status).toBe(401);
  expect((await useCode(service.browser(), user, stolenCodes[0])).status).toBe(401);
});

test('a thief with a session cannot add a passkey while the user completes the recovery', async () => {
  const user = await signUp(service);
  const thief = service.browser();
  await logIn(thief, user.authenticator);
  const planted = newAuthenticator();
  const plant = await preparePasskey(thief, planted);
  const browser = await enterByCode(service, user, (await generateCodes(user.browser))[0]);
  const complete = await preparePasskey(browser);

  // Both statements wait for the row of the account. The statement that completes the recovery is first.
  const holder = await service.database.sql.reserve();
  await holder`begin`;
  await holder`select from latchkey.users where id = ${userIdOf(user)} for update`;
  const completing = complete();
  await untilWaiting(holder, 1);
  const planting = plant();
  await untilWaiting(holder, 2);
  await holder`rollback`;
  holder.release();

  expect(await statusesOf(completing, planting)).toEqual([201, 401]);
  expect((await logIn(service.browser(), planted)).status).toBe(401);
  expect((await browser.get('/auth/passkey/devices')).body.devices).toHaveLength(1);
});

/**
 * The thief signs in while the statement that ends all sessions waits for the row of the account. This statement cannot
 * see the row of the new session, so it does not delete the row. But the account gets a new session epoch, and sessions
 * with an old epoch are invalid.
 */
describe('a thief who signs in while all sessions of the account are being ended', () => {
  /** Locks the row of the account in a mode that does not block a sign-in. */
  async function lockAccount(user: Person) {
    const holder = await service.database.sql.reserve();
    await holder`begin`;
    await holder`select from latchkey.users where id = ${userIdOf(user)} for no key update`;
    return {
      untilWaiting: (count: number) => untilWaiting(holder, count),
      release: async () => {
        await holder`rollback`;
        holder.release();
      },
    };
  }

  /** Ways to end all sessions of the account. `browser` stays signed in. */
  const endings = {
    'by completing a recovery': async (user: Person) => {
      const browser = await enterByCode(service, user, (await generateCodes(user.browser))[0]);
      return { end: await preparePasskey(browser), browser };
    },
    'by a new password': async (user: Person) => ({
      end: () => addPassword(user.browser, 'a password of the owner'),
      browser: user.browser,
    }),
    'by a superadmin': async (user: Person) => ({
      end: () => endSessionsOf(superadmin.browser, user),
      browser: superadmin.browser,
    }),
  };

  const acts = {
    'add a passkey': async (thief: TestAgent) => (await preparePasskey(thief))(),
    'replace the recovery codes': (thief: TestAgent) => thief.post('/auth/recovery/codes/generate'),
    'set a password': (thief: TestAgent) => addPassword(thief, 'a password of the thief'),
  };

  const pairs = namesOf(endings).flatMap((ending) => namesOf(acts).map((act) => [ending, act] as const));
  test.each(pairs)('(%s) cannot %s', async (ending, act) => {
    const user = await signUp(service);
    await addPassword(user.browser);
    const { end, browser } = await endings[ending](user);
    const thief = service.browser();
    const account = await lockAccount(user);
    const ended = end();
    await account.untilWaiting(1);
    expect((await logIn(thief, user.authenticator)).status).toBe(200);
    const acted = acts[act](thief);
    await account.untilWaiting(2);
    await account.release();
    expect((await ended).status).toBeLessThan(300);
    expect((await acted).status).toBe(401);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });
});

/** A superadmin adds the member without an invitation. How the user joined does not affect these tests. */
async function joinAs(organization: { id: string }, user: Person, role: 'user' | 'admin'): Promise<void> {
  const path = `/auth/organizations/${organization.id}/members`;
  const { status } = await superadmin.browser.post(path, { username: user.username, role });
  expect(status).toBe(201);
}

const namesOf = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[];

const statusesOf = async (...answers: Promise<Answer>[]) => statuses(await Promise.all(answers));

/** Prepares a passkey if the browser's session can add one. Otherwise, the returned function does nothing. */
async function preparePasskeyIfAllowed(browser: TestAgent): Promise<() => Promise<unknown>> {
  const { status } = await browser.post('/auth/passkey/devices/add', {});
  return status === 200 ? preparePasskey(browser) : async () => {};
}
