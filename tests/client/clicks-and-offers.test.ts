import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { atTheBrowser, cancelled, loginStart, signedIn, started } from './at-the-browser.ts';
import { ceremonyAt } from './fake-browser.ts';
import { problem } from './fake-service.ts';
import { requestOptions } from './options.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('two quick clicks on signing in', () => {
  test('are one sign-in: the second takes the dialog over, and both end as it does', async () => {
    for (const end of ['succeed', 'fail'] as const) {
      const { ceremonies, auth } = atTheBrowser();
      const clicks = Promise.allSettled([auth.signIn(), auth.signIn(), auth.signIn()]);
      const dialog = await ceremonyAt(ceremonies, 0);
      dialog[end]('NotAllowedError');
      const outcome =
        end === 'succeed' ? { value: signedIn } : { reason: expect.objectContaining(cancelled) };
      const expected = expect.objectContaining(outcome);
      expect(await clicks).toEqual([expected, expected, expected]);
      expect(ceremonies).toHaveLength(1);
    }
  });

  test('are one sign-in as well where the first dialog is open already', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const first = auth.signIn();
    const overtaken = await ceremonyAt(ceremonies, 0);
    const second = auth.signIn();
    (await ceremonyAt(ceremonies, 1)).succeed();
    expect(overtaken.options.signal?.aborted).toBe(true);
    expect(await Promise.all([first, second])).toEqual([signedIn, signedIn]);
  });

  test('are two where they mean different people, or the first has been aborted', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const first = expect(auth.signIn({ username: 'ada' })).rejects.toMatchObject(cancelled);
    await ceremonyAt(ceremonies, 0);
    const controller = new AbortController();
    const second = expect(auth.signIn({ signal: controller.signal })).rejects.toMatchObject(cancelled);
    await first;
    await ceremonyAt(ceremonies, 1);
    controller.abort();
    const third = auth.signIn();
    await second;
    (await ceremonyAt(ceremonies, 2)).succeed();
    expect(await third).toEqual(signedIn);
  });

  test('tell what was wrong with the first where that was something else', async () => {
    const { ceremonies, auth } = atTheBrowser({
      [loginStart]: [problem(429, 'rate_limited'), started],
    });
    await expect(auth.signIn()).rejects.toMatchObject({ code: 'rate_limited' });
    const second = auth.signIn();
    (await ceremonyAt(ceremonies, 0)).succeed();
    expect(await second).toEqual(signedIn);
  });
});

describe('an offer in the suggestions', () => {
  test('can be made again once the dialog that took its place was closed', async () => {
    const { ceremonies, auth } = atTheBrowser();
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject(cancelled);
    await ceremonyAt(ceremonies, 0);
    const refused = expect(auth.signIn()).rejects.toMatchObject(cancelled);
    (await ceremonyAt(ceremonies, 1)).fail('NotAllowedError');
    await Promise.all([offered, refused]);
    const again = auth.signInWithAutofill();
    (await ceremonyAt(ceremonies, 2)).succeed();
    expect(await again).toEqual(signedIn);
  });

  test('stays where no dialog came of the click, is renewed, and can still be ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { ceremonies, auth } = atTheBrowser({
      [loginStart]: [started, problem(429, 'rate_limited'), started],
    });
    const controller = new AbortController();
    const offered = expect(auth.signInWithAutofill({ signal: controller.signal })).rejects.toMatchObject(
      cancelled,
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

  test('is ended by its signal also before it has taken its place in the browser', async () => {
    const controller = new AbortController();
    let asked = 0;
    // The second question is the library's, just before it begins.
    const isConditionalMediationAvailable = async () => {
      asked += 1;
      if (asked === 2) queueMicrotask(() => controller.abort());
      return true;
    };
    const { ceremonies, auth } = atTheBrowser({}, { isConditionalMediationAvailable });
    await expect(auth.signInWithAutofill({ signal: controller.signal })).rejects.toMatchObject(cancelled);
    expect(ceremonies.map(({ options }) => options.signal?.aborted)).toEqual([true]);
  });

  test('gives way to a later one, though its own options come last', async () => {
    const { ceremonies, auth, service } = atTheBrowser();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = createAuthClient({
      fetch: async (...request) => held.then(() => service.fetch(...request)),
    });
    const late = expect(slow.signInWithAutofill()).rejects.toMatchObject(cancelled);
    const offered = auth.signInWithAutofill();
    const offer = await ceremonyAt(ceremonies, 0);
    release();
    await late;
    offer.succeed();
    expect(await offered).toEqual(signedIn);
  });

  test.each([
    ['a dialog', undefined, (auth: AuthClient) => auth.signIn()],
    ['what is made by itself', 'conditional', (auth: AuthClient) => auth.passkeys.upgrade()],
  ])('that has not taken its place yet does not end %s', async (_, mediation, begin) => {
    const answers: ((available: boolean) => void)[] = [];
    const { ceremonies, auth, service } = atTheBrowser(
      {},
      {
        isConditionalMediationAvailable: () => new Promise((resolve) => answers.push(resolve)),
        getClientCapabilities: async () => ({ conditionalCreate: true }),
      },
    );
    const offered = expect(auth.signInWithAutofill()).rejects.toMatchObject(cancelled);
    answers[0]?.(true);
    // The library's own question, and the one that tells when it has been answered.
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    const before = service.seen.length;
    const begun = begin(auth);
    await vi.waitFor(() => expect(service.seen.length).toBeGreaterThan(before));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const answer of answers.slice(1)) answer(true);
    const ceremony = await ceremonyAt(ceremonies, 1);
    await offered;
    expect(ceremony.options.mediation).toBe(mediation);
    expect(ceremony.options.signal?.aborted).toBe(false);
    ceremony.succeed();
    expect(await begun).toBeTruthy();
  });
});
