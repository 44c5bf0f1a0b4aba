import { expect } from 'vitest';
import type { Answer } from '../../support/agent.ts';
import { expectProblem, problemOf } from '../../support/problem.ts';
import type { TestService } from '../../support/test-service.ts';
import { auditRowsOf } from './audit-log.ts';

/**
 * Expects the response to a rejected sign-in, without a reason. Returns the reason from the audit log.
 *
 * @param shown the reason, if the response contains it
 */
export async function reasonOfRefusal(
  service: TestService,
  answer: Answer,
  shown?: 'unknown_credential',
): Promise<unknown> {
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({
    ...problemOf('authentication_failed'),
    ...(shown && { reason: shown }),
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const rows = await auditRowsOf(service, answer);
  expect(rows).toMatchObject([{ outcome: 'failure' }]);
  return rows[0]?.details.reason;
}

/** Like `reasonOfRefusal`, for a disabled account and a valid proof. Expects the code `account_disabled`. */
export async function expectDisabled(service: TestService, answer: Answer): Promise<void> {
  expectProblem(answer, 'account_disabled');
  expect(answer.headers.getSetCookie()).toEqual([]);
  const rows = await auditRowsOf(service, answer);
  expect(rows).toMatchObject([{ outcome: 'failure', details: { reason: 'user_disabled' } }]);
}

/** A response without the headers that differ in each response: the date and the request id. */
export function shapeOf({ status, headers, body }: Answer) {
  const { date, 'x-request-id': _, ...rest } = Object.fromEntries(headers);
  expect(date).toBeDefined();
  return { status, headers: rest, body };
}
