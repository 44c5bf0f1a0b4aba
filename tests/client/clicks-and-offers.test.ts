import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';
import { turns } from '../support/turns.ts';
import { atTheBrowser, canceled, loginStart, signedIn, started } from './at-the-browser.ts';
import { ceremonyAt } from './fake-browser.ts';
import { problem } from './fake-service.ts';
import { requestOptions } from './options.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('quick repeated sign-in calls', () => {
  test('share one dialog and its outcome', async () => {
    for (const end of ['succeed', 'fail'] as const) {
      const { ceremonies, auth } = atTheBrowser();
      const clicks = Promise.allSettled([auth.signIn(), auth.signIn(), auth.signIn()]);
      const dialog = await ceremonyAt(ceremonies, 0);
      dialog[end]('NotAllowedError');
      const outcome = end === 'succeed' ? { value: signedIn } : { reason: expect.objectContaining(canceled) };
      const expected = expect.objectContaining(outcome);
      expect(await clicks).toEqual([expected, expected, expected]);
      expect(ceremonies).toHaveLength(1);
    }
  });

  test('share one outcome even if the first dialog is already open', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const first = auth.signIn();
    const replaced = await ceremonyAt(ceremonies, 0);
    const second = auth.signIn();
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(replaced.options.signal?.aborted).toBe(true);
    expect(await Promise.all([first, second])).toEqual([signedIn, signedIn]);
  });

  test('stay separate for different usernames, or if the first call is aborted', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const first = expect(auth.signIn({ username: 'ada' })).rejects.toMatchObject(canceled);
    await ceremonyAt(ceremonies, 0);
    const controller = new AbortController();
    const second = expect(auth.signIn({ signal: controller.signal })).rejects.toMatchObject(canceled);
    await first;
    await ceremonyAt(ceremonies, 1);
    controller.abort();
    const third = auth.signIn();
    await second;
    (await ceremonyAt(ceremonies, 2)).succeed();
    expect(await third).toEqual(signedIn);
  });

  test('do not share the outcome of an earlier call that has already failed with a service error', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [loginStart]: [problem(429, 'rate_limited'), started],
    });
    await expect(auth.signIn()).rejects.toMatchObject({ code: 'rate_limited' });
    const second = auth.signIn();
    (await ceremonyAt(ceremonies, 0)).succeed();
    expect(await second).toEqual(signedIn);
  });
});

describe('autofill', () => {
  test('can restart after a sign-in dialog replaces autofill and the user closes this dialog', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject(canceled);
    await ceremonyAt(ceremonies, 0);
    const refused = expect(auth.signIn()).rejects.toMatchObject(canceled);
    (await ceremonyAt(ceremonies, 1)).fail('NotAllowedError');
    await Promise.all([offered, refused]);
    const again = auth.signInWithAutofill();
    (await ceremonyAt(ceremonies, 2)).succeed();
    expect(await again).toEqual(signedIn);
  });

  test('continues if a sign-in fails before the sign-in dialog opens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { ceremonies, auth } = atTheBrowser({
      [loginStart]: [started, problem(429, 'rate_limited'), started],
    });
    const controller = new AbortController();
    const offered = expect(auth.signInWithAutofill({ signal: controller.signal })).rejects.toMatchObject(
      canceled,
    );
    await ceremonyAt(ceremonies, 0);
    await expect(auth.signIn()).rejects.toMatchObject({ code: 'rate_limited' });
    await vi.advanceTimersByTimeAsync(requestOptions.timeout);
    const renewed = await ceremonyAt(ceremonies, 1);
    vi.useRealTimers();
    controller.abort();
    await offered;
    expect(renewed.options.signal?.aborted).toBe(true);
  });

  test('can be aborted before the browser starts autofill', async () => {
    const controller = new AbortController();
    let calls = 0;
    // The WebAuthn library makes the second call immediately before autofill starts.
    const isConditionalMediationAvailable = async () => {
      calls += 1;
      if (calls === 2) queueMicrotask(() => controller.abort());
      return true;
    };
    const { ceremonies, auth } = atTheBrowser({}, { isConditionalMediationAvailable });
    await expect(auth.signInWithAutofill({ signal: controller.signal })).rejects.toMatchObject(canceled);
    expect(ceremonies.map(({ options }) => options.signal?.aborted)).toEqual([true]);
  });

  test('ends if a second autofill starts, even if the options of the first autofill load last', async () => {
    const { ceremonies, auth, service } = atTheBrowser();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = createAuthClient({
      fetch: async (...request) => held.then(() => service.fetch(...request)),
    });
    const late = expect(slow.signInWithAutofill()).rejects.toMatchObject(canceled);
    const offered = auth.signInWithAutofill();
    const offer = await ceremonyAt(ceremonies, 0);
    release();
    await late;
    offer.succeed();
    expect(await offered).toEqual(signedIn);
  });

  test.each([
    ['a dialog', undefined, (auth: AuthClient) => auth.signIn()],
    ['the automatic creation of a passkey', 'conditional', (auth: AuthClient) => auth.passkeys.upgrade()],
  ])('does not end %s, even if autofill starts later in the browser', async (_, mediation, begin) => {
    const answers: ((available: boolean) => void)[] = [];
    const { ceremonies, auth, service } = atTheBrowser(
      {},
      {
        isConditionalMediationAvailable: () => new Promise((resolve) => answers.push(resolve)),
        getClientCapabilities: async () => ({ conditionalCreate: true }),
      },
    );
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject(canceled);
    answers[0]?.(true);
    // The WebAuthn library makes the second call. The client makes the third call, to learn when autofill has started.
    await untilPasses(() => expect(answers).toHaveLength(3));
    const before = service.seen.length;
    const begun = begin(auth);
    await untilPasses(() => expect(service.seen.length).toBeGreaterThan(before));
    await turns();
    for (const answer of answers.slice(1)) answer(true);
    const ceremony = await ceremonyAt(ceremonies, 1);
    await offered;
    expect(ceremony.options.mediation).toBe(mediation);
    expect(ceremony.options.signal?.aborted).toBe(false);
    ceremony.succeed();
    expect(await begun).toBeTruthy();
  });
});
