import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { changeRole, found, help, signUpMember } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { addPassword, signUpWithPassword } from './support/passwords.ts';
import {
  cancelLink,
  codesPath,
  completeRecovery,
  createLink,
  enterByCode,
  enterByLink,
  generateCodes,
  postGenerate,
  revokeCodes,
  shownLink,
  useCode,
  useLink,
} from './support/recovery.ts';

let now: number;
let service: ServiceOn;
const turnClock = ({ minutes }: { minutes: number }) => {
  now += minutes * 60_000;
};
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  const clock = () => new Date(now);
  service = await startServiceOn(createInMemoryDatabase(clock), {
    migrate: true,
    clock,
    recoveryCodeExpiryDays: 1,
  });
});
afterEach(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

test('recovery codes can be created, counted, used once, replaced and revoked, and they expire', async () => {
  const person = await signUp(service);
  const first = await generateCodes(person.browser);
  expect(first).toHaveLength(10);
  expect((await person.browser.get(codesPath)).body).toEqual({
    total: 10,
    remaining: 10,
    generatedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
  });
  expect((await useCode(service.browser(), person, first[0]?.toLowerCase())).status).toBe(200);
  expectProblem(await useCode(service.browser(), person, first[0]), 'authentication_failed');
  expect((await person.browser.get('/auth/session')).body.user.recoveryCodesRemaining).toBe(9);

  const second = await generateCodes(person.browser);
  expectProblem(await useCode(service.browser(), person, first[1]), 'authentication_failed');
  expect((await useCode(service.browser(), person, second[1])).status).toBe(200);
  expect((await revokeCodes(person.browser)).status).toBe(204);
  expectProblem(await useCode(service.browser(), person, second[2]), 'authentication_failed');

  const [third] = await generateCodes(person.browser);
  turnClock({ minutes: 24 * 60 });
  expectProblem(await useCode(service.browser(), person, third), 'authentication_failed');
});

test('completing a recovery with a code adds a passkey, removes all other credentials and ends all other sessions', async () => {
  const person = await signUpWithPassword(service);
  const stranger = await signUp(service);
  const [code, ...others] = await generateCodes(person.browser);
  const browser = service.browser();
  expect((await useCode(browser, person, code)).body.session).toMatchObject({
    kind: 'recovery',
    method: 'recovery_code',
    expiresAt: '2026-01-01T01:00:00.000Z',
  });
  for (const refused of [await browser.get('/auth/sessions'), await postGenerate(browser)])
    expectProblem(refused, 'recovery_session');
  const before = browser.copy();
  const authenticator = newAuthenticator();
  const { status, body } = await completeRecovery(browser, { label: 'New phone' }, authenticator);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    device: { label: 'New phone' },
    recoveryCodes: { total: 10, expiresAt: '2026-01-02T00:00:00.000Z' },
  });
  expect((await browser.get('/auth/session')).body).toMatchObject({
    session: { kind: 'full' },
    user: { passkeyCount: 1, hasPassword: false, recoveryCodesRemaining: 10 },
  });
  for (const ended of [before, person.browser]) {
    expectProblem(await ended.get('/auth/session'), 'not_authenticated');
  }
  expect(await isSignedIn(stranger.browser)).toBe(true);
  expect((await logIn(service.browser(), authenticator)).status).toBe(200);
  expectProblem(await logIn(service.browser(), person.authenticator), 'authentication_failed', {
    reason: 'unknown_credential',
  });
  for (const dead of others)
    expectProblem(await useCode(service.browser(), person, dead), 'authentication_failed');
  expect((await useCode(service.browser(), person, body.recoveryCodes.codes[9])).status).toBe(200);
});

