import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  admit,
  disable,
  found,
  inviteTo,
  organizationsPath,
  postInvitation,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { currentSession, tokenOf } from './support/current-session.ts';
import {
  addPassword,
  enterByPassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
} from './support/passwords.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

/** A user who has a passkey and a password, in a new browser in which the user signed in with the password. */
async function unprivileged(role = 'user'): Promise<Person> {
  const person = await signUpWithPassword(service);
  await setRole(service, person, role);
  return enterByPassword(service, person);
}

async function expectPasskeyRequired(answer: Answer, event?: string): Promise<void> {
  expectProblem(answer, 'passkey_required');
  const recorded = await auditRowsOf(service, answer);
  expect(recorded).toMatchObject(
    event ? [{ event, outcome: 'failure', details: { reason: 'passkey_required' } }] : [],
  );
}

describe('a superadmin who has a passkey and signed in with the password', () => {
  test('cannot read or change other users, and each refusal is recorded', async () => {
    const { browser } = await unprivileged('superadmin');
    const other = await signUp(service);
    const list = await browser.get(usersPath);
    await expectPasskeyRequired(list, 'user.list');
    expect(list.body).toMatchObject({
      title: 'This requires a passkey.',
      nextStep: expect.stringContaining('Confirm with your passkey and try again.'),
    });
    await expectPasskeyRequired(await browser.get('/auth/admin/audit'), 'audit.list');
    await expectPasskeyRequired(await disable(browser, other), 'user.disable');
    await expectPasskeyRequired(await postInvitation(browser), 'invitation.create');
  });

  test('can read their own session, sessions, passkeys, recovery codes and organizations', async () => {
    const { browser, username } = await unprivileged('superadmin');
    expect((await browser.get('/auth/session')).body.user).toMatchObject({ username, role: 'superadmin' });
    for (const path of ['/auth/sessions', '/auth/passkey/devices', '/auth/recovery/codes', organizationsPath])
      expect((await browser.get(path)).status).toBe(200);
  });

  test('can list users and create an invitation after a step-up with the passkey', async () => {
    const { browser, authenticator } = await unprivileged('superadmin');
    const before = (await currentSession(browser)).id;
    expect((await stepUp(browser, authenticator)).status).toBe(200);
    expect((await browser.get(usersPath)).status).toBe(200);
    expect((await postInvitation(browser)).status).toBe(201);
    expect((await currentSession(browser)).id).toBe(before);
  });

  test('can read an organization as a member, but not its invitations or another organization', async () => {
    const founder = await signUpAs(service, 'admin');
    const [own, foreign] = [await found(founder.browser), await found(founder.browser)];
    const person = await signUpWithPassword(service);
    await setRole(service, person, 'superadmin');
    await admit(founder.browser, own, person);
    const { browser } = await enterByPassword(service, person);
    expect((await browser.get(`${organizationsPath}/${own.id}`)).status).toBe(200);
    expect((await browser.get(`${organizationsPath}/${own.id}/members`)).status).toBe(200);
    await expectPasskeyRequired(await browser.get(`${organizationsPath}/${foreign.id}`));
    await expectPasskeyRequired(await browser.get(`${organizationsPath}/${own.id}/invitations`));
  });
});

test('an organization admin who has a passkey and signed in with the password cannot invite users', async () => {
  const founder = await signUpAs(service, 'admin');
  const organization = await found(founder.browser);
  const person = await signUpMember(service, founder.browser, organization, 'admin');
  await addPassword(person.browser);
  const { browser } = await enterByPassword(service, person);
  expect((await browser.get(`${organizationsPath}/${organization.id}/members`)).status).toBe(200);
  await expectPasskeyRequired(await inviteTo(browser, organization), 'organization_invitation.create');
  await expectPasskeyRequired(await browser.get(`${organizationsPath}/${organization.id}/invitations`));
  await stepUp(browser, person.authenticator);
  expect((await inviteTo(browser, organization)).status).toBe(201);
});

