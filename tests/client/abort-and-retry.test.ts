import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';
import { added, adding, addStarted, atTheBrowser, canceled } from './at-the-browser.ts';
import { ceremonyAt } from './fake-browser.ts';
import { problem } from './fake-service.ts';

type Call = (auth: AuthClient, signal?: AbortSignal) => Promise<unknown>;
const calls: [name: string, call: Call][] = [
  ['signing up', (auth, signal) => auth.signUp({ username: 'ada', signal })],
  ['signing in', (auth, signal) => auth.signIn({ signal })],
  ['stepping up', (auth, signal) => auth.stepUp({ signal })],
  ['adding a passkey', (auth, signal) => auth.passkeys.add({ signal })],
];

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(calls)('%s', (_, call) => {
  test('does not start if its signal is already aborted', async () => {
    const { ceremonies, service, auth } = atTheBrowser();
    await expect(call(auth, AbortSignal.abort())).rejects.toMatchObject(canceled);
    expect([ceremonies, service.seen]).toEqual([[], []]);
  });

  test('can be aborted while its options load', async () => {
    const { ceremonies, service } = atTheBrowser();
    for (const before of [true, false]) {
      const controller = new AbortController();
      const fetch: typeof globalThis.fetch = async (...request) => {
        if (before) controller.abort();
        const answer = await service.fetch(...request);
        controller.abort();
        return answer;
      };
      await expect(call(createAuthClient({ fetch }), controller.signal)).rejects.toMatchObject(canceled);
    }
    expect(ceremonies).toEqual([]);
  });

  test('can be aborted while its dialog is open, and can then be restarted immediately', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [adding]: [addStarted, addStarted, added],
    });
    const controller = new AbortController();
    const refused = expect(call(auth, controller.signal)).rejects.toMatchObject(canceled);
    const dialog = await ceremonyAt(ceremonies, 0);
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(true);
    const again = call(auth);
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toBeDefined();
  });

  test('ignores its signal after the user answers the dialog', async () => {
    const { ceremonies, service } = atTheBrowser();
    const controller = new AbortController();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (`${init?.body}`.includes('"credential"')) controller.abort();
      return service.fetch(input, init);
    };
    const done = call(createAuthClient({ fetch }), controller.signal);
    (await ceremonyAt(ceremonies, 0)).succeed();
    expect(await done).toBeDefined();
  });

  test('can be restarted immediately after the user closes the dialog', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [adding]: [addStarted, addStarted, added],
    });
    const again = call(auth).catch(() => call(auth));
    (await ceremonyAt(ceremonies, 0)).fail('NotAllowedError');
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toBeDefined();
  });
});

describe('a step-up before a call', () => {
  const stale = problem(403, 'reauthentication_required');

  test('closes the dialog if the call is aborted', async () => {
    const { ceremonies, auth } = atTheBrowser({ [adding]: [stale, addStarted, added] });
    const controller = new AbortController();
    const refused = expect(auth.passkeys.add({ signal: controller.signal })).rejects.toMatchObject(canceled);
    const dialog = await ceremonyAt(ceremonies, 0);
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(true);
    const again = auth.passkeys.add();
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toEqual({ id: 'p2' });
  });

  test('continues for another waiting call after the first call is aborted', async () => {
    const removal = 'DELETE /auth/passkey/devices/p1';
    const { ceremonies, auth } = atTheBrowser({ [adding]: [stale], [removal]: [stale, { status: 204 }] });
    const controller = new AbortController();
    const refused = expect(auth.passkeys.add({ signal: controller.signal })).rejects.toMatchObject(canceled);
    const removing = auth.passkeys.remove('p1');
    const dialog = await ceremonyAt(ceremonies, 0);
    await untilPasses(() => expect(dialog.options.signal?.aborted).toBe(false));
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(false);
    dialog.succeed();
    await removing;
  });
});
