import { createAuthClient, type Passkey } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';
import { turns } from '../support/turns.ts';
import { added, adding, addStarted, loginStart, started } from './at-the-browser.ts';
import { ceremonyAt, fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService, problem } from './fake-service.ts';

const signedInByPassword = { user: { id: 'u1' }, session: { id: 's1', method: 'password' } };
const login = 'POST /auth/password/login';
const session = 'GET /auth/session';
const sessionWith = (passkeyCount: number) => ({ json: { ...signedInByPassword, user: { passkeyCount } } });
const routes: Record<string, Answer | Answer[]> = {
  [login]: { json: signedInByPassword },
  [session]: sessionWith(0),
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

describe('after a password sign-in,', () => {
  test('the browser creates a passkey in the background and onPasskeyAdded is called', async () => {
    const ceremonies = fakeBrowser({ able });
    const { service, auth, onPasskeyAdded } = signInHere();
    expect(await auth.signInWithPassword(given)).toEqual(signedInByPassword);
    const ceremony = await ceremonyAt(ceremonies, 0);
    expect([ceremony.kind, ceremony.options.mediation]).toEqual(['create', 'conditional']);
    expect(onPasskeyAdded).not.toHaveBeenCalled();
    ceremony.succeed();
    await untilPasses(() => expect(onPasskeyAdded.mock.calls).toEqual([[{ id: 'p2' }]]));
    expect(service.seen.map(({ route, body }) => [route, body])).toEqual([
      [login, given],
      [session, undefined],
      [adding, { conditional: true }],
      [adding, { credential: expect.objectContaining({ id: 'AQID' }) }],
    ]);
  });

  test.each<[string, Parameters<typeof fakeBrowser>[0], object]>([
    ['the browser does not report its capabilities', {}, {}],
    [
      'the browser does not support conditional create',
      { able: { getClientCapabilities: async () => ({ conditionalCreate: false }) } },
      {},
    ],
    [
      'the browser does not report the capability conditionalCreate',
      { able: { getClientCapabilities: async () => ({}) } },
      {},
    ],
    [
      'reading the capabilities fails',
      { able: { getClientCapabilities: () => Promise.reject(new Error()) } },
      {},
    ],
    ['passkeys are unavailable at this origin', { able, secure: false }, {}],
    ['the app sets passkeyUpgrade to false', { able }, { passkeyUpgrade: false }],
  ])('no passkey is created if %s', async (_, browser, options) => {
    const ceremonies = fakeBrowser(browser);
    const { service, auth, onPasskeyAdded } = signInHere({}, options);
    await auth.signInWithPassword(given);
    await turns();
    expect(service.routes()).toEqual([login]);
    expect([ceremonies.length, onPasskeyAdded.mock.calls.length]).toEqual([0, 0]);
  });

  test('no passkey is created if the account has one already', async () => {
    const ceremonies = fakeBrowser({ able });
    const { service, auth, onPasskeyAdded } = signInHere({ [session]: sessionWith(1) });
    await auth.signInWithPassword(given);
    await turns();
    expect(service.routes()).toEqual([login, session]);
    expect([ceremonies.length, onPasskeyAdded.mock.calls.length]).toEqual([0, 0]);
  });

  test('no passkey is created if the service rejected the sign-in', async () => {
    fakeBrowser({ able });
    const { service, auth } = signInHere({ [login]: problem(401, 'authentication_failed') });
    await expect(auth.signInWithPassword(given)).rejects.toMatchObject({ code: 'authentication_failed' });
    await turns();
    expect(service.routes()).toEqual([login]);
  });

  test.each<[string, Answer[]]>([
    ['the first request', [problem(403, 'forbidden')]],
    ['the first request because authentication is not fresh', [problem(403, 'reauthentication_required')]],
    ['the new passkey', [addStarted, problem(400, 'registration_failed')]],
  ])('no error is thrown if the service rejects %s', async (_, answers) => {
    const ceremonies = fakeBrowser({ able });
    const beforeStepUp = vi.fn(async () => true);
    const { service, auth, onPasskeyAdded } = signInHere({ [adding]: answers }, { beforeStepUp });
    await auth.signInWithPassword(given);
    if (answers.length > 1) (await ceremonyAt(ceremonies, 0)).succeed();
    await turns();
    expect(service.routes()).toEqual([login, session, ...answers.map(() => adding)]);
    expect([onPasskeyAdded, beforeStepUp].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  test.each(['NotAllowedError', 'InvalidStateError', 'AbortError'])(
    'no error is thrown if the browser throws %s',
    async (name) => {
      const ceremonies = fakeBrowser({ able });
      const { service, auth, onPasskeyAdded } = signInHere();
      await auth.signInWithPassword(given);
      (await ceremonyAt(ceremonies, 0)).fail(name);
      await turns();
      expect(service.routes()).toEqual([login, session, adding]);
      expect(onPasskeyAdded).not.toHaveBeenCalled();
    },
  );
});

describe('the automatic creation of a passkey', () => {
  test('ends when the user starts an action', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    await auth.signInWithPassword(given);
    const quiet = await ceremonyAt(ceremonies, 0);
    expect(await auth.stepUp()).toEqual({ id: 's1' });
    expect(quiet.options.signal?.aborted).toBe(true);
    await turns();
    expect(onPasskeyAdded).not.toHaveBeenCalled();
  });

  test.each([
    ['before the options of the passkey load', true],
    ['while the options of the passkey load', false],
  ])('does not end an action that the user starts %s', async (_, before) => {
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
    await turns();
    expect([ceremonies.length, dialog.options.signal?.aborted]).toEqual([1, false]);
    dialog.succeed();
    expect(await steppingUp).toEqual({ id: 's1' });
  });

  test('ends autofill', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_canceled' });
    await ceremonyAt(ceremonies, 0);
    await auth.signInWithPassword(given);
    (await ceremonyAt(ceremonies, 1)).succeed();
    await offered;
    await untilPasses(() => expect(onPasskeyAdded).toHaveBeenCalledOnce());
  });
});

test('autofill does not end the automatic creation of a passkey, even if the options of autofill load late', async () => {
  const ceremonies = fakeBrowser({ able });
  const { auth, service, onPasskeyAdded } = signInHere();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createAuthClient({ fetch: async (...request) => held.then(() => service.fetch(...request)) });
  const offered = expect(slow.signInWithAutofill()).rejects.toMatchObject({ code: 'ceremony_canceled' });
  await auth.signInWithPassword(given);
  const quiet = await ceremonyAt(ceremonies, 0);
  release();
  await offered;
  quiet.succeed();
  await untilPasses(() => expect(onPasskeyAdded).toHaveBeenCalledOnce());
});

describe('passkeys.upgrade', () => {
  test('creates a passkey and returns it', async () => {
    const ceremonies = fakeBrowser({ able });
    const { auth, onPasskeyAdded } = signInHere();
    const upgrading = auth.passkeys.upgrade();
    (await ceremonyAt(ceremonies, 0)).succeed();
    expect(await upgrading).toEqual({ id: 'p2' });
    expect(onPasskeyAdded).not.toHaveBeenCalled();
  });

  test('returns null if no passkey was created', async () => {
    fakeBrowser();
    expect(await signInHere().auth.passkeys.upgrade()).toBeNull();
    fakeBrowser({ able });
    expect(await signInHere({ [adding]: problem(403, 'forbidden') }).auth.passkeys.upgrade()).toBeNull();
  });
});
