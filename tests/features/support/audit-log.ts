import type { Answer } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { AuditRow, TestService } from '../../support/test-service.ts';

/** The audit rows of one request, with the columns that say who did what. */
export const auditRowsOf = (service: TestService, answer: Answer) =>
  service.database.sql`
    select event, outcome, actor_type, actor_name, target_type, target_id, target_name, details
    from latchkey.audit_events where request_id = ${answer.headers.get('x-request-id')}`;

/** The audit rows of one request, oldest first, with every column except those that only the tree of the log uses. */
export const wholeAuditRowsOf = async (service: TestService, answer: Answer): Promise<AuditRow[]> => {
  const rows = await service.database.sql<(AuditRow & Record<'xid' | 'salt' | 'kept', unknown>)[]>`
    select * from latchkey.audit_events
    where request_id = ${answer.headers.get('x-request-id')} order by at, id`;
  return rows.map(({ xid: _xid, salt: _salt, kept: _kept, ...row }) => row);
};

/** The audit rows of one event about an account, with every column, oldest first. */
export const auditRowsAbout = (service: TestService, person: Person, event: string) =>
  service.database.sql<AuditRow[]>`
    select * from latchkey.audit_events
    where event = ${event} and target_id = ${userIdOf(person)} order by at, id`;

/** The number of audit rows of one event about an account, by outcome. */
export async function countAuditRows(
  service: TestService,
  person: Person,
  event: string,
  outcome = 'success',
): Promise<number> {
  const rows = await auditRowsAbout(service, person, event);
  return rows.filter((row) => row.outcome === outcome).length;
}

/**
 * The row that `auditRowsOf` returns after a user tried to change their own account. If `reason` is given, the change
 * failed for this reason.
 */
export const ownAuditRow = (person: Person, event: string, reason?: string) => ({
  event,
  outcome: reason === undefined ? 'success' : 'failure',
  actor_type: 'user',
  actor_name: person.username,
  target_type: 'user',
  target_id: userIdOf(person),
  target_name: person.username,
  details: reason === undefined ? {} : { reason },
});

/** The columns of an event that was not written in an impersonated session. */
export const noImpersonator = { impersonator_type: null, impersonator_id: null, impersonator_name: null };

/** Like `ownAuditRow` for a success, with additional columns for tests that use `wholeAuditRowsOf`. */
export const ownWholeAuditRow = (person: Person, event: string) => ({
  ...ownAuditRow(person, event),
  actor_id: userIdOf(person),
  ip: '127.0.0.1',
  user_agent: 'node',
});
