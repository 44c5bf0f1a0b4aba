import { createSoftwareAuthenticator, type SoftwareAuthenticator } from 'latchkey/testing';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { origin } from './service.ts';
import type { StepRecord } from './step-record.ts';

export const newAuthenticator = (): SoftwareAuthenticator => createSoftwareAuthenticator({ origin });

/** A request without a response has the status 0. */
const noAnswer: Answer = { status: 0, headers: new Headers(), body: null };

/** Sends a request, and counts it. Returns null if the status is not the expected status. */
export async function ask(
  current: () => StepRecord,
  expected: readonly number[],
  send: () => Promise<Answer>,
): Promise<Answer | null> {
  const began = performance.now();
  const answer = await send().catch(() => noAnswer);
  const isExpected = expected.includes(answer.status);
  // A request that was running when a fault began belongs to the fault.
  current().countRequest(answer.status, isExpected, performance.now() - began);
  return isExpected ? answer : null;
}

/** A session whose start the service has acknowledged. */
export interface Opened {
  userId: string;
  sessionId: string;
}

const openedFrom = ({ body }: Answer): Opened => ({ userId: body.user.id, sessionId: body.session.id });

export async function signUp(
  current: () => StepRecord,
  browser: TestAgent,
  authenticator: SoftwareAuthenticator,
  username: string,
): Promise<Opened | null> {
  const started = await ask(current, [200], () => browser.post('/auth/passkey/register/start', { username }));
  if (!started) return null;
  const credential = await authenticator.create(started.body.options);
  const done = await ask(current, [201], () => browser.post('/auth/passkey/register/verify', { credential }));
  return done && openedFrom(done);
}

export async function logIn(
  current: () => StepRecord,
  browser: TestAgent,
  authenticator: SoftwareAuthenticator,
): Promise<Opened | null> {
  const started = await ask(current, [200], () => browser.post('/auth/passkey/login/start', {}));
  if (!started) return null;
  const credential = await authenticator.get(started.body.options);
  const done = await ask(current, [200], () => browser.post('/auth/passkey/login/verify', { credential }));
  return done && openedFrom(done);
}
