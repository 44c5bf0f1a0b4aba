import { v7 as uuid } from 'uuid';
import type { Operator } from '../../core/actor.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { AuditEntry, AuditEventName } from '../event-names.ts';

/** A user that an operator has changed. */
export interface ChangedUser {
  id: string;
  username: string;
  details: NonNullable<AuditEntry['details']>;
}

/** Inserts one event for each user. The statement must change all these users, or fail. */
export function recordEach(operator: Operator, event: AuditEventName, users: readonly ChangedUser[]): Sql {
  const entries = users.map(({ id, username, details }) => ({
    id: uuid(),
    target_id: id,
    target_name: username,
    details,
  }));
  const insert = sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_name, target_type, target_id, target_name, details)
    select given.id, latchkey.clock(), ${event}::text, 'success', 'operator', ${operator.operator}::text, 'user',
      given.target_id, given.target_name, given.details
    from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as given (
      id uuid, target_id text, target_name text, details jsonb)
    returning id`;
  return insert.withAuditEvents(entries.map(({ id }) => ({ id, event })));
}
