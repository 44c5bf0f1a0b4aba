import { ConfigurationError, type CookieOptions, readConfiguration } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { logIn, newAuthenticator, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const pages = 'https://app.example.com';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ rpId: 'example.com', origins: pages });
});
afterAll(() => service.close());

/** Signs up with these cookie options. Returns the `Set-Cookie` lines without their values. */
async function linesWith(cookies: CookieOptions, headers: Record<string, string> = {}) {
  const instance = await startSecondInstance(service, { rpId: 'example.com', origins: pages, cookies });
  try {
    const browser = withHeaders(createAgent(instance.url, pages), headers);
    const start = await browser.post('/auth/passkey/login/start', {});
    const { signedUp, authenticator } = await signUp(instance, {
      browser,
      authenticator: newAuthenticator({ origin: pages }),
    });
    expect((await logIn(browser, authenticator)).status).toBe(200);
    expect((await browser.get('/auth/session')).body.user.id).toBe(signedUp.body.user.id);
    const out = await browser.delete('/auth/session');
    const lines = [start, signedUp, out].flatMap((answer) => answer.headers.getSetCookie());
    return { lines: lines.map((line) => line.replace(/=[^;]*/, '')), name: nameOf(instance) };
  } finally {
    await instance.close();
  }
}

function nameOf({ auth }: ServiceOn): string {
  try {
    return auth.config.sessionCookieName;
  } catch (error) {
    return `${error}`;
  }
}

const withHeaders = (browser: TestAgent, headers: Record<string, string>): TestAgent => ({
  ...browser,
  get: (path) => browser.get(path, headers),
  post: (path, body) => browser.post(path, body, headers),
  delete: (path) => browser.delete(path, headers),
});

describe('the option `cookies`', () => {
  test('sets all cookies for a domain, with the prefix `__Secure-`', async () => {
    const { lines, name } = await linesWith({ domain: 'example.com' });
    const attributes = 'Path=/; Domain=example.com; HttpOnly; SameSite=Lax; Secure';
    expect(lines).toEqual([
      `__Secure-latchkey-binding; ${attributes}`,
      `__Secure-latchkey; ${attributes}; Max-Age=2592000`,
      `__Secure-latchkey; ${attributes}; Max-Age=0`,
    ]);
    expect(name).toBe('__Secure-latchkey');
  });

  test('names all cookies', async () => {
    const { lines, name } = await linesWith({ name: 'shop' });
    expect(lines.map((line) => line.split(';')[0])).toEqual([
      '__Host-shop-binding',
      '__Host-shop',
      '__Host-shop',
    ]);
    expect(name).toBe('__Host-shop');
  });

  test('sets cookies for pages of other sites', async () => {
    const { lines } = await linesWith({ sameSite: 'none', partitioned: true });
    const attributes = 'Path=/; HttpOnly; SameSite=None; Secure; Partitioned';
    expect(lines).toEqual([
      `__Host-latchkey-binding; ${attributes}`,
      `__Host-latchkey; ${attributes}; Max-Age=2592000`,
      `__Host-latchkey; ${attributes}; Max-Age=0`,
    ]);
  });

  test('sets strict cookies', async () => {
    const { lines } = await linesWith({ sameSite: 'strict' });
    expect(lines[1]).toBe('__Host-latchkey; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000');
  });

  test('can choose the name and the domain for each request', async () => {
    const options: CookieOptions = {
      name: ({ header }) => (header('X-Tenant') === 'b' ? 'b' : 'a'),
      domain: ({ header }) => (header('x-tenant') === 'b' ? 'app.example.com' : undefined),
    };
    const first = await linesWith(options);
    expect(first.lines.map((line) => line.split(';')[0])).toEqual([
      '__Host-a-binding',
      '__Host-a',
      '__Host-a',
    ]);
    const second = await linesWith(options, { 'X-Tenant': 'b' });
    expect(second.lines[1]).toBe(
      '__Secure-b; Path=/; Domain=app.example.com; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000',
    );
    expect(second.name).toBe(
      'TypeError: sessionCookieName: cookies.name or cookies.domain is a function, so the name differs between requests',
    );
  });

  test.each<[CookieOptions, message: string]>([
    [{ name: () => undefined as never }, 'cookies.name: expected a name'],
    [{ name: () => '__Host-x' }, "the function returned '__Host-x'"],
    [{ domain: () => 'evil.example' }, "the function returned 'evil.example'"],
    [{ domain: () => null as never }, 'the function returned null'],
    [{ domain: () => 'com' }, "the function returned 'com'"],
    [{ domain: () => '' }, "the function returned ''"],
  ])('answers 500 without a cookie if a function returns an invalid value: %o', async (cookies, message) => {
    const instance = await startSecondInstance(service, { rpId: 'example.com', origins: pages, cookies });
    const errors: Error[] = [];
    instance.app.on('error', (error) => errors.push(error));
    const answer = await createAgent(instance.url, pages).post('/auth/passkey/login/start', {});
    await instance.close();
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
    expect(`${errors[0]}`).toContain(message);
  });

  test.each<[CookieOptions, origins: string, setting: string, expected: RegExp]>([
    [{ samesite: 'none' } as CookieOptions, pages, 'cookies.samesite', /^sameSite$/],
    [{ name: '' }, pages, 'cookies.name', /1 to 64/],
    [{ name: 'a b' }, pages, 'cookies.name', /1 to 64/],
    [{ name: '__Host-a' }, pages, 'cookies.name', /does not start with __/],
    [{ name: 'a-device' }, pages, 'cookies.name', /does not end with/],
    [{ domain: 'example.net' }, pages, 'cookies.domain', /example\.com \(the RP id\)/],
    [{ domain: 'com' }, pages, 'cookies.domain', /example\.com \(the RP id\)/],
    [{ domain: '.example.com' }, pages, 'cookies.domain', /example\.com \(the RP id\)/],
    [{ domain: 'example.com; Path=/x' }, pages, 'cookies.domain', /example\.com \(the RP id\)/],
    [{ sameSite: 'None' as never }, pages, 'cookies.sameSite', /lax, strict, none/],
    [{ sameSite: 'none' }, 'http://localhost:3000', 'cookies.sameSite', /only with https/],
    [{ partitioned: true }, pages, 'cookies.partitioned', /sameSite: 'none'/],
    [{ sameSite: 'none', partitioned: 'yes' as never }, pages, 'cookies.partitioned', /true or false/],
  ])('is refused at the start if it is invalid: %o with %s', (cookies, origins, setting, expected) => {
    const rpId = origins === pages ? 'example.com' : 'localhost';
    const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
    const read = () => readConfiguration({ env: {}, database: {}, secret, rpId, origins, cookies });
    expect(read).toThrow(ConfigurationError);
    expect(faultsOf(read)).toEqual([
      { setting, given: expect.any(String), expected: expect.stringMatching(expected) },
    ]);
  });
});

function faultsOf(read: () => unknown) {
  try {
    read();
    return [];
  } catch (error) {
    return (error as ConfigurationError).faults;
  }
}
