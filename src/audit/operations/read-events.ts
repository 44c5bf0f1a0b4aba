import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { invalidCursor, keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/sql.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type AuditEvent, eventFromRow } from '../event.ts';
import {
  type AuditEventRow,
  type AuditFilter,
  type AuditRange,
  type AuditScope,
  selectEventId,
  selectEvents,
  selectEventsWithin,
} from '../store/events.ts';
import { recordEvent } from '../store.ts';
import { refuseUnentitled } from './refuse-unentitled.ts';

/** Proof that an actor can read the audit log. */
export interface AuditReader extends Entitled<'audit:read'> {
  /** Null: the actor can read the whole log. */
  readonly scope: AuditScope | null;
}

/**
 * Returns one page of the audit log, newest first.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listEvents(
  runtime: Runtime,
  { scope }: AuditReader,
  { limit, cursor, ...filter }: AuditFilter & PageRequest,
): Promise<Page<'events', AuditEvent>> {
  const page = { limit, cursor };
  const after = keyOfCursor(page, isUuid);
  const range = { order: 'newest_first', after, limit: limit + 1 } as const;
  const rows = await runtime.db.query<AuditEventRow>(eventsWithin(scope, filter, range));
  // Without this check, an unknown id in the cursor would return an empty page, which looks like the end of the log.
  if (rows.length === 0 && after !== undefined && (await runtime.db.query(selectEventId(after))).length === 0)
    throw invalidCursor();
  return toPage('events', rows, page, eventFromRow, ({ id }) => id);
}

const event = 'audit.export';
const batchSize = 1000;

/**
 * Exports the events that match the filter and that the actor can read, in batches. The oldest event comes first. The
 * export stops at its own `audit.export` event. If the export contains this event, it is the last event.
 *
 * Each batch reads the memberships of the users again, so that a change applies from the next batch on. The export
 * fails if the actor's session ends, or if the actor's role or managed organizations change.
 *
 * @throws AuthError `not_authenticated` | `forbidden` from any batch
 */
export async function exportEvents(
  runtime: Runtime,
  by: AuditReader,
  filter: AuditFilter,
): Promise<AsyncIterable<AuditEvent[]>> {
  const { actor, scope, stillEntitled } = by;
  const managed = await readManaged(runtime, scope);
  const [entry] = await runtime.db.query<{ id: string }>(sql`
    with entitled as (${stillEntitled}),
      entry as (${recordEvent(actor, { event, outcome: 'success' }, from('entitled'))})
    select id from entry`);
  if (!entry) return refuseUnentitled(runtime, by, { event });

  async function readBatch(after?: string): Promise<AuditEvent[]> {
    const range: AuditRange = { order: 'oldest_first', after, upTo: entry?.id, limit: batchSize };
    const rows = await runtime.db.query<AuditEventRow>(eventsWithin(scope, filter, range));
    if ((await runtime.db.query(stillEntitled)).length === 0) return refuseUnentitled(runtime, by, { event });
    if ((await readManaged(runtime, scope)) !== managed) throw new AuthError('forbidden');
    return rows.map(eventFromRow);
  }
  // Reads the first batch before the response starts, so that an error can still set the status.
  return batchesFrom(await readBatch(), readBatch);
}

async function* batchesFrom(
  first: AuditEvent[],
  readBatch: (after?: string) => Promise<AuditEvent[]>,
): AsyncGenerator<AuditEvent[]> {
  let events = first;
  while (events.length > 0) {
    yield events;
    if (events.length < batchSize) return;
    events = await readBatch(events.at(-1)?.id);
  }
}

/** Returns the ids of the organizations in scope as one string, which is easy to compare. */
async function readManaged({ db }: Runtime, scope: AuditScope | null): Promise<string> {
  if (scope === null) return 'any';
  const rows = await db.query<{ organization_id: string }>(scope.organizationIds);
  return rows
    .map(({ organization_id: id }) => id)
    .sort()
    .join();
}

/**
 * Superadmins and operators see every event. Admins see only events of the organizations that they manage. Admins do
 * not see an event whose actor or target is a member now, but joined after the event. Admins do not see events outside
 * of organizations, because sign-ins reveal IP addresses and browsers.
 */
const eventsWithin = (scope: AuditScope | null, filter: AuditFilter, range: AuditRange) =>
  scope === null ? selectEvents(filter, range) : selectEventsWithin(scope, filter, range);
