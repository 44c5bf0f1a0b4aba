import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUpWithCodes, useCode } from '../features/support/recovery.ts';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { randomBytesOf } from '../support/random.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

const randomBytes = randomBytesOf('http/cookies');

const https = 'https://example.com';
const token = /^[\w-]{43}$/;

let local: TestService;
let secure: TestService;
beforeAll(async () => {
  local = await startTestService();
  secure = await startTestService({
    origins: https,
    rpId: 'example.com',
    secret: randomBytes(32).toString('base64'),
    sessionTtlSeconds: 3600,
  });
});
afterAll(() => Promise.all([local.close(), secure.close()]));

interface SetCookie {
  name: string;
  value: string;
  attributes: string[];
}

const cookiesOf = ({ headers }: Answer): SetCookie[] =>
  headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return { name, value, attributes: attributes.sort() };
  });

describe.each([
  [https, '__Host-latchkey', 3600, ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']],
  [origin, 'latchkey', 2_592_000, ['HttpOnly', 'Path=/', 'SameSite=Lax']],
])('with the origin %s', (pages, name, ttl, attributes) => {
  const service = () => (pages === https ? secure : local);
  const browserOf = (): TestAgent => createAgent(service().url, pages);
  const authenticatorOf = () => newAuthenticator({ origin: pages });
  const enter = () => signUp(service(), { browser: browserOf(), authenticator: authenticatorOf() });
  const session = {
    name,
    value: expect.stringMatching(token),
    attributes: ['HttpOnly', `Max-Age=${ttl}`, ...attributes.slice(1)],
  };
  const binding = { name: `${name}-binding`, value: expect.stringMatching(/^[\w-]{22}$/), attributes };

  test('without rate limits, a sign-up, a step-up and a passkey sign-in set the session cookie and no other cookie', async () => {
    const { browser, authenticator, signedUp } = await enter();
    expect(cookiesOf(signedUp)).toEqual([session]);
    expect(cookiesOf(await stepUp(browser, authenticator))).toEqual([session]);
    expect(cookiesOf(await logIn(browser, authenticator))).toEqual([session]);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('signing out clears the session cookie with the same attributes', async () => {
    const { browser } = await enter();
    const cleared = { ...session, value: '', attributes: ['HttpOnly', 'Max-Age=0', ...attributes.slice(1)] };
    expect(cookiesOf(await browser.delete('/auth/session'))).toEqual([cleared]);
  });

  test('requests that do not change the session set no cookie', async () => {
    const { browser, signedUp } = await enter();
    const answers = [
      await browser.get('/auth/session'),
      await browser.get('/auth/passkey/devices'),
      await addPasskey(browser, authenticatorOf()),
      await browser.patch(`/auth/passkey/devices/${signedUp.body.passkey.id}`, { label: 'x' }),
      await browser.delete('/auth/sessions'),
      await browser.post('/auth/passkey/login/verify', { credential: {} }),
      await browser.get('/auth/nothing'),
    ];
    expect(answers.flatMap(cookiesOf)).toEqual([]);
  });

  test.each(['register/start', 'login/start'])(
    '/auth/passkey/%s sets a binding cookie only if the browser has none',
    async (start) => {
      const browser = browserOf();
      const body = start === 'register/start' ? { username: 'new-user' } : {};
      expect(cookiesOf(await browser.post(`/auth/passkey/${start}`, body))).toEqual([binding]);
      const bound = browser.cookies.get(binding.name);
      expect(cookiesOf(await browser.post(`/auth/passkey/${start}`, body))).toEqual([]);
      await signUp(service(), { browser, authenticator: authenticatorOf() });
      expect(browser.cookies.get(binding.name)).toBe(bound);
    },
  );

  test('a malformed binding cookie is replaced', async () => {
    const browser = browserOf();
    browser.cookies.set(binding.name, 'A'.repeat(80));
    expect(cookiesOf(await browser.post('/auth/passkey/login/start', {}))).toEqual([binding]);
    expect(browser.cookies.get(binding.name)).not.toBe('A'.repeat(80));
  });

  test('a session token is ignored in other cookies, in headers, in the query and in the body', async () => {
    const { browser } = await enter();
    const value = `${browser.cookies.get(name)}`;
    const stranger = browserOf();
    for (const other of ['__Host-latchkey', 'latchkey', '__Secure-latchkey', 'session', name.toUpperCase()]) {
      if (other === name) continue;
      stranger.cookies.set(other, value);
    }
    const headers = { Authorization: `Bearer ${value}`, 'X-Session-Token': value };
    expectProblem(
      await stranger.get(`/auth/session?token=${value}&latchkey=${value}`, headers),
      'not_authenticated',
    );
    stranger.cookies.set(name, value);
    expect((await stranger.get('/auth/session')).status).toBe(200);
  });
});

test('the cookie of a recovery session expires after an hour, as the session does', async () => {
  const { person, codes } = await signUpWithCodes(local);
  const [cookie] = cookiesOf(await useCode(local.browser(), person, codes[0]));
  expect(cookie).toMatchObject({ name: 'latchkey', attributes: expect.arrayContaining(['Max-Age=3600']) });
});

test('the session cookie is not signed, even if the app has signing keys', async () => {
  local.app.keys = ['any'];
  const { browser, signedUp } = await signUp(local);
  expect(cookiesOf(signedUp).map(({ name }) => name)).toEqual(['latchkey']);
  expect((await browser.get('/auth/session')).status).toBe(200);
});
