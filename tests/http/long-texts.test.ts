import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpuMsOf } from '../support/cpu-time.ts';
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

/** Expects that the text takes little more CPU time than a harmless one of the same length. */
async function expectLinear(text: string, request: (text: string) => Promise<unknown>): Promise<void> {
  const harmlessMs = await cpuMsOf(() => request('x'.repeat(text.length)));
  expect(await cpuMsOf(() => request(text))).toBeLessThan(10 * (harmlessMs + 30));
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
    await expectLinear(text, (given) => browser.post(path, body(given)));
  });

  test.each<[field: string, path: string]>([
    ['a new password', '/auth/password/add'],
    ['a step-up password', '/auth/password/stepup'],
  ])('as %s', async (_field, path) => {
    const { browser } = await signUp(service);
    await expectLinear(text, (password) => browser.post(path, { password }));
  });

  test('as the label of a passkey', async () => {
    const { browser } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    const credential = await newAuthenticator().create(options);
    await expectLinear(text, (label) => browser.post('/auth/passkey/devices/add', { credential, label }));
  });

  test('as the username of an availability check', async () => {
    await expectLinear(text.slice(0, 2_500), (username) =>
      service.browser().get(`/auth/username/availability?${new URLSearchParams({ username })}`),
    );
  });
});
