import { createAuthClient, type Passkey } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { added, adding, addStarted, loginStart, started } from './at-the-browser.ts';
import { ceremonyAt, fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService, problem } from './fake-service.ts';

const login = 'POST /auth/password/login';
const signedInByPassword = { user: { id: 'u1' }, session: { id: 's1', method: 'password' } };
const routes: Record<string, Answer | Answer[]> = {
  [login]: { json: signedInByPassword },
  [adding]: [addStarted, added],
  [loginStart]: started,
  'POST /auth/passkey/stepup/start': started,
  'POST /auth/passkey/stepup/verify': { json: { session: { id: 's1' } } },
};
const given = { username: 'ada', password: 'open' };
const able = { getClientCapabilities: async () => ({ conditionalCreate: true }) };

afterEach(() => {
  vi.unstubAllGlobals();
});

function signInHere(more: Partial<typeof routes> = {}, options: object = {}) {
  const service = fakeService({ ...routes, ...more } as typeof routes);
  const onPasskeyAdded = vi.fn<(passkey: Passkey) => void>();
  const auth = createAuthClient({ fetch: service.fetch, onPasskeyAdded, ...options });
  return { service, auth, onPasskeyAdded };
}

/** Long enough for whatever is to come of nothing. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('after signing in with a password', () => {
  test('the browser makes a passkey by itself, and the app hears of it; nobody waits', async () => {
    const ceremonies = fakeBrowser({ able });
    const { service, auth, onPasskeyAdded } = signInHere();
    expect(await auth.signInWithPassword(given)).toEqual(signedInByPassword);
    const ceremony = await ceremonyAt(ceremonies, 0);
    expect([ceremony.kind, ceremony.options.mediation]).toEqual(['create', 'conditional']);
    expect(onPasskeyAdded).not.toHaveBeenCalled();
    ceremony.succeed();
    await vi.waitFor(() => expect(onPasskeyAdded.mock.calls).toEqual([[{ id: 'p2' }]]));
    expect(service.seen.map(({ route, body }) => [route, body])).toEqual([
      [login, given],
      [adding, { conditional: true }],
      [adding, { credential: expect.objectContaining({ id: 'AQID' }) }],
    ]);
  });

  test.each<[string, Parameters<typeof fakeBrowser>[0], object]>([
    ['the browser cannot say what it can', {}, {}],
    [
      'the browser cannot',
      { able: { getClientCapabilities: async () => ({ conditionalCreate: false }) } },
      {},
    ],
    ['the browser does not know', { able: { getClientCapabilities: async () => ({}) } }, {}],
    ['the browser fails to say', { able: { getClientCapabilities: () => Promise.reject(new Error()) } }, {}],
    ['there are no passkeys at this address', { able, secure: false }, {}],
    ['the app does not want it', { able }, { passkeyUpgrade: false }],
  ])('nothing is asked for where %s', async (_, browser, options) => {
    const ceremonies = fakeBrowser(browser);
    const { service, auth, onPasskeyAdded } = signInHere({}, options);
    await auth.signInWithPassword(given);
    await aWhile();
    expect(service.routes()).toEqual([login]);
    expect([ceremonies.length, onPasskeyAdded.mock.calls.length]).toEqual([0, 0]);
  });

  test('nothing is asked for where it was refused', async () => {
    fakeBrowser({ able });
    const { service, auth } = signInHere({ [login]: problem(401, 'authentication_failed') });
    await expect(auth.signInWithPassword(given)).rejects.toMatchObject({ code: 'authentication_failed' });
    await aWhile();
    expect(service.routes()).toEqual([login]);
  });

  test.each<[string, Answer[]]>([
    ['begins', [problem(403, 'forbidden')]],
    ['begins, for want of fresh authentication', [problem(403, 'reauthentication_required')]],
    ['ends', [addStarted, problem(400, 'registration_failed')]],
  ])('no word is said where the service refuses as it %s', async (_, answers) => {
    const ceremonies = fakeBrowser({ able });
    const beforeStepUp = vi.fn(async () => true);
    const { service, auth, onPasskeyAdded } = signInHere({ [adding]: answers }, { beforeStepUp });
    await auth.signInWithPassword(given);
    if (answers.length > 1) (await ceremonyAt(ceremonies, 0)).succeed();
    await aWhile();
    expect(service.routes()).toEqual([login, ...answers.map(() => adding)]);
    expect([onPasskeyAdded, beforeStepUp].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  test.each(['NotAllowedError', 'InvalidStateError', 'AbortError'])(
    'no word is said where the browser has its %s',
    async (name) => {
      const ceremonies = fakeBrowser({ able });
      const { service, auth, onPasskeyAdded } = signInHere();
      await auth.signInWithPassword(given);
      (await ceremonyAt(ceremonies, 0)).fail(name);
      await aWhile();
      expect(service.routes()).toEqual([login, adding]);
      expect(onPasskeyAdded).not.toHaveBeenCalled();
    },
  );
});

describe('what a person has asked for goes first', () => {
  test('begun while a passkey is being made by itself, it takes its place', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    await auth.signInWithPassword(given);
    const quiet = await ceremonyAt(ceremonies, 0);
    expect(await auth.stepUp()).toEqual({ id: 's1' });
    expect(quiet.options.signal?.aborted).toBe(true);
    await aWhile();
    expect(onPasskeyAdded).not.toHaveBeenCalled();
  });

  test.each([
    ['before', true],
    ['meanwhile', false],
  ])('begun %s, it is not disturbed', async (_, before) => {
    const ceremonies = fakeBrowser({ able, answering: false });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { auth, service } = signInHere();
    const slow = createAuthClient({
      fetch: async (input, init) => {
        if (`${input}`.endsWith('/add')) await held;
        return service.fetch(input, init);
      },
    });
    const stepUpHere = async () => {
      const steppingUp = auth.stepUp();
      return { steppingUp, dialog: await ceremonyAt(ceremonies, 0) };
    };
    const first = before ? await stepUpHere() : null;
    await slow.signInWithPassword(given);
    const { steppingUp, dialog } = first ?? (await stepUpHere());
    release();
    await aWhile();
    expect([ceremonies.length, dialog.options.signal?.aborted]).toEqual([1, false]);
    dialog.succeed();
    expect(await steppingUp).toEqual({ id: 's1' });
  });

  test('an offer in the suggestions is over once somebody is in', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_cancelled' });
    await ceremonyAt(ceremonies, 0);
    await auth.signInWithPassword(given);
    (await ceremonyAt(ceremonies, 1)).succeed();
    await offered;
    await vi.waitFor(() => expect(onPasskeyAdded).toHaveBeenCalledOnce());
  });
});

test('an offer whose options come late leaves a passkey alone that is being made by itself', async () => {
  const ceremonies = fakeBrowser({ able });
  const { auth, service, onPasskeyAdded } = signInHere();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createAuthClient({ fetch: async (...request) => held.then(() => service.fetch(...request)) });
  const offered = expect(slow.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_cancelled' });
  await auth.signInWithPassword(given);
  const quiet = await ceremonyAt(ceremonies, 0);
  release();
  await offered;
  quiet.succeed();
  await vi.waitFor(() => expect(onPasskeyAdded).toHaveBeenCalledOnce());
});

describe('passkeys.upgrade', () => {
  test('does the same when it is called, and gives the passkey', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    const upgrading = auth.passkeys.upgrade();
    (await ceremonyAt(ceremonies, 0)).succeed();
    expect(await upgrading).toEqual({ id: 'p2' });
    expect(onPasskeyAdded).not.toHaveBeenCalled();
  });

  test('gives null where nothing came of it', async () => {
    fakeBrowser();
    expect(await signInHere().auth.passkeys.upgrade()).toBeNull();
    fakeBrowser({ able });
    expect(await signInHere({ [adding]: problem(403, 'forbidden') }).auth.passkeys.upgrade()).toBeNull();
  });
});
