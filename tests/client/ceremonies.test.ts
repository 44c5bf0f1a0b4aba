import { createAuthClient, passkeyObstacle, supportsPasskeyAutofill } from 'latchkey/client';
import { afterEach, expect, test, vi } from 'vitest';
import { ceremonyAt, fakeBrowser } from './fake-browser.ts';
import { fakeService, problem } from './fake-service.ts';
import { creationOptions, requestOptions } from './options.ts';

const routes = {
  'POST /auth/passkey/register/start': { json: { options: creationOptions } },
  'POST /auth/passkey/register/verify': {
    status: 201,
    json: { user: { id: 'u1' }, passkey: { id: 'p1' }, session: { id: 's1' } },
  },
  'POST /auth/passkey/login/start': { json: { options: requestOptions } },
  'POST /auth/passkey/login/verify': { json: { user: { id: 'u1' }, session: { id: 's1' } } },
  'POST /auth/passkey/stepup/start': { json: { options: requestOptions } },
  'POST /auth/passkey/stepup/verify': { json: { session: { id: 's1' } } },
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the client signs up with two requests: username and display name, then credential and label', async () => {
  fakeBrowser();
  const service = fakeService(routes);
  const auth = createAuthClient({ fetch: service.fetch });
  const signedUp = await auth.signUp({ username: 'ada', displayName: 'Ada', label: 'Laptop' });
  expect(signedUp.passkey.id).toBe('p1');
  expect(service.seen[0]?.body).toEqual({ username: 'ada', displayName: 'Ada' });
  expect(service.seen[1]?.body).toMatchObject({
    label: 'Laptop',
    credential: { id: 'AQID', type: 'public-key' },
  });
});

test('the client signs in with or without a username', async () => {
  fakeBrowser();
  const service = fakeService(routes);
  const auth = createAuthClient({ fetch: service.fetch });
  expect((await auth.signIn()).user.id).toBe('u1');
  await auth.signIn({ username: 'ada' });
  expect(service.seen.map(({ body }) => body)).toMatchObject([
    {},
    { credential: { response: { userHandle: 'BA' } } },
    { username: 'ada' },
    { credential: { id: 'AQID' } },
  ]);
});

test('the client steps up when the app calls stepUp()', async () => {
  fakeBrowser();
  const { fetch } = fakeService(routes);
  expect(await createAuthClient({ fetch }).stepUp()).toEqual({ id: 's1' });
});

test('the client reports the error code of the service', async () => {
  fakeBrowser();
  const { fetch } = fakeService({
    ...routes,
    'POST /auth/passkey/login/verify': problem(401, 'authentication_failed'),
  });
  await expect(createAuthClient({ fetch }).signIn()).rejects.toMatchObject({
    code: 'authentication_failed',
    status: 401,
  });
});

test.each([
  ['NotAllowedError', 'ceremony_canceled'],
  ['AbortError', 'ceremony_canceled'],
  ['InvalidStateError', 'passkey_exists'],
  ['ConstraintError', 'ceremony_failed'],
  ['UnknownError', 'ceremony_failed'],
])('the client reports the browser error %s with the code %s', async (name, code) => {
  const ceremonies = fakeBrowser({ answering: false });
  const { fetch } = fakeService(routes);
  const signingUp = createAuthClient({ fetch }).signUp({ username: 'ada' });
  const refused = expect(signingUp).rejects.toMatchObject({ name: 'AuthClientError', code });
  (await ceremonyAt(ceremonies, 0)).fail(name);
  await refused;
});

test('the client sends no request and reports the reason if passkeys are unavailable', async () => {
  const service = fakeService(routes);
  const auth = createAuthClient({ fetch: service.fetch });
  fakeBrowser({ secure: false });
  expect(passkeyObstacle()).toBe('insecure_context');
  await expect(auth.signIn()).rejects.toMatchObject({ code: 'insecure_context' });
  vi.unstubAllGlobals();
  expect(passkeyObstacle()).toBe('webauthn_unsupported');
  expect(await supportsPasskeyAutofill()).toBe(false);
  await expect(auth.signUp({ username: 'ada' })).rejects.toMatchObject({ code: 'webauthn_unsupported' });
  expect(service.seen).toEqual([]);
});

