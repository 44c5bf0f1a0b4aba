import type { CreateTampering } from 'latchkey/testing';
import { expect } from 'vitest';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { newAuthenticator } from '../../support/person.ts';
import { expectProblem } from '../../support/problem.ts';
import type { TestService } from '../../support/test-service.ts';
import { auditRowsOf } from './audit-log.ts';

export const addPath = '/auth/passkey/devices/add';

/** The flags that an authenticator sets if it did not ask the user. */
export const unattended = { up: false, uv: false };

/** Starts a conditional create: the browser creates the passkey without a prompt. */
export const startQuietly = (browser: TestAgent): Promise<Answer> =>
  browser.post(addPath, { conditional: true });

/**
 * Creates a passkey with a conditional create. `finish` sends the passkey, by default from the same browser.
 */
export async function prepareQuietly(
  browser: TestAgent,
  tamper: CreateTampering = {},
  { authenticator = newAuthenticator(), begin = startQuietly } = {},
) {
  const { options } = (await begin(browser)).body;
  const credential = await authenticator.create(options, { flags: unattended, ...tamper });
  return { authenticator, finish: (from = browser) => from.post(addPath, { credential }) };
}

export async function expectNotAdded(service: TestService, answer: Answer, reason: string): Promise<void> {
  expectProblem(answer, 'registration_failed');
  expect(await auditRowsOf(service, answer)).toMatchObject([
    { event: 'passkey.add', outcome: 'failure', details: { reason } },
  ]);
}
