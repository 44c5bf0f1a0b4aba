import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';
import { turns } from '../support/turns.ts';
import { added, adding, addStarted, loginStart, started } from './at-the-browser.ts';
import { ceremonyAt, fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService, problem } from './fake-service.ts';

const signals = {
  rpId: 'example.org',
  userId: 'dXNlcg',
  name: 'ada',
  displayName: 'Ada',
  allAcceptedCredentialIds: ['AQID'],
};
const { rpId, userId, name, displayName, allAcceptedCredentialIds } = signals;
const reading = 'GET /auth/passkey/signals';
const routes: Record<string, Answer | Answer[]> = {
  [reading]: { json: signals },
  'DELETE /auth/passkey/devices/p1': { status: 204 },
  'DELETE /auth/passkey/devices/p2': { status: 204 },
  'PATCH /auth/passkey/devices/p1': { json: { device: { id: 'p1' } } },
  [adding]: [addStarted, added],
  [loginStart]: started,
};
const unknown = problem(401, 'authentication_failed', { reason: 'unknown_credential' });

/** A browser that supports and records signals. Signals tell the browser which passkeys the service accepts. */
function signalingBrowser() {
  const able = {
    signalUnknownCredential: vi.fn(async () => {}),
    signalAllAcceptedCredentials: vi.fn(async () => {}),
    signalCurrentUserDetails: vi.fn(async () => {}),
  };
  return { ...able, ceremonies: fakeBrowser({ able }) };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a change of the user’s passkeys', () => {
  test('signals the accepted passkeys after a passkey is added or removed, and the names after a label changes', async () => {
    const browser = signalingBrowser();
    const { passkeys } = createAuthClient({ fetch: fakeService(routes).fetch });
    await passkeys.remove('p1');
    await passkeys.add();
    await passkeys.rename('p1', 'Laptop');
    await untilPasses(() => {
      const accepted = [{ rpId, userId, allAcceptedCredentialIds }];
      expect(browser.signalAllAcceptedCredentials.mock.calls).toEqual([accepted, accepted]);
      expect(browser.signalCurrentUserDetails.mock.calls).toEqual([[{ rpId, userId, name, displayName }]]);
    });
  });

  test('sends no extra request in a browser that does not support signals', async () => {
    fakeBrowser();
    const service = fakeService(routes);
    const { passkeys } = createAuthClient({ fetch: service.fetch });
    await passkeys.remove('p1');
    await passkeys.rename('p1', 'Laptop');
    expect(service.routes()).not.toContain(reading);
    vi.unstubAllGlobals();
    await passkeys.remove('p1');
    expect(service.routes()).not.toContain(reading);
  });

  test('is not signaled if the request fails', async () => {
    const browser = signalingBrowser();
    const service = fakeService({ 'DELETE /auth/passkey/devices/p1': problem(409, 'last_credential') });
    const removing = createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
    await expect(removing).rejects.toMatchObject({ code: 'last_credential' });
    expect(service.routes()).not.toContain(reading);
    expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled();
  });

  test('completes before the signal, and does not fail if the signal fails', async () => {
    const throwing = vi.fn(() => {
      throw new TypeError('not today');
    });
    fakeBrowser({ able: { signalAllAcceptedCredentials: throwing } });
    const { fetch } = fakeService(routes);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: typeof fetch = async (input, init) => {
      if (`${input}`.endsWith('/signals')) await held;
      return fetch(input, init);
    };
    await createAuthClient({ fetch: slow }).passkeys.remove('p1');
    expect(throwing).not.toHaveBeenCalled();
    release();
    await untilPasses(() => expect(throwing).toHaveBeenCalledOnce());
    const rejecting = vi.fn(() => Promise.reject(new DOMException('no', 'SecurityError')));
    fakeBrowser({ able: { signalAllAcceptedCredentials: rejecting } });
    await createAuthClient({ fetch }).passkeys.remove('p1');
    await untilPasses(() => expect(rejecting).toHaveBeenCalledOnce());
  });

  test.each([problem(401, 'not_authenticated'), { json: {} }, { status: 502, text: 'no' }])(
    'completes even if the client cannot read the signals: %j',
    async (answer) => {
      const browser = signalingBrowser();
      const service = fakeService({ ...routes, [reading]: answer });
      await createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
      await untilPasses(() => expect(service.routes()).toContain(reading));
      expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled();
    },
  );

  test('signals only the newest list if an older list arrives late', async () => {
    const browser = signalingBrowser();
    const older = { json: { ...signals, allAcceptedCredentialIds: ['AQID', 'BAUG'] } };
    const { fetch } = fakeService({ ...routes, [reading]: [older, { json: signals }] });
    const released: (() => void)[] = [];
    const slow: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (`${input}`.endsWith('/signals')) await new Promise<void>((resolve) => released.push(resolve));
      return response;
    };
    const { passkeys } = createAuthClient({ fetch: slow });
    await passkeys.remove('p1');
    await passkeys.remove('p2');
    await untilPasses(() => expect(released).toHaveLength(2));
    released[1]?.();
    await untilPasses(() => expect(browser.signalAllAcceptedCredentials).toHaveBeenCalledOnce());
    released[0]?.();
    await turns();
    expect(browser.signalAllAcceptedCredentials.mock.calls).toEqual([
      [{ rpId, userId, allAcceptedCredentialIds: ['AQID'] }],
    ]);
  });
});

