import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthenticator, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

// What makes a careless text function work with the square of the length: marks to be put in order, spaces to be
// looked behind. At these lengths that would be a second and more; handled well it is a few milliseconds.
const hostile: [what: string, text: string][] = [
  ['marks in the wrong order', `a${'\u0301'.repeat(14_000)}${'\u0323'.repeat(14_000)}`],
  ['spaces between letters', `x${' '.repeat(60_000)}x`],
  ['dashes between letters', `x${'-'.repeat(60_000)}x`],
];
const tooLong = 300;

/** How long the process did nothing else, in milliseconds: the least of three tries, since it shares the machine. */
async function held(request: () => Promise<unknown>): Promise<number> {
  const tries: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await request();
    delay.disable();
    tries.push(delay.max / 1e6);
    if (delay.max / 1e6 < tooLong) break;
  }
  return Math.min(...tries);
}

describe.each(hostile)('%s hold nobody up', (_, text) => {
  test.each<[field: string, path: string, body: (text: string) => object]>([
    ['the username of a signup', '/auth/passkey/register/start', (username) => ({ username })],
    [
      'the display name of a signup',
      '/auth/passkey/register/start',
      (displayName) => ({ username: 'skelly', displayName }),
    ],
    ['the username of a login', '/auth/passkey/login/start', (username) => ({ username })],
    ['the username beside a password', '/auth/password/login', (username) => ({ username, password: 'x' })],
    ['a password', '/auth/password/login', (password) => ({ username: 'skelly', password })],
    [
      'the username beside a recovery code',
      '/auth/recovery/codes/use',
      (username) => ({ username, code: 'x' }),
    ],
    ['a recovery code', '/auth/recovery/codes/use', (code) => ({ username: 'skelly', code })],
    ['the token of a recovery link', '/auth/recovery/assisted/use', (token) => ({ token })],
  ])('as %s', async (_field, path, body) => {
    const browser = service.browser();
    expect(await held(() => browser.post(path, body(text)))).toBeLessThan(tooLong);
  });

  test.each<[field: string, path: string]>([
    ['a new password', '/auth/password/add'],
    ['a password that confirms presence', '/auth/password/stepup'],
  ])('as %s', async (_field, path) => {
    const { browser } = await signUp(service);
    expect(await held(() => browser.post(path, { password: text }))).toBeLessThan(tooLong);
  });

  test('as the label of a passkey', async () => {
    const { browser } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    const credential = await newAuthenticator().create(options);
    const request = () => browser.post('/auth/passkey/devices/add', { credential, label: text });
    expect(await held(request)).toBeLessThan(tooLong);
  });

  test('as a username whose availability is asked for', async () => {
    const query = new URLSearchParams({ username: text.slice(0, 2_500) });
    const request = () => service.browser().get(`/auth/username/availability?${query}`);
    expect(await held(request)).toBeLessThan(tooLong);
  });
});
