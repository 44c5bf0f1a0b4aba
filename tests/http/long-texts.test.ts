import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthenticator, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

// Texts for which a naive normalization or regular expression takes quadratic time: more than a second at these
// lengths instead of a few milliseconds.
const hostile: [what: string, text: string][] = [
  ['marks in the wrong order', `a${'\u0301'.repeat(14_000)}${'\u0323'.repeat(14_000)}`],
  ['spaces between letters', `x${' '.repeat(60_000)}x`],
  ['dashes between letters', `x${'-'.repeat(60_000)}x`],
];
const maxBlockedMs = 300;

/** How long the event loop was blocked. Takes the minimum of three tries, because the machine may be busy. */
async function blockedMs(request: () => Promise<unknown>): Promise<number> {
  const tries: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await request();
    delay.disable();
    tries.push(delay.max / 1e6);
    if (delay.max / 1e6 < maxBlockedMs) break;
  }
  return Math.min(...tries);
}

describe.each(hostile)('%s do not block the event loop', (_, text) => {
  test.each<[field: string, path: string, body: (text: string) => object]>([
    ['the username of a signup', '/auth/passkey/register/start', (username) => ({ username })],
    [
      'the display name of a signup',
      '/auth/passkey/register/start',
      (displayName) => ({ username: 'skelly', displayName }),
    ],
    ['the username of a login', '/auth/passkey/login/start', (username) => ({ username })],
    ['the username with a password', '/auth/password/login', (username) => ({ username, password: 'x' })],
    ['a password', '/auth/password/login', (password) => ({ username: 'skelly', password })],
    [
      'the username with a recovery code',
      '/auth/recovery/codes/use',
      (username) => ({ username, code: 'x' }),
    ],
    ['a recovery code', '/auth/recovery/codes/use', (code) => ({ username: 'skelly', code })],
    ['the token of a recovery link', '/auth/recovery/assisted/use', (token) => ({ token })],
  ])('as %s', async (_field, path, body) => {
    const browser = service.browser();
    expect(await blockedMs(() => browser.post(path, body(text)))).toBeLessThan(maxBlockedMs);
  });

  test.each<[field: string, path: string]>([
    ['a new password', '/auth/password/add'],
    ['a step-up password', '/auth/password/stepup'],
  ])('as %s', async (_field, path) => {
    const { browser } = await signUp(service);
    expect(await blockedMs(() => browser.post(path, { password: text }))).toBeLessThan(maxBlockedMs);
  });

  test('as the label of a passkey', async () => {
    const { browser } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    const credential = await newAuthenticator().create(options);
    const request = () => browser.post('/auth/passkey/devices/add', { credential, label: text });
    expect(await blockedMs(request)).toBeLessThan(maxBlockedMs);
  });

  test('as the username of an availability check', async () => {
    const query = new URLSearchParams({ username: text.slice(0, 2_500) });
    const request = () => service.browser().get(`/auth/username/availability?${query}`);
    expect(await blockedMs(request)).toBeLessThan(maxBlockedMs);
  });
});