describe('a user who has a passkey and signed in with the password', () => {
  const sensitive: [
    what: string,
    send: (browser: TestAgent, person: Person) => Promise<Answer>,
    event: string,
  ][] = [
    ['add a passkey', (browser) => browser.post('/auth/passkey/devices/add', {}), 'passkey.add'],
    [
      'add a passkey without a prompt',
      (browser) => browser.post('/auth/passkey/devices/add', { conditional: true }),
      'passkey.add',
    ],
    [
      'remove the passkey',
      (browser, { signedUp }) => browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`),
      'passkey.remove',
    ],
    ['replace the password', (browser) => addPassword(browser, 'nine lamps, one dark'), 'password.add'],
    ['remove the password', (browser) => browser.delete('/auth/password/remove'), 'password.remove'],
    [
      'create recovery codes',
      (browser) => browser.post('/auth/recovery/codes/generate'),
      'recovery_code.generate',
    ],
    [
      'revoke the recovery codes',
      (browser) => browser.delete('/auth/recovery/codes/revoke'),
      'recovery_code.revoke',
    ],
    ['delete the account', (browser) => browser.delete('/auth/account'), 'account.delete'],
  ];

  test.each(sensitive)('cannot %s', async (_, send, event) => {
    const person = await unprivileged();
    await expectPasskeyRequired(await send(person.browser, person), event);
  });

  test('is asked for the passkey first, even if the sign-in is also too old', async () => {
    const { browser } = await unprivileged();
    await service.turnClock({ minutes: 11 });
    await expectPasskeyRequired(await browser.delete('/auth/account'), 'account.delete');
  });

  test('cannot step up with the password: a correct and a wrong password get the same error', async () => {
    const { browser } = await unprivileged('superadmin');
    const before = [tokenOf(browser), await currentSession(browser)];
    for (const answer of [await stepUpByPassword(browser), await stepUpByPassword(browser, 'a wrong guess')])
      await expectPasskeyRequired(answer, 'password.stepup');
    expect([tokenOf(browser), await currentSession(browser)]).toEqual(before);
  });

  test('cannot use the password to make an old passkey session fresh', async () => {
    const { browser } = await signUpWithPassword(service);
    await service.turnClock({ minutes: 11 });
    await expectPasskeyRequired(await stepUpByPassword(browser), 'password.stepup');
    expectProblem(await browser.delete('/auth/account'), 'reauthentication_required');
  });
});

describe('a superadmin who has no passkey', () => {
  test('can list users and create an invitation with the password', async () => {
    const { browser, ...person } = await signUpWithOnlyPassword(service);
    await setRole(service, person as Person, 'superadmin');
    expect((await currentSession(browser)).method).toBe('password');
    expect((await browser.get(usersPath)).status).toBe(200);
    expect((await postInvitation(browser)).status).toBe(201);
    await service.turnClock({ minutes: 11 });
    expectProblem(await postInvitation(browser), 'reauthentication_required');
    expect((await stepUpByPassword(browser)).status).toBe(200);
    expect((await postInvitation(browser)).status).toBe(201);
  });

  test('keeps the rights in the session that adds the first passkey, and loses them in the other', async () => {
    const person = await signUpWithOnlyPassword(service);
    await setRole(service, person, 'superadmin');
    const other = await enterByPassword(service, person);
    expect((await other.browser.get(usersPath)).status).toBe(200);
    expect((await addPasskey(person.browser)).status).toBe(201);
    expect((await person.browser.get(usersPath)).status).toBe(200);
    await expectPasskeyRequired(await other.browser.get(usersPath), 'user.list');
  });
});

describe('adding a passkey', () => {
  test('to an account without one authenticates the session and gives the session a new token', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    const [old, before] = [browser.copy(), await currentSession(browser)];
    await service.turnClock({ seconds: 30 });
    const answer = await addPasskey(browser);
    expect(tokenOf(browser)).not.toBe(tokenOf(old));
    expect(JSON.stringify([answer.body, await service.auditRows()])).not.toContain(tokenOf(browser));
    expectProblem(await old.get('/auth/session'), 'not_authenticated');
    const after = await currentSession(browser);
    expect(after).toMatchObject({ id: before.id, method: 'passkey' });
    expect(Date.parse(after.authenticatedAt) - Date.parse(before.authenticatedAt)).toBe(30_000);
  });

  test('in a session with the method passkey keeps its token and its authentication time', async () => {
    const { browser } = await signUp(service);
    const before = [tokenOf(browser), (await currentSession(browser)).authenticatedAt];
    await service.turnClock({ seconds: 30 });
    expect((await addPasskey(browser)).status).toBe(201);
    expect([tokenOf(browser), (await currentSession(browser)).authenticatedAt]).toEqual(before);
  });
});

describe('a service token', () => {
  test.each([
    ['contains the role of a user who signed in with a passkey', 'superadmin', (person: Person) => person],
    [
      'contains the role "user" if the user has a passkey but signed in with the password',
      'user',
      (person: Person) => enterByPassword(service, person),
    ],
  ] as const)('%s', async (_, role, enter) => {
    const person = await signUpWithPassword(service);
    await setRole(service, person, 'superadmin');
    const { browser } = await enter(person);
    const { token } = (await browser.post('/auth/session/token')).body;
    const [, payload = ''] = token.split('.');
    expect(JSON.parse(`${Buffer.from(payload, 'base64url')}`)).toMatchObject({ sub: userIdOf(person), role });
  });
});

test('auth.sessionOf returns `privileged`, and `hasUnusedPasskey` if the session did not use a passkey that the user has', async () => {
  const facts = async ({ browser }: Person) => {
    const cookie = `latchkey=${tokenOf(browser)}`;
    const read = await service.auth.sessionOf(new Headers({ cookie, origin: 'http://localhost:3000' }));
    return [read?.privileged, read?.hasUnusedPasskey];
  };
  const person = await signUpWithPassword(service);
  expect(await facts(person)).toEqual([true, false]);
  expect(await facts(await enterByPassword(service, person))).toEqual([false, true]);
  expect(await facts(await signUpWithOnlyPassword(service))).toEqual([true, false]);
});
