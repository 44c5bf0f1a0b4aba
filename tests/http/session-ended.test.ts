import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { requireSession } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { signUp } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bearerTokens: true });
});
afterAll(() => service.close());

const signedOut = problemOf('not_authenticated');
const ended = { ...signedOut, reason: 'session_ended' };

/** The responses to requests that need a session. `x-request-id` and `date` differ in each response. */
async function answersTo(browser: TestAgent, headers: Record<string, string> = {}) {
  const answers = [
    await browser.get('/auth/session', headers),
    await browser.get('/auth/session?optional', headers),
    await browser.get('/auth/sessions', headers),
    await browser.patch('/auth/account', { displayName: 'Ada' }, headers),
  ];
  return answers.map(({ status, body, headers: all }) => {
    const { 'x-request-id': _, date: __, ...rest } = Object.fromEntries(all);
    return { status, body, rest };
  });
}
const bodies = async (browser: TestAgent, headers?: Record<string, string>) =>
  (await answersTo(browser, headers)).map(({ body }) => body);

/** A browser with this value in the session cookie. */
function withCookie(value: string): TestAgent {
  const browser = service.browser();
  browser.cookies.set('latchkey', value);
  return browser;
}

test('a request without a session token gets no reason', async () => {
  expect(await bodies(service.browser())).toEqual([signedOut, { user: null }, signedOut, signedOut]);
  expect(await bodies(withCookie(''))).toEqual([signedOut, { user: null }, signedOut, signedOut]);
});

test('a request with the cookie of an ended session gets the reason `session_ended`', async () => {
  const { browser } = await signUp(service);
  const before = browser.copy();
  await browser.delete('/auth/session');
  expect(await bodies(before)).toEqual([ended, { user: null, reason: 'session_ended' }, ended, ended]);
  // Signing out deletes the cookie, so the browser gets no reason.
  expect(await bodies(browser)).toEqual([signedOut, { user: null }, signedOut, signedOut]);
});

test('an expired, an ended and an invented token get the same responses, so the reason reveals nothing', async () => {
  const [one, other] = [await signUp(service), await signUp(service)];
  const browser = one.browser.copy();
  await one.browser.delete('/auth/session');
  await service.database.sql`
    update latchkey.sessions set expires_at = latchkey.clock() - '1 second'::interval
    where user_id = ${other.signedUp.body.user.id}`;
  const usual = await answersTo(browser);
  expect(await answersTo(other.browser)).toEqual(usual);
  expect(await answersTo(withCookie('A'.repeat(43)))).toEqual(usual);
  expect(await answersTo(withCookie('x'))).toEqual(usual);
});

test('a session of a disabled account gets the reason `session_ended`', async () => {
  const { browser, username } = await signUp(service);
  await service.auth.asOperator('ops').users.disable(username);
  expect(await bodies(browser)).toEqual([ended, { user: null, reason: 'session_ended' }, ended, ended]);
});

test('an unknown bearer token gets the reason `session_ended`, and a malformed one gets no reason', async () => {
  const headers = { Authorization: `Bearer ${'A'.repeat(43)}` };
  expect((await service.browser().get('/auth/sessions', headers)).body).toEqual(ended);
  expect((await service.browser().get('/auth/sessions', { Authorization: 'Bearer x' })).body).toEqual(
    signedOut,
  );
});

test('the guards and `requireAccess` throw the same reason', async () => {
  const headers = { cookie: `latchkey=${'A'.repeat(43)}` };
  const reasonOf = (given: object) =>
    service.auth
      .requireAccess(new Headers({ ...given, origin }), { method: 'GET' })
      .catch((error) => error.reason);
  expect(await reasonOf(headers)).toBe('session_ended');
  expect(await reasonOf({})).toBeUndefined();
  const guard = requireSession(service.auth);
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/', headers });
  const ctx = service.app.createContext(request, new ServerResponse(request));
  const guarded = async () => guard(ctx as never, async () => {});
  await expect(guarded()).rejects.toMatchObject({ code: 'not_authenticated', reason: 'session_ended' });
});

test('the client says whether the session has ended', async () => {
  const { browser } = await signUp(service);
  const before = browser.copy();
  const clientOf = (agent: TestAgent) =>
    createAuthClient({
      baseUrl: `${service.url}/auth`,
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          headers: {
            ...(init?.headers as object),
            origin,
            cookie: [...agent.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          },
        }),
    });
  expect(await clientOf(browser).sessionHasEnded()).toBe(false);
  await browser.delete('/auth/session');
  expect(await clientOf(before).sessionHasEnded()).toBe(true);
  expect(await clientOf(browser).sessionHasEnded()).toBe(false);
});
