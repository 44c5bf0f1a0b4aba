import { expect } from 'vitest';
import type { Answer, TestAgent } from '../../support/agent.ts';

export const tokenOf = (browser: TestAgent): string => browser.cookies.get('latchkey') ?? '';

export const currentSession = async (browser: TestAgent) => (await browser.get('/auth/session')).body.session;

export const currentUser = async (browser: TestAgent) => (await browser.get('/auth/session')).body.user;

export async function isSignedIn(browser: TestAgent): Promise<boolean> {
  const { status } = await browser.get('/auth/session');
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** Whether the session's authentication is fresh: at most ten minutes old. */
export const isFresh = async (browser: TestAgent) =>
  (await browser.post('/auth/passkey/devices/add', {})).status === 200;

/**
 * Expects a new 256-bit token in the session cookie, and no other cookie. Returns the token.
 *
 * @param maxAge the Max-Age of the cookie in seconds, or a regular expression for it
 */
export function expectSessionCookie(browser: TestAgent, answer: Answer, maxAge = '2592000'): string {
  const token = tokenOf(browser);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const pattern = new RegExp(`^latchkey=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}$`);
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(pattern)]);
  return token;
}
