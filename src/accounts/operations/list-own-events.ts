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
import { type OwnEvent, ownEvent, reasonsOfHiddenRefusals } from '../own-event.ts';

/**
 * Returns one page of the events of the caller's account, newest first. The events contain no personal data of other
 * users and no names of operators. Leaves out refused attempts of the caller that would reveal what exists.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listOwnEvents(
  { db, fields }: Runtime,
  { user }: SignedInActor,
  { limit, cursor, ...filter }: Omit<AuditFilter, 'actorId' | 'targetId'> & PageRequest,
): Promise<Page<'events', OwnEvent>> {
  const page = { limit, cursor };
  const after = keyOfCursor(page, isUuid);
  const range = { order: 'newest_first', after, limit: limit + 1 } as const;
  const selecting = selectEventsOfUser(user.id, filter, range, reasonsOfHiddenRefusals);
  const rows = await db.query<AuditEventRow>(selecting);
  if (rows.length === 0 && after !== undefined && (await db.query(selectEventId(after))).length === 0)
    throw invalidCursor();
  return toPage(
    'events',
    rows,
    page,
    (row) => ownEvent(eventFromRow(row), user, fields),
    ({ id }) => id,
  );
}
