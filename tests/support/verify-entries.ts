import type postgres from 'postgres';
import { type CommittedRow, commitmentOf } from '../../src/audit/log/entry.ts';

/** Reads the events of the log, with all columns that their commitments cover. */
export const committedRows = (sql: postgres.Sql) => sql<(CommittedRow & { commitment: Buffer })[]>`
  select audit_events.id, (extract(epoch from audit_events.at) * 1000000)::bigint::text as at_micros, audit_events.event,
    audit_events.outcome, audit_events.actor_type, audit_events.actor_id, audit_events.actor_name,
    audit_events.target_type, audit_events.target_id, audit_events.target_name, audit_events.organization_id,
    audit_events.ip, audit_events.user_agent, audit_events.request_id, audit_events.impersonator_type,
    audit_events.impersonator_id, audit_events.impersonator_name, audit_events.details::text as details,
    audit_events.count, audit_events.salt, audit_events.kept, audit_entries.commitment
  from latchkey.audit_entries join latchkey.audit_events on audit_events.id = audit_entries.event_id
  order by audit_entries.position`;

/** Returns whether the commitment in the log matches the event. */
export const matches = ({ commitment, ...row }: CommittedRow & { commitment: Buffer }): boolean =>
  commitmentOf(row).equals(commitment);
