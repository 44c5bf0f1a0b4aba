import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteSession, deleteSessionsOf } from '../../sessions/store/ending.ts';
import { incrementSessionEpoch } from '../../users/store/versions.ts';
import { findUserToHelp, stillEntitledToHelp } from './find-user-to-help.ts';

const event = 'user.end_sessions';

/**
 * Ends every session of a user, including a session that a concurrent sign-in opens. Deletes the impersonation link to
 * the account.
 *
 * @returns the number of ended sessions that had not expired
 * @throws AuthError `not_found` | `forbidden` | `not_authenticated`
 */
export async function endSessionsOf(
  runtime: Runtime,
  by: Entitled<'user:end_sessions'>,
  userId: string,
): Promise<number> {
  const { user, organizationId } = await findUserToHelp(runtime, by, { userId, event });
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const rows = await runtime.db.query<{ was_live: boolean | null }>(sql`
    with entitled as (${stillEntitledToHelp(by, user.id)}),
      moved as (${incrementSessionEpoch(user.id, andExists('entitled'))}),
      ended as (${deleteSessionsOf(user.id, andExists('moved'))}),
      links as (${deleteLinksTo(user.id, andExists('moved'))}),
      entry as (${recordEvent(by.actor, { event, outcome: 'success', target, organizationId }, from('moved'))})
    select ended.was_live from entitled left join ended on true`);
  if (rows.length === 0) return refuseUnentitled(runtime, by, { event, target, organizationId });
  return rows.filter(({ was_live }) => was_live).length;
}

/**
 * Ends one live session of a user. The event names the user and the id of the session.
 *
 * @throws AuthError like `endSessionsOf`, and `not_found` if the user has no live session with this id
 */
export async function endSessionOf(
  runtime: Runtime,
  by: Entitled<'user:end_sessions'>,
  userId: string,
  sessionId: string,
): Promise<void> {
  const singleEvent = 'user.end_session';
  const { user, organizationId } = await findUserToHelp(runtime, by, { userId, event: singleEvent });
  if (!isUuid(sessionId)) throw new AuthError('not_found');
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const entry = {
    event: singleEvent,
    outcome: 'success',
    target,
    organizationId,
    details: { sessionId },
  } as const;
  const [row] = await runtime.db.query<{ ended_id: string | null }>(sql`
    with entitled as (${stillEntitledToHelp(by, user.id)}),
      ended as (${deleteSession(user.id, sessionId, andExists('entitled'))}),
      entry as (${recordEvent(by.actor, entry, from('ended'))})
    select ended.ended_id from entitled left join ended on true`);
  if (!row) return refuseUnentitled(runtime, by, { event: singleEvent, target, organizationId });
  if (row.ended_id === null) throw new AuthError('not_found');
}
