import { eventFromRow } from '../../audit/event.ts';
import {
  type AuditEventRow,
  type AuditFilter,
  selectEventId,
  selectEventsOfUser,
} from '../../audit/store/events.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { isUuid } from '../../core/identifiers.ts';
import { invalidCursor, keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { exportedEvent } from '../exported-event.ts';
import type { OwnEvent } from '../own-event.ts';

/**
 * Returns one page of the events of the caller's account, newest first. The events are the same as in the export of the
 * user, but without the names of operators. So they contain no personal data of other users.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listOwnEvents(
  { db }: Runtime,
  { user }: SignedInActor,
  { limit, cursor, ...filter }: Omit<AuditFilter, 'actorId' | 'targetId'> & PageRequest,
): Promise<Page<'events', OwnEvent>> {
  const page = { limit, cursor };
  const after = keyOfCursor(page, isUuid);
  const range = { order: 'newest_first', after, limit: limit + 1 } as const;
  const rows = await db.query<AuditEventRow>(selectEventsOfUser(user.id, filter, range));
  if (rows.length === 0 && after !== undefined && (await db.query(selectEventId(after))).length === 0)
    throw invalidCursor();
  const owner = { id: user.id, usernames: new Set([user.username]) };
  return toPage(
    'events',
    rows,
    page,
    (row) => withoutOperatorNames(exportedEvent(eventFromRow(row), owner)),
    ({ id }) => id,
  );
}

/** The name of an operator can contain the name of a server and of an account on it. */
const withoutOperatorNames = (event: OwnEvent): OwnEvent => ({
  ...event,
  actor: withoutOperatorName(event.actor),
  impersonator: event.impersonator && withoutOperatorName(event.impersonator),
});

const withoutOperatorName = <T extends { type: string; name: string | null }>(by: T): T =>
  by.type === 'operator' ? { ...by, name: null } : by;
