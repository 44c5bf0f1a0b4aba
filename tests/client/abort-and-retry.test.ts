import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { added, adding, addStarted, atTheBrowser, cancelled } from './at-the-browser.ts';
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
  test('does not begin once its signal is aborted', async () => {
    const { ceremonies, service, auth } = atTheBrowser();
    await expect(call(auth, AbortSignal.abort())).rejects.toMatchObject(cancelled);
    expect([ceremonies, service.seen]).toEqual([[], []]);
  });

  test('is ended by its signal while its options are on their way', async () => {
    const { ceremonies, service } = atTheBrowser();
    for (const before of [true, false]) {
      const controller = new AbortController();
      const fetch: typeof globalThis.fetch = async (...request) => {
        if (before) controller.abort();
        const answer = await service.fetch(...request);
        controller.abort();
        return answer;
      };
      await expect(call(createAuthClient({ fetch }), controller.signal)).rejects.toMatchObject(cancelled);
    }
    expect(ceremonies).toEqual([]);
  });

  test('is ended by its signal while its dialog is open, and can be begun again at once', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [adding]: [addStarted, addStarted, added],
    });
    const controller = new AbortController();
    const refused = expect(call(auth, controller.signal)).rejects.toMatchObject(cancelled);
    const dialog = await ceremonyAt(ceremonies, 0);
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(true);
    const again = call(auth);
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toBeDefined();
  });

  test('runs to its end once its dialog has been answered', async () => {
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

  test('can be begun again at once after a person has closed the dialog', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [adding]: [addStarted, addStarted, added],
    });
    const again = call(auth).catch(() => call(auth));
    (await ceremonyAt(ceremonies, 0)).fail('NotAllowedError');
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toBeDefined();
  });
});

describe('a step-up that a call needs first', () => {
  const stale = problem(403, 'reauthentication_required');

  test('ends with the signal of the call, and its dialog with it', async () => {
    const { ceremonies, auth } = atTheBrowser({ [adding]: [stale, addStarted, added] });
    const controller = new AbortController();
    const refused = expect(auth.passkeys.add({ signal: controller.signal })).rejects.toMatchObject(cancelled);
    const dialog = await ceremonyAt(ceremonies, 0);
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(true);
    const again = auth.passkeys.add();
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(await again).toEqual({ id: 'p2' });
  });

  test('goes on for the other calls that wait for it', async () => {
    const removal = 'DELETE /auth/passkey/devices/p1';
    const { ceremonies, auth } = atTheBrowser({ [adding]: [stale], [removal]: [stale, { status: 204 }] });
    const controller = new AbortController();
    const refused = expect(auth.passkeys.add({ signal: controller.signal })).rejects.toMatchObject(cancelled);
    const removing = auth.passkeys.remove('p1');
    const dialog = await ceremonyAt(ceremonies, 0);
    await vi.waitFor(() => expect(dialog.options.signal?.aborted).toBe(false));
    controller.abort();
    await refused;
    expect(dialog.options.signal?.aborted).toBe(false);
    dialog.succeed();
    await removing;
  });
});