test('completing a recovery keeps the passkeys and the password named in the request', async () => {
  const person = await signUpWithPassword(service);
  const spare = (await addPasskey(person.browser)).body.device.id;
  const [code] = await generateCodes(person.browser);
  const browser = await enterByCode(service, person, code);
  expectProblem(await completeRecovery(browser, { keepPasskeys: [spare, 'x'] }), 'invalid_request', {
    errors: [{ path: 'keepPasskeys.1', message: 'expected the id of one of your passkeys' }],
  });
  const { device } = (await completeRecovery(browser, { keepPasskeys: [spare], keepPassword: true })).body;
  const { devices } = (await browser.get('/auth/passkey/devices')).body;
  expect(devices.map(({ id }: { id: string }) => id)).toEqual([spare, device.id]);
  expect((await browser.get('/auth/session')).body.user).toMatchObject({ hasPassword: true });
});

test('a recovery link works only once, expires after an hour, and replaces an earlier link', async () => {
  const person = await signUp(service);
  const earlier = await createLink(service, person);
  const { token } = await createLink(service, person);
  expectProblem(await useLink(service.browser(), earlier.token), 'authentication_failed');
  const browser = service.browser();
  expect((await useLink(browser, token)).body.session).toMatchObject({ method: 'assisted_recovery' });
  expectProblem(await useLink(service.browser(), token), 'authentication_failed');
  const expired = await createLink(service, person);
  turnClock({ minutes: 60 });
  expectProblem(await useLink(service.browser(), expired.token), 'authentication_failed');
  const next = await createLink(service, person);
  const last = await createLink(service, await signUp(service));
  const again = await enterByLink(service, next.token);
  expect((await completeRecovery(again)).status).toBe(201);
  expect((await useLink(service.browser(), last.token)).status).toBe(200);
});

test('the user of a recovery link can see and cancel the link, and canceling it ends its recovery session', async () => {
  const person = await signUp(service);
  expect(await shownLink(person.browser)).toBeNull();
  const { token, usableAt, expiresAt } = await createLink(service, person);
  const shown = { createdBy: null, createdAt: usableAt, usableAt, expiresAt, usedAt: null };
  expect(await shownLink(person.browser)).toEqual(shown);
  const browser = await enterByLink(service, token);
  expect(await shownLink(person.browser)).toEqual({ ...shown, usedAt: usableAt });
  expect((await cancelLink(person.browser)).status).toBe(204);
  expect(await shownLink(person.browser)).toBeNull();
  expect(await isSignedIn(browser)).toBe(false);
  expectProblem(await cancelLink(person.browser), 'not_found');
});

test('a recovery link that an admin created works only while the admin is allowed to create links for this user', async () => {
  const ops = service.auth.asOperator('ops');
  const [admin, superadmin] = [await signUp(service), await signUp(service)];
  await ops.users.changeRole(admin.username, 'admin');
  await ops.users.changeRole(superadmin.username, 'superadmin');
  const member = await signUpMember(service, admin.browser, await found(admin.browser));
  const { body } = await help(admin.browser, member);
  const browser = await enterByLink(service, body.token);
  expect((await shownLink(browser)).createdBy).toMatchObject({ username: admin.username });
  expect((await completeRecovery(browser)).status).toBe(201);

  const next = (await help(admin.browser, member)).body.token;
  const open = await enterByLink(service, next);
  await changeRole(superadmin.browser, admin, 'user');
  expect(await isSignedIn(open)).toBe(false);
  expectProblem(await help(admin.browser, member), 'forbidden');
});

test('setting, replacing or removing a password, or removing a passkey, ends all other sessions', async () => {
  const person = await signUp(service);
  const acts: (() => Promise<{ status: number }>)[] = [
    () => addPassword(person.browser),
    () => addPassword(person.browser, 'another towel, dry'),
    () => person.browser.delete('/auth/password/remove'),
    async () => {
      const { device } = (await addPasskey(person.browser)).body;
      await logIn(elsewhere, person.authenticator);
      return person.browser.delete(`/auth/passkey/devices/${device.id}`);
    },
  ];
  let elsewhere = service.browser();
  for (const act of acts) {
    elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    expect((await act()).status).toBeLessThan(300);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(person.browser)).toBe(true);
  }
});