test('the client offers passkeys in autofill and resolves when the user selects one', async () => {
  const ceremonies = fakeBrowser();
  const { fetch } = fakeService(routes);
  const picking = createAuthClient({ fetch }).signInWithAutofill();
  const offer = await ceremonyAt(ceremonies, 0);
  expect(offer.options.mediation).toBe('conditional');
  offer.succeed();
  expect((await picking).user.id).toBe('u1');
});

test('the client reports that a browser does not support autofill', async () => {
  fakeBrowser({ autofill: false });
  const service = fakeService(routes);
  const picking = createAuthClient({ fetch: service.fetch }).signInWithAutofill();
  await expect(picking).rejects.toMatchObject({ code: 'webauthn_unsupported' });
  expect(service.seen).toEqual([]);
});

test('the client ends autofill when its signal is aborted', async () => {
  const ceremonies = fakeBrowser();
  const { fetch } = fakeService(routes);
  const controller = new AbortController();
  const picking = createAuthClient({ fetch }).signInWithAutofill({ signal: controller.signal });
  const refused = expect(picking).rejects.toMatchObject({ code: 'ceremony_canceled' });
  const offer = await ceremonyAt(ceremonies, 0);
  controller.abort();
  await refused;
  expect(offer.options.signal?.aborted).toBe(true);
});

test('the client does not start autofill if its signal is already aborted', async () => {
  const ceremonies = fakeBrowser();
  const { fetch } = fakeService(routes);
  const picking = createAuthClient({ fetch }).signInWithAutofill({ signal: AbortSignal.abort() });
  await expect(picking).rejects.toMatchObject({ code: 'ceremony_canceled' });
  expect(ceremonies).toEqual([]);
});

test('a sign-in replaces autofill, even if the options of autofill load after the sign-in starts', async () => {
  const ceremonies = fakeBrowser();
  const { fetch } = fakeService(routes);
  const auth = createAuthClient({ fetch });

  const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_canceled' });
  await ceremonyAt(ceremonies, 0);
  expect((await auth.signIn()).user.id).toBe('u1');
  await offered;

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createAuthClient({ fetch: async (...request) => held.then(() => fetch(...request)) });
  const late = expect(slow.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_canceled' });
  expect((await auth.signIn()).user.id).toBe('u1');
  release();
  await late;
  expect(ceremonies.map(({ options }) => options.mediation)).toEqual(['conditional', undefined, undefined]);
});

test('autofill does not start while a sign-in waits for its options', async () => {
  const ceremonies = fakeBrowser();
  const { fetch } = fakeService(routes);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createAuthClient({ fetch: async (...request) => held.then(() => fetch(...request)) });
  const signingIn = slow.signIn();
  const offered = createAuthClient({ fetch }).signInWithAutofill();
  await expect(offered).rejects.toMatchObject({ code: 'ceremony_canceled' });
  expect(ceremonies).toEqual([]);
  release();
  expect((await signingIn).user.id).toBe('u1');
  expect(ceremonies.map(({ options }) => options.mediation)).toEqual([undefined]);
});

test('aborting autofill does not affect a later sign-in', async () => {
  const ceremonies = fakeBrowser({ answering: false });
  const { fetch } = fakeService(routes);
  const auth = createAuthClient({ fetch });
  const controller = new AbortController();
  const offered = expect(auth.signInWithAutofill({ signal: controller.signal })).rejects.toMatchObject({
    code: 'ceremony_canceled',
  });
  await ceremonyAt(ceremonies, 0);
  const signingIn = auth.signIn();
  const dialog = await ceremonyAt(ceremonies, 1);
  await offered;
  controller.abort();
  expect(dialog.options.signal?.aborted).toBe(false);
  dialog.succeed();
  expect((await signingIn).user.id).toBe('u1');
});

test('the client renews autofill before its challenge expires', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ceremonies = fakeBrowser();
  const service = fakeService(routes);
  const picking = createAuthClient({ fetch: service.fetch }).signInWithAutofill();
  await ceremonyAt(ceremonies, 0);
  await vi.advanceTimersByTimeAsync(requestOptions.timeout);
  const renewed = await ceremonyAt(ceremonies, 1);
  expect(ceremonies[0]?.options.signal?.aborted).toBe(true);
  renewed.succeed();
  expect((await picking).user.id).toBe('u1');
  expect(service.routes().filter((route) => route.endsWith('/login/start'))).toHaveLength(2);
});
