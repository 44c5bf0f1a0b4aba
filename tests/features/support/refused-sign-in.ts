import { expect } from 'vitest';
import type { Answer } from '../../support/agent.ts';
import type { TestService } from '../../support/test-service.ts';

/** What the audit log says of one request. */
export const auditRowsOf = (service: TestService, answer: Answer) =>
  service.database.sql`
    select event, outcome, actor_type, actor_name, target_type, target_id, target_name, details
    from latchkey.audit_events where request_id = ${answer.headers.get('x-request-id')}`;

/** Expects a refusal that says nothing, and gives the reason that the audit log keeps. */
export async function reasonOfRefusal(service: TestService, answer: Answer): Promise<unknown> {
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({
    type: 'urn:latchkey:error:authentication_failed',
    title: 'Signing in did not work.',
    status: 401,
    code: 'authentication_failed',
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const rows = await auditRowsOf(service, answer);
  expect(rows).toMatchObject([{ outcome: 'failure' }]);
  return rows[0]?.details.reason;
}