describe('a passkey that is unknown to the service', () => {
  const verify = 'POST /auth/passkey/login/verify';

  test('is signaled to the browser and reported to the page, both in a dialog and in autofill', async () => {
    const browser = signalingBrowser();
    const auth = createAuthClient({ fetch: fakeService({ ...routes, [verify]: unknown }).fetch });
    const refused = { code: 'authentication_failed', reason: 'unknown_credential', status: 401 };
    await expect(auth.signIn()).rejects.toMatchObject(refused);
    const picking = expect(auth.signInWithAutofill()).rejects.toMatchObject(refused);
    (await ceremonyAt(browser.ceremonies, 1)).succeed();
    await picking;
    const signal = [{ rpId, credentialId: 'AQID' }];
    expect(browser.signalUnknownCredential.mock.calls).toEqual([signal, signal]);
  });

  test.each([
    problem(401, 'authentication_failed'),
    problem(401, 'authentication_failed', { reason: 'of_a_later_service' }),
    problem(429, 'rate_limited'),
    problem(503, 'unavailable'),
    { status: 502, text: 'no' },
  ])('is not signaled if the sign-in fails with another error: %j', async (answer) => {
    const browser = signalingBrowser();
    const auth = createAuthClient({ fetch: fakeService({ ...routes, [verify]: answer }).fetch });
    await expect(auth.signIn()).rejects.toMatchObject({ name: 'AuthClientError' });
    expect(browser.signalUnknownCredential).not.toHaveBeenCalled();
  });

  test.each([
    [{}],
    [{ signalUnknownCredential: () => Promise.reject(new Error('no')) }],
    [
      {
        signalUnknownCredential: () => {
          throw new Error('no');
        },
      },
    ],
  ])('is reported to the page even if the signal is unavailable or fails (row %#)', async (able) => {
    fakeBrowser({ able });
    const auth = createAuthClient({ fetch: fakeService({ ...routes, [verify]: unknown }).fetch });
    await expect(auth.signIn()).rejects.toMatchObject({ reason: 'unknown_credential' });
  });
});

describe('a new passkey that the service does not allow', () => {
  const registering = 'POST /auth/passkey/register';
  const password = 'POST /auth/password/login';
  const refused = (answer: Answer): Record<string, Answer | Answer[]> => ({
    ...routes,
    [`${registering}/start`]: addStarted,
    [`${registering}/verify`]: answer,
    [adding]: [addStarted, answer],
    [password]: { json: { user: { id: 'u1' }, session: { id: 's1' } } },
    'GET /auth/session': { json: { user: { passkeyCount: 0 } } },
  });
  const notAllowed = problem(403, 'authenticator_not_allowed', { reason: 'not_attested' });
  const attempts: [string, (auth: AuthClient) => Promise<unknown>][] = [
    ['a sign-up', (auth) => auth.signUp({ username: 'ada' })],
    ['a passkey that the user adds', (auth) => auth.passkeys.add()],
    ['a recovery', (auth) => auth.recovery.complete()],
  ];

  test.each(attempts)('is signaled to the browser as unknown: %s', async (_, attempt) => {
    const browser = signalingBrowser();
    const auth = createAuthClient({ fetch: fakeService(refused(notAllowed)).fetch });
    await expect(attempt(auth)).rejects.toMatchObject({ code: 'authenticator_not_allowed' });
    expect(browser.signalUnknownCredential.mock.calls).toEqual([[{ rpId, credentialId: 'AQID' }]]);
  });

  test('is signaled if the browser created it without a prompt', async () => {
    const signalUnknownCredential = vi.fn(async () => {});
    const getClientCapabilities = async () => ({ conditionalCreate: true });
    const ceremonies = fakeBrowser({ able: { signalUnknownCredential, getClientCapabilities } });
    const auth = createAuthClient({ fetch: fakeService(refused(notAllowed)).fetch });
    await auth.signInWithPassword({ username: 'ada', password: 'open' });
    (await ceremonyAt(ceremonies, 0)).succeed();
    await untilPasses(() =>
      expect(signalUnknownCredential.mock.calls).toEqual([[{ rpId, credentialId: 'AQID' }]]),
    );
  });

  test.each([
    problem(400, 'registration_failed'),
    problem(409, 'passkey_already_registered'),
    problem(503, 'unavailable'),
    { status: 502, text: 'no' },
  ])('is not signaled after another error, because the service may have stored it: %j', async (answer) => {
    for (const [, attempt] of attempts) {
      const browser = signalingBrowser();
      const auth = createAuthClient({ fetch: fakeService(refused(answer)).fetch });
      await expect(attempt(auth)).rejects.toMatchObject({ name: 'AuthClientError' });
      expect(browser.signalUnknownCredential).not.toHaveBeenCalled();
    }
  });
});
