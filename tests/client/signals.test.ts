import { createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { added, adding, addStarted, loginStart, started } from './at-the-browser.ts';
import { ceremonyAt, fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService, problem } from './fake-service.ts';

const standing = {
  rpId: 'example.org',
  userId: 'dXNlcg',
  name: 'ada',
  displayName: 'Ada',
  allAcceptedCredentialIds: ['AQID'],
};
const { rpId, userId, name, displayName, allAcceptedCredentialIds } = standing;
const reading = 'GET /auth/passkey/signals';
const routes: Record<string, Answer | Answer[]> = {
  [reading]: { json: standing },
  'DELETE /auth/passkey/devices/p1': { status: 204 },
  'DELETE /auth/passkey/devices/p2': { status: 204 },
  'PATCH /auth/passkey/devices/p1': { json: { device: { id: 'p1' } } },
  [adding]: [addStarted, added],
  [loginStart]: started,
};
const unknown = problem(401, 'authentication_failed', { reason: 'unknown_credential' });

/** A browser that passes signals on, to nobody. */
function signallingBrowser() {
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

describe('what changes of one’s own passkeys', () => {
  test('is told: which are accepted after a removal and an addition, the name after a renaming', async () => {
    const browser = signallingBrowser();
    const { passkeys } = createAuthClient({ fetch: fakeService(routes).fetch });
    await passkeys.remove('p1');
    await passkeys.add();
    await passkeys.rename('p1', 'Laptop');
    await vi.waitFor(() => {
      const accepted = [{ rpId, userId, allAcceptedCredentialIds }];
      expect(browser.signalAllAcceptedCredentials.mock.calls).toEqual([accepted, accepted]);
      expect(browser.signalCurrentUserDetails.mock.calls).toEqual([[{ rpId, userId, name, displayName }]]);
    });
  });

  test('is neither told nor read where the browser cannot pass it on', async () => {
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

  test('is not told where nothing has changed', async () => {
    const browser = signallingBrowser();
    const service = fakeService({ 'DELETE /auth/passkey/devices/p1': problem(409, 'last_credential') });
    const removing = createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
    await expect(removing).rejects.toMatchObject({ code: 'last_credential' });
    expect(service.routes()).not.toContain(reading);
    expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled();
  });

  test('is done before it is told, and stands if nobody listens', async () => {
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
    await vi.waitFor(() => expect(throwing).toHaveBeenCalledOnce());
    const rejecting = vi.fn(() => Promise.reject(new DOMException('no', 'SecurityError')));
    fakeBrowser({ able: { signalAllAcceptedCredentials: rejecting } });
    await createAuthClient({ fetch }).passkeys.remove('p1');
    await vi.waitFor(() => expect(rejecting).toHaveBeenCalledOnce());
  });

  test.each([problem(401, 'not_authenticated'), { json: {} }, { status: 502, text: 'no' }])(
    'stands as well where the service does not say how things are: %j',
    async (answer) => {
      const browser = signallingBrowser();
      const service = fakeService({ ...routes, [reading]: answer });
      await createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
      await vi.waitFor(() => expect(service.routes()).toContain(reading));
      expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled();
    },
  );

  test('is told as it is in the end, should an older list come late', async () => {
    const browser = signallingBrowser();
    const older = { json: { ...standing, allAcceptedCredentialIds: ['AQID', 'BAUG'] } };
    const { fetch } = fakeService({ ...routes, [reading]: [older, { json: standing }] });
    const released: (() => void)[] = [];
    const slow: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (`${input}`.endsWith('/signals')) await new Promise<void>((resolve) => released.push(resolve));
      return response;
    };
    const { passkeys } = createAuthClient({ fetch: slow });
    await passkeys.remove('p1');
    await passkeys.remove('p2');
    await vi.waitFor(() => expect(released).toHaveLength(2));
    released[1]?.();
    await vi.waitFor(() => expect(browser.signalAllAcceptedCredentials).toHaveBeenCalledOnce());
    released[0]?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(browser.signalAllAcceptedCredentials.mock.calls).toEqual([
      [{ rpId, userId, allAcceptedCredentialIds: ['AQID'] }],
    ]);
  });
});

describe('a passkey that the service knows no more', () => {
  const verify = 'POST /auth/passkey/login/verify';

  test('is told to the browser, by the dialog and by the suggestions, and to the page', async () => {
    const browser = signallingBrowser();
    const auth = createAuthClient({ fetch: fakeService({ ...routes, [verify]: unknown }).fetch });
    const refused = { code: 'authentication_failed', reason: 'unknown_credential', status: 401 };
    await expect(auth.signIn()).rejects.toMatchObject(refused);
    const picking = expect(auth.signInWithAutofill()).rejects.toMatchObject(refused);
    (await ceremonyAt(browser.ceremonies, 1)).succeed();
    await picking;
    const told = [{ rpId, credentialId: 'AQID' }];
    expect(browser.signalUnknownCredential.mock.calls).toEqual([told, told]);
  });

  test.each([
    problem(401, 'authentication_failed'),
    problem(401, 'authentication_failed', { reason: 'of_a_later_service' }),
    problem(429, 'rate_limited'),
    problem(503, 'unavailable'),
    { status: 502, text: 'no' },
  ])('is told for no other reason: %j', async (answer) => {
    const browser = signallingBrowser();
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
  ])('is refused all the same where the browser cannot be told', async (able) => {
    fakeBrowser({ able });
    const auth = createAuthClient({ fetch: fakeService({ ...routes, [verify]: unknown }).fetch });
    await expect(auth.signIn()).rejects.toMatchObject({ reason: 'unknown_credential' });
  });
});
