import {
  type AuditEventRow,
  type AuditFilter,
  type AuditStretch,
  recordEvent,
  selectEvents,
  selectEventsWithin,
} from '../audit/store.ts';
import type { Operator, SignedInActor } from '../core/actor.ts';
import { isUuid } from '../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, pageOf } from '../core/page.ts';
import type { Runtime } from '../core/runtime.ts';
import { from, sql } from '../db/database.ts';
import { rfc3339 } from '../db/timestamp.ts';
import { selectManagedBy, selectPeopleObservedBy } from '../organizations/store.ts';
import { type Reach, refuseUnentitled } from '../roles/operations.ts';
import { selectEntitled } from '../sessions/store.ts';
import type { AuditEvent } from './activity.ts';

/**
 * One page of the audit log, the newest first.
 *
 * @throws AuthError `invalid_request` for a cursor that is not ours
 */
export async function listEvents(
  runtime: Runtime,
  reach: Reach,
  { limit, cursor, ...filter }: AuditFilter & PageRequest,
): Promise<Page<AuditEvent>> {
  const page = { limit, cursor };
  const after = keyOfCursor(page, isUuid);
  const stretch = { order: 'newest_first', after, limit: limit + 1 } as const;
  const rows = await runtime.db.query<AuditEventRow>(eventsWithin(reach, filter, stretch));
  return pageOf(rows, page, eventFromRow, ({ id }) => id);
}

const batch = 1000;

/**
 * The audit log up to now, the oldest first, in batches. That it is taken out is an event itself, and the last that
 * the log holds by then.
 *
 * @throws AuthError `not_authenticated` | `forbidden` where the actor has just lost session or role
 */
export async function exportEvents(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  reach: Reach,
  filter: AuditFilter,
): Promise<AsyncIterable<AuditEvent[]>> {
  const event = 'audit.export';
  const [entry] = await runtime.db.query<{ id: string }>(sql`
    with entitled as (${selectEntitled(actor)}),
      entry as (${recordEvent(actor, { event, outcome: 'success' }, from('entitled'))})
    select id from entry`);
  if (!entry) return refuseUnentitled(runtime, actor, { event });
  return batchesUpTo(runtime, reach, filter, entry.id);
}

async function* batchesUpTo(
  runtime: Runtime,
  reach: Reach,
  filter: AuditFilter,
  upTo: string,
): AsyncGenerator<AuditEvent[]> {
  let after: string | undefined;
  while (true) {
    const stretch: AuditStretch = { order: 'oldest_first', after, upTo, limit: batch };
    const rows = await runtime.db.query<AuditEventRow>(eventsWithin(reach, filter, stretch));
    if (rows.length > 0) yield rows.map(eventFromRow);
    if (rows.length < batch) return;
    after = rows.at(-1)?.id;
  }
}

const eventsWithin = (reach: Reach, filter: AuditFilter, stretch: AuditStretch) =>
  reach === 'any'
    ? selectEvents(filter, stretch)
    : selectEventsWithin(
        {
          organizationIds: selectManagedBy(reach.managedBy),
          personIds: selectPeopleObservedBy(reach.managedBy),
        },
        filter,
        stretch,
      );

const eventFromRow = (row: AuditEventRow): AuditEvent => ({
  id: row.id,
  at: rfc3339(row.at),
  event: row.event,
  outcome: row.outcome,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  target:
    row.target_type === null ? null : { type: row.target_type, id: row.target_id, name: row.target_name },
  organizationId: row.organization_id,
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
  details: row.details,
});
