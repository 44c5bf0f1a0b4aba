import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpuMsOf } from '../support/cpu-time.ts';
import { newAuthenticator, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let byEmail: ServiceOn;
let byPattern: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, usernames: { change: 'user' } });
  byEmail = await startSecondInstance(service, { usernames: 'email' });
  byPattern = await startSecondInstance(service, { usernames: { pattern: /^[a-z]+(?:[ -][a-z]+)*$/ } });
});
afterAll(async () => {
  await byPattern.close();
  await byEmail.close();
  await service.close();
});

// A naive normalization or regular expression takes quadratic time for these texts: more than a second instead of
// a few milliseconds.
const hostile: [what: string, text: string][] = [
  ['marks in the wrong order', `a${'\u0301'.repeat(14_000)}${'\u0323'.repeat(14_000)}`],
  ['spaces between letters', `x${' '.repeat(60_000)}x`],
  ['dashes between letters', `x${'-'.repeat(60_000)}x`],
];

/** Expects at most ten times the CPU time of a harmless text of the same length, plus 300 ms. */
async function expectLinear(text: string, request: (text: string) => Promise<unknown>): Promise<void> {
  const harmlessMs = await cpuMsOf(() => request('x'.repeat(text.length)));
  expect(await cpuMsOf(() => request(text))).toBeLessThan(10 * (harmlessMs + 30));
}

test('a query with the same parameter 7,500 times does not block the event loop', async () => {
  const query = 'a&'.repeat(7_500);
  // With `ctx.query`, a single request would take hardly longer than the bound.
  const request = async (given: string) => {
    for (let round = 0; round < 5; round += 1)
      await service.browser().get(`/auth/username/availability?${given}`);
  };
  // The first request compiles the code.
  await request('x'.repeat(query.length));
  await expectLinear(query, request);
});

describe.each(hostile)('%s do not block the event loop', (_, text) => {
  test.each<[field: string, path: string, body: (text: string) => object]>([
    ['the username of a sign-up', '/auth/passkey/register/start', (username) => ({ username })],
    [
      'the display name of a sign-up',
      '/auth/passkey/register/start',
      (displayName) => ({ username: 'skelly', displayName }),
    ],
    ['the username of a sign-in', '/auth/passkey/login/start', (username) => ({ username })],
    [
      'the username of a password sign-in',
      '/auth/password/login',
      (username) => ({ username, password: 'x' }),
    ],
    ['a password', '/auth/password/login', (password) => ({ username: 'skelly', password })],
    ['the username of a recovery', '/auth/recovery/codes/use', (username) => ({ username, code: 'x' })],
    ['a recovery code', '/auth/recovery/codes/use', (code) => ({ username: 'skelly', code })],
    ['the token of a recovery link', '/auth/recovery/assisted/use', (token) => ({ token })],
  ])('as %s', async (_field, path, body) => {
    const browser = service.browser();
    await expectLinear(text, (given) => browser.post(path, body(given)));
  });

  test.each<[field: string, path: string]>([
    ['a new password', '/auth/password/add'],
    ['the password of a step-up', '/auth/password/stepup'],
  ])('as %s', async (_field, path) => {
    const { browser } = await signUp(service);
    await expectLinear(text, (password) => browser.post(path, { password }));
  });

  test.each<[field: string, method: 'patch' | 'put', path: string, name: string]>([
    ['a new display name', 'patch', '/auth/account', 'displayName'],
    ['a new username', 'put', '/auth/account/username', 'username'],
  ])('as %s', async (_field, method, path, name) => {
    const { browser } = await signUp(service);
    await expectLinear(text, (given) => browser[method](path, { [name]: given }));
  });

  test.each([
    ['email addresses', () => byEmail],
    ['a custom pattern', () => byPattern],
  ])('as the username if usernames follow the rule for %s', async (_rule, instance) => {
    const browser = instance().browser();
    for (const path of ['register', 'login'])
      await expectLinear(text, (username) => browser.post(`/auth/passkey/${path}/start`, { username }));
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
