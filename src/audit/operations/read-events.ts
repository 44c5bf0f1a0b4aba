import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { invalidCursor, keyOfCursor, type Page, type PageRequest, pageOf } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/sql.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type AuditEvent, eventFromRow } from '../event.ts';
import {
  type AuditEventRow,
  type AuditFilter,
  type AuditScope,
  type AuditStretch,
  recordEvent,
  selectEventId,
  selectEvents,
  selectEventsWithin,
} from '../store.ts';
import { refuseUnentitled } from './refuse-unentitled.ts';

/** Proof that an actor can read the audit log: within a scope, or all of it. */
export interface AuditReader extends Entitled<'audit:read'> {
  readonly scope: AuditScope | null;
}

/**
 * One page of the audit log, newest first.
 *
 * @throws AuthError `invalid_request` for a cursor that is not ours
 */
export async function listEvents(
  runtime: Runtime,
  { scope }: AuditReader,
  { limit, cursor, ...filter }: AuditFilter & PageRequest,
): Promise<Page<AuditEvent>> {
  const page = { limit, cursor };
  const after = keyOfCursor(page, isUuid);
  const stretch = { order: 'newest_first', after, limit: limit + 1 } as const;
  const rows = await runtime.db.query<AuditEventRow>(eventsWithin(scope, filter, stretch));
  // What comes after an event that there is not would pass for the end of the log.
  if (rows.length === 0 && after !== undefined && (await runtime.db.query(selectEventId(after))).length === 0)
    throw invalidCursor();
  return pageOf(rows, page, eventFromRow, ({ id }) => id);
}

const event = 'audit.export';
const batch = 1000;

/**
 * The audit log up to now, oldest first, in batches. The export is recorded as an event, which is the last event of the
 * export. Each batch reads the scope again, so a change of a membership counts from the next batch on. The export fails
 * when the reader's session, role or organizations change.
 *
 * @throws AuthError `not_authenticated` | `forbidden` when the actor has lost the session or role, at any batch
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
    const stretch: AuditStretch = { order: 'oldest_first', after, upTo: entry?.id, limit: batch };
    const rows = await runtime.db.query<AuditEventRow>(eventsWithin(scope, filter, stretch));
    if ((await runtime.db.query(stillEntitled)).length === 0) return refuseUnentitled(runtime, by, { event });
    if ((await readManaged(runtime, scope)) !== managed) throw new AuthError('forbidden');
    return rows.map(eventFromRow);
  }
  // Read before anything is answered, so that a failure can be.
  return batchesFrom(await readBatch(), readBatch);
}

async function* batchesFrom(
  first: AuditEvent[],
  readBatch: (after?: string) => Promise<AuditEvent[]>,
): AsyncGenerator<AuditEvent[]> {
  let events = first;
  while (events.length > 0) {
    yield events;
    if (events.length < batch) return;
    events = await readBatch(events.at(-1)?.id);
  }
}

/** The organizations in scope, as a text to compare. */
async function readManaged({ db }: Runtime, scope: AuditScope | null): Promise<string> {
  if (scope === null) return 'any';
  const rows = await db.query<{ organization_id: string }>(scope.organizationIds);
  return rows
    .map(({ organization_id: id }) => id)
    .sort()
    .join();
}

/**
 * Admins see the events of the organizations they manage, except those whose actor or target is a current member who
 * had not joined yet. Events outside of organizations show where and with which browser members sign in, so admins do
 * not see them.
 */
const eventsWithin = (scope: AuditScope | null, filter: AuditFilter, stretch: AuditStretch) =>
  scope === null ? selectEvents(filter, stretch) : selectEventsWithin(scope, filter, stretch);
