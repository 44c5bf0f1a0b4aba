import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  type Person,
  signUp,
  stepUp,
  userIdOf,
} from '../support/person.ts';
import { sending } from '../support/sending.ts';
import { startServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import {
  addPassword,
  logInByPassword,
  signUpWithOnlyPassword,
  stepUpByPassword,
} from './support/passwords.ts';

const devices = '/auth/passkey/devices';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ trustedProxies: 1, bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const from = (browser: TestAgent, address: string, userAgent: string) =>
  sending(browser, { 'X-Forwarded-For': address, 'User-Agent': userAgent });
const listed = async (browser: TestAgent) => (await browser.get(devices)).body.devices;
const sessionsOf = async (browser: TestAgent) => (await browser.get('/auth/sessions')).body.sessions;
const sessionOf = async (browser: TestAgent) => (await browser.get('/auth/session')).body.session;
const idOf = ({ signedUp }: Person): string => signedUp.body.passkey.id;

describe('the passkey of a session', () => {
  test('is the passkey of the sign-up, of the sign-in and of the step-up', async () => {
    const person = await signUp(service);
    const { browser, authenticator } = person;
    const second = newAuthenticator({ transports: ['usb'] });
    const { id: secondId } = (await addPasskey(browser, second, { label: 'Blue key' })).body.device;
    expect(person.signedUp.body.session).toMatchObject({ method: 'passkey', passkeyId: idOf(person) });
    expect(person.signedUp.body.passkey).toMatchObject({ current: true });

    const other = service.browser();
    const signedIn = await logIn(other, second);
    expect(signedIn.body.session.passkeyId).toBe(secondId);
    expect(await listed(other)).toMatchObject([
      { id: idOf(person), current: false },
      { id: secondId, current: true },
    ]);

    expect((await stepUp(other, authenticator)).body.session.passkeyId).toBe(idOf(person));
    expect(await sessionOf(other)).toMatchObject({ passkeyId: idOf(person) });
    expect(await listed(other)).toMatchObject([{ current: true }, { current: false }]);
  });

  test('has its label in the lists of sessions', async () => {
    const person = await signUp(service);
    const second = newAuthenticator();
    const { id } = (await addPasskey(person.browser, second, { label: 'Blue key' })).body.device;
    await logIn(service.browser(), second);
    const own = await sessionsOf(person.browser);
    expect(own).toHaveLength(2);
    expect(own).toContainEqual(expect.objectContaining({ passkeyId: id, passkeyLabel: 'Blue key' }));
    expect(own).toContainEqual(expect.objectContaining({ current: true, passkeyLabel: 'Passkey' }));
    const { sessions } = await service.auth.asOperator('ops').users.get(person.username);
    expect(sessions.map(({ passkeyLabel }) => passkeyLabel).sort()).toEqual(['Blue key', 'Passkey']);
  });

  test('is null after a sign-in or a step-up with a password', async () => {
    const person = await signUp(service);
    expect((await addPassword(person.browser)).status).toBe(201);
    const other = service.browser();
    const signedIn = await logInByPassword(other, person);
    expect(signedIn.body.session).toMatchObject({ method: 'password', passkeyId: null });
    expect(await listed(other)).toMatchObject([{ current: false }]);

    const { browser } = await signUpWithOnlyPassword(service);
    expect((await stepUpByPassword(browser)).body.session).toMatchObject({
      method: 'password',
      passkeyId: null,
    });
  });

  test('is the new passkey if a session that was opened with the password adds the first passkey', async () => {
    const person = await signUpWithOnlyPassword(service);
    const other = person.browser;
    const added = await addPasskey(other);
    expect(added.body.device).toMatchObject({ current: true });
    expect(await sessionOf(other)).toMatchObject({ method: 'passkey', passkeyId: added.body.device.id });
  });

  test('is null if a process of an earlier version has renewed the session with a password', async () => {
    const person = await signUp(service);
    await service.database.sql`
      update latchkey.sessions set method = 'password' where user_id = ${userIdOf(person)}`;
    expect(await sessionOf(person.browser)).toMatchObject({ method: 'password', passkeyId: null });
  });

  test('is forgotten when the user removes the passkey in this session', async () => {
    const person = await signUp(service);
    await addPasskey(person.browser);
    expect((await person.browser.delete(`${devices}/${idOf(person)}`)).status).toBe(204);
    expect(await sessionOf(person.browser)).toMatchObject({ method: 'passkey', passkeyId: null });
    expect(await sessionsOf(person.browser)).toMatchObject([{ passkeyId: null, passkeyLabel: null }]);
    const rows = await service.database.sql`
      select passkey_id from latchkey.sessions where user_id = ${userIdOf(person)}`;
    expect(rows).toEqual([{ passkey_id: null }]);
  });

  test('stays when the user removes another passkey', async () => {
    const person = await signUp(service);
    const added = await addPasskey(person.browser);
    expect((await person.browser.delete(`${devices}/${added.body.device.id}`)).status).toBe(204);
    expect(await sessionOf(person.browser)).toMatchObject({ passkeyId: idOf(person) });
  });
});

describe('the last use of a passkey', () => {
  test('has the address and the browser of the last sign-in or step-up', async () => {
    const person = await signUp(service);
    expect(await listed(person.browser)).toMatchObject([
      { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null },
    ]);
    const other = from(service.browser(), '203.0.113.7', windows);
    await logIn(other, person.authenticator);
    expect(await listed(person.browser)).toMatchObject([
      { lastUsedAt: expect.any(String), lastUsedIp: '203.0.113.7', lastUsedUserAgent: windows },
    ]);
    await stepUp(from(person.browser, '2001:db8::7', iPhone), person.authenticator);
    expect(await listed(person.browser)).toMatchObject([
      { lastUsedIp: '2001:db8::7', lastUsedUserAgent: iPhone },
    ]);
  });

  test('does not change with a refused sign-in', async () => {
    const person = await signUp(service);
    const other = from(service.browser(), '203.0.113.8', windows);
    expect((await logIn(other, person.authenticator, { tamper: { flags: { uv: false } } })).status).toBe(401);
    expect(await listed(person.browser)).toMatchObject([{ lastUsedIp: null, lastUsedUserAgent: null }]);
  });

  test('is in the export of the user, and is deleted with the account', async () => {
    const person = await signUp(service);
    await logIn(from(person.browser, '203.0.113.9', windows), person.authenticator);
    const records: object[] = [];
    const { username } = person;
    for await (const record of await service.auth.asOperator('ops').users.export({ username }))
      records.push(record);
    expect(records).toContainEqual(
      expect.objectContaining({ type: 'passkey', lastUsedIp: '203.0.113.9', lastUsedUserAgent: windows }),
    );
    expect(records).toContainEqual(expect.objectContaining({ type: 'session', passkeyId: idOf(person) }));
    for (const record of records) expect(record).not.toHaveProperty('current');
    await service.auth.asOperator('ops').users.erase(userIdOf(person));
    const rows = await service.database.sql`
      select 1 from latchkey.passkeys where user_id = ${userIdOf(person)}`;
    expect(rows).toHaveLength(0);
  });
});

describe('the label of a new passkey', () => {
  const iCloud = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';
  const usb = { attachment: 'cross-platform', transports: ['usb', 'nfc'] } as const;
  const phone = { attachment: 'cross-platform', transports: ['hybrid'] } as const;

  test.each([
    ['the provider, if the provider is known', { aaguid: iCloud }, windows, 'iCloud Keychain'],
    ['the device, if the authenticator is part of the device', {}, windows, 'Windows computer'],
    ['the phone, if the phone is the device', {}, iPhone, 'iPhone'],
    ['the kind of authenticator, for a security key', usb, windows, 'Security key'],
    ['`Passkey` for the phone beside a computer', phone, windows, 'Passkey'],
    ['`Passkey` for an unknown client', {}, 'curl/8.5.0', 'Passkey'],
  ])('names %s', async (_, settings, userAgent, label) => {
    const authenticator = newAuthenticator({ attachment: 'platform', ...settings } as object);
    const { signedUp, browser } = await signUp(service, {
      authenticator,
      browser: sending(service.browser(), { 'User-Agent': userAgent }),
    });
    expect(signedUp.body.passkey).toMatchObject({ label, hasDefaultLabel: true });
    expect(await listed(browser)).toMatchObject([{ label }]);
  });

  test('is the label of the request, if there is one', async () => {
    const { browser } = await signUp(service);
    const { device } = (await addPasskey(browser, newAuthenticator({ aaguid: iCloud }), { label: 'Mine' }))
      .body;
    expect(device).toMatchObject({ label: 'Mine', hasDefaultLabel: false });
    expect((await addPasskey(browser)).body.device).toMatchObject({ hasDefaultLabel: true });
  });
});

test('the in-memory database keeps the passkey of a session and the last use', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { trustedProxies: 1, migrate: true });
  const person = await signUp(inMemory);
  const other = from(inMemory.browser(), '203.0.113.10', windows);
  await logIn(other, person.authenticator);
  expect(await listed(other)).toMatchObject([{ current: true, lastUsedIp: '203.0.113.10' }]);
  expect(await sessionsOf(other)).toHaveLength(2);
  await addPasskey(other);
  expect((await other.delete(`${devices}/${idOf(person)}`)).status).toBe(204);
  expect(await sessionOf(other)).toMatchObject({ passkeyId: null });
  await inMemory.close();
});
