import type { CommittedColumns } from '../store/sequence.ts';
import type { CommittedRow } from './entry.ts';

/** Returns the event as the commitment covers it. */
export const committedRow = (row: CommittedColumns): CommittedRow => ({
  id: row.id,
  at_micros: row.at_micros,
  event: row.event,
  outcome: row.outcome,
  actor_type: row.actor_type,
  actor_id: row.actor_id,
  actor_name: row.actor_name,
  target_type: row.target_type,
  target_id: row.target_id,
  target_name: row.target_name,
  organization_id: row.organization_id,
  ip: row.ip,
  user_agent: row.user_agent,
  request_id: row.request_id,
  impersonator_type: row.impersonator_type,
  impersonator_id: row.impersonator_id,
  impersonator_name: row.impersonator_name,
  details: row.details_text,
  count: row.count,
  salt: row.salt_hex === null ? null : Buffer.from(row.salt_hex, 'hex'),
  kept: row.kept_hex === null ? null : Buffer.from(row.kept_hex, 'hex'),
});
